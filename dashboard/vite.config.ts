// Vite's configuration, for the build and for the development server, which passes API requests on
// to a running service.
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = process.env.API_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  publicDir: false,
  plugins: [react(), tailwindcss()],
  resolve: { alias: { sdk: join(import.meta.dirname, '../sdk/src/index.ts') } },
  build: {
    // A style or an image within the page would need a laxer Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(['/v1', '/oauth', '/mcp', '/.well-known'].map((path) => [path, api])),
  },
})

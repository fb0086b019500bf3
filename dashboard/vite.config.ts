// Vite's configuration, for the build and for the development server, which passes API requests on
// to a running service.
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The API streams nothing to the dashboard, and every page would load the client's event streams.
 */
const noStreams = {
  name: 'no-streams',
  load: (id: string) =>
    id.endsWith('/serverSentEvents.gen.ts')
      ? 'export function createSseClient() { throw new Error("no-streams of vite.config.ts") }'
      : null,
}

const api = process.env.API_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  publicDir: false,
  plugins: [react(), tailwindcss(), noStreams],
  resolve: {
    alias: [
      // The operators' pages have another copy of the operations, because everything that one
      // module exports is in one chunk, which the log-in page loads.
      {
        find: 'sdk-of-operators',
        replacement: `${join(import.meta.dirname, '../sdk/src/sdk.gen.ts')}?operators`,
      },
      // The page of webhooks has a copy in its chunk, too.
      {
        find: 'sdk-of-webhooks',
        replacement: `${join(import.meta.dirname, '../sdk/src/sdk.gen.ts')}?webhooks`,
      },
      { find: /^sdk$/, replacement: join(import.meta.dirname, '../sdk/src/index.ts') },
      // So do the settings of approvals.
      {
        find: 'sdk-of-approvals',
        replacement: `${join(import.meta.dirname, '../sdk/src/sdk.gen.ts')}?approvals`,
      },
      // React itself has the hook; this one is for React 17.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
    ],
  },
  build: {
    // An inlined style or image would need a laxer Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        'push-worker': join(import.meta.dirname, 'src/push/worker.ts'),
      },
      output: {
        // A service worker keeps its name, since the browser compares its content.
        entryFileNames: ({ name }) =>
          name === 'push-worker' ? '[name].js' : 'assets/[name]-[hash:7].js',
        // Hashes are short, because each file name is in the code of the first page and a hash
        // cannot be compressed.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // React has a chunk of its own, so that a browser keeps it from one version of the
        // dashboard to the next.
        codeSplitting: {
          groups: [{ name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// }],
        },
      },
    },
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(['/v1', '/oauth', '/mcp', '/.well-known'].map((path) => [path, api])),
  },
})

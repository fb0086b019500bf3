// Content-addressed assets of the HTML pages: each URL contains the hash of its file, so that
// browsers keep it forever and no page is shown with the styles of another version.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

export type StaticAsset = { path: string; type: string; text: string }

const declared: StaticAsset[] = []

/** Declares a file, which is then served under its `path`. */
export function staticAsset(name: string, extension: keyof typeof types, text: string) {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const asset = { path: `/assets/${name}-${hash}.${extension}`, type: types[extension], text }
  declared.push(asset)
  return asset
}

/** All assets that were declared: a module declares its own when it is loaded. */
export function declaredAssets(): readonly StaticAsset[] {
  return declared
}

const dashboard = join(import.meta.dirname, '../../dashboard/src/app')
const ownFolder = join(import.meta.dirname, 'styles')

/** The dashboard's design tokens and the usual elements, which must be linked first. */
export const pageStyle = staticAsset(
  'page',
  'css',
  `${designTokens()}\n${read(ownFolder, 'page.css')}`,
)
export const pageIcon = staticAsset('icon', 'svg', read(dashboard, 'icon.svg'))

/** Tailwind's theme as custom properties; its lines with a star are instructions for Tailwind. */
function designTokens(): string {
  return read(dashboard, 'tokens.css')
    .replace('@theme {', ':root {')
    .replaceAll(/^.*\*:.*\n/gm, '')
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

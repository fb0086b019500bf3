// Stylesheet and script of the pages that work without the dashboard's bundle. Their names have a
// hash, so they are immutable; the colours are the tokens of the dashboard.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../assets')
const tokensFile = join(import.meta.dirname, '../../../dashboard/src/app/tokens.css')

export type PageAsset = { path: string; type: string; text: string }

export const pageStyle = asset('pages.css', 'text/css', (text) => tokens() + text)
export const passkeyScript = asset('passkey.js', 'text/javascript', (text) => text)
export const pageAssets: readonly PageAsset[] = [pageStyle, passkeyScript]

function asset(name: string, type: string, made: (text: string) => string): PageAsset {
  const text = made(readFileSync(join(folder, name), 'utf8'))
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const path = `/oauth/assets/${name.replace('.', `-${hash}.`)}`
  return { path, type: `${type}; charset=utf-8`, text }
}

/** Tailwind's theme as custom properties; "initial" only empties its own defaults. */
function tokens(): string {
  const theme = readFileSync(tokensFile, 'utf8')
  return theme.replace('@theme', ':root').replaceAll(/^\s*--[\w-]+-\*: initial;\n/gm, '')
}

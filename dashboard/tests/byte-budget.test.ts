// Byte budget: the JavaScript and CSS that a page loads before it is usable, compressed by gzip;
// and the stylesheet of the pages before the log-in has the classes of all that they show.
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { buildIfStale } from '../build.ts'

const bundle = join(import.meta.dirname, '../dist')

type Chunk = { file: string; css?: string[]; imports?: string[] }

/** Files that the browser loads for these entries of the manifest, with what they import. */
function filesOf(manifest: Record<string, Chunk>, entries: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    assert.ok(chunk, `${name} is not in the manifest`)
    if (seen.has(name)) return
    seen.add(name)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return files
}

const shell = ['index.html', 'src/app/shell.tsx']
const budgets: readonly [page: string, entries: readonly string[], most_kb: number][] = [
  ['the log-in page', ['index.html'], 92],
  ['the sign-up page', ['index.html', 'src/pages/sign-up.tsx'], 98],
  ['the reset of a password', ['index.html', 'src/pages/forgotten-password.tsx'], 110],
  // This includes the check of the path to which it returns.
  ['the return from single sign-on', ['index.html', 'src/pages/sso/sso.tsx'], 101],
  ['the home page', [...shell, 'src/pages/home/home.tsx'], 160],
  ['the list of domains', [...shell, 'src/pages/domain-list/domain-list.tsx'], 160],
  ['a domain', [...shell, 'src/pages/domain/domain.tsx'], 160],
  ['the DNS records of a domain', [...shell, 'src/pages/domain/dns/dns.tsx'], 160],
  ['the search for domains', [...shell, 'src/pages/buy/buy.tsx'], 174],
  ['the command palette', [...shell, 'src/app/command-palette.tsx'], 160],
  ['the mailbox', [...shell, 'src/pages/mailbox.tsx'], 160],
]

describe('the byte budget', () => {
  before(() => buildIfStale())
  for (const [page, entries, most_kb] of budgets)
    it(`allows ${page} ${most_kb} kB`, (context) => {
      const manifest = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8'))
      const files = [...filesOf(manifest, entries)]
      const bytes = files.map((file) => statSync(join(bundle, `${file}.gz`)).size)
      const kb = bytes.reduce((sum, one) => sum + one, 0) / 1000
      context.diagnostic(`${kb.toFixed(1)} kB in ${files.length} files`)
      assert.ok(kb <= most_kb, `${kb} kB: ${files.join(', ')}`)
    })
})

const sources = join(import.meta.dirname, '../src')

/**
 * The modules of the dashboard that a file imports, lazy ones too. The shells have a stylesheet of
 * their own.
 */
function importsOf(file: string): string[] {
  const names = readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.{1,2}\/[^']+)'/g)
  return Array.from(names, ([, name = '']) => join(file, '..', name)).filter(
    (one) => !one.endsWith('shell.tsx'),
  )
}

describe('the stylesheet of the pages before the log-in', () => {
  it('is made of every component that they show', () => {
    const folder = join(sources, 'app')
    const styles = readFileSync(join(folder, 'styles.css'), 'utf8')
    const patterns = Array.from(
      styles.matchAll(/^@source "(.+)";$/gm),
      ([, pattern = '']) => pattern,
    )
    const listed = globSync(patterns, { cwd: folder }).map((file) => join(folder, file))
    const shown = new Set([join(folder, 'main.tsx')])
    for (const file of shown) for (const imported of importsOf(file)) shown.add(imported)
    const components = [...shown].filter((file) => file.endsWith('.tsx'))
    assert.ok(components.length > 15, `${components.length} components`)
    assert.deepEqual(
      components.filter((file) => !listed.includes(file)),
      [],
    )
  })
})

// Byte budget: the JavaScript and CSS that a page loads before it is usable, compressed by gzip.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
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
  ['the log-in page', ['index.html'], 90],
  ['the home page', [...shell, 'src/pages/home/home.tsx'], 160],
  ['the list of domains', [...shell, 'src/pages/domains.tsx'], 160],
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

// The last measured figures in the table of bench/README.md: a run with --record writes its own.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../README.md')
const markers = [
  '<!-- rows: bin/bench NAME --record writes the last cell -->',
  '<!-- end of rows -->',
]

export function recordResults(name: string, results: readonly string[]): void {
  writeFileSync(file, withResults(readFileSync(file, 'utf8'), name, results))
}

/**
 * The README with the results in the rows of the benchmark, in their order. Throws if it has
 * another number of rows.
 */
export function withResults(readme: string, name: string, results: readonly string[]): string {
  const lines = readme.split('\n')
  const [begin = -1, end = -1] = markers.map((marker) => lines.indexOf(marker))
  const first = lines.findIndex((line, at) => at > begin && line.startsWith(`| \`${name}\` |`))
  if (begin < 0 || first < 0 || first > end) throw new Error(`The README has no row of ${name}`)
  let after = first + 1
  while (lines[after]?.startsWith('| | ')) after += 1
  if (after - first !== results.length)
    throw new Error(`${name} has ${results.length} results, and ${after - first} rows`)
  for (const [at, result] of results.entries())
    lines[first + at] = withLastCell(lines[first + at] ?? '', result)
  return lines.join('\n')
}

function withLastCell(row: string, text: string): string {
  return row.replace(/\| [^|]* \|$/, () => `| ${text} |`)
}

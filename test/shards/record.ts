// A reporter that writes the duration of each test file into durations.json, which split.ts
// reads.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { filesOf } from './files.ts'

const root = join(import.meta.dirname, '../..')
const path = join(import.meta.dirname, 'durations.json')

export default async function* record(source: AsyncIterable<TestEvent>) {
  const recorded: Record<string, number> = {}
  for await (const event of source)
    if (event.type === 'test:complete' && event.data.nesting === 0)
      // A tenth of a second: finer figures would change with every run.
      recorded[event.data.name] = Math.round(event.data.details.duration_ms / 100) * 100
  const known = { ...JSON.parse(readFileSync(path, 'utf8')), ...recorded }
  const files = filesOf(root, []).filter((file) => file in known)
  const kept = Object.fromEntries(files.map((file) => [file, known[file]]))
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`)
  yield ''
}

// The mutations of the dashboard, read from its sources: each place that calls useMutation, by its
// file and the name that it has there.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = join(import.meta.dirname, '../../../dashboard/src')
const call = /\buseMutation\b\s*[<(]/g
/** The text right before a call: a variable, a member of an object, or the end of a function. */
const named = /(?:const\s+(?:\{\s*)?(\w+)(?:[^=]*\})?\s*=|(\w+):)\s*$/
const declared = /function (\w+)/g

export function mutationsInCode(): string[] {
  return globSync('**/*.{ts,tsx}', { cwd: sources })
    .flatMap((file) => {
      const text = readFileSync(join(sources, file), 'utf8')
      return Array.from(
        text.matchAll(call),
        ({ index }) => `${file} ${nameOf(text.slice(0, index))}`,
      )
    })
    .toSorted()
}

function nameOf(before: string): string {
  const [, variable, member] = named.exec(before) ?? []
  const name = variable ?? member ?? Array.from(before.matchAll(declared), ([, one]) => one).at(-1)
  if (name === undefined) throw new Error(`A mutation has no name: …${before.slice(-80)}`)
  return name
}

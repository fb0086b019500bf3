// The edge cases of a field: each in an otherwise valid request.
import assert from 'node:assert/strict'
import type { Answer } from '../../support/service.ts'
import { assertInvalid } from './problem.ts'

/** `wrong` has the lines of the 422 ("body.domains.0 string_type"), or none if it is valid. */
export type Edge = { field: string; given: unknown; wrong: string[] }
export const good = (field: string, given: unknown): Edge => ({ field, given, wrong: [] })
export const bad = (field: string, given: unknown, ...wrong: string[]): Edge => {
  return { field, given, wrong }
}

export const times = (count: number, of: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => of(i))

/** Sends `base` once for each edge, with that field in its place. */
export async function assertEdges(
  send: (body: object) => Promise<Answer>,
  base: object,
  edges: readonly Edge[],
): Promise<void> {
  await Promise.all(
    edges.map(async ({ field, given, wrong }) => {
      const answer = await send({ ...base, [field]: given })
      if (wrong.length > 0) return assertInvalid(answer, wrong)
      const shown = JSON.stringify(given)?.slice(0, 60)
      assert.ok(answer.status < 300, `${field} ${shown}: ${answer.text.slice(0, 300)}`)
    }),
  )
}

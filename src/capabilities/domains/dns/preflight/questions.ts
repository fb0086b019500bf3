// The names and types that a change of name servers is checked for: the records that we hold, and
// those that nearly every domain has.
import { rrType } from '../../../../dns/types.ts'
import { type RecordSet, type RecordSets, setKey } from '../record-sets/record-set.ts'

export type Question = { host: string; type: number }

const addressTypes: readonly number[] = [rrType.a, rrType.aaaa, rrType.cname]
const usual: readonly [string, readonly number[]][] = [
  ['@', [rrType.a, rrType.aaaa, rrType.mx, rrType.txt, rrType.caa]],
  ['www', addressTypes],
  ['mail', addressTypes],
  ['_dmarc', [rrType.txt]],
  ['autodiscover', addressTypes],
]

/** The usual questions come first. Other servers answer for records below a delegation. */
export function questionsOf(
  sets: RecordSets,
  most_questions: number,
): { asked: Question[]; left_out: number } {
  const all = new Map<string, Question>()
  for (const [host, types] of usual)
    for (const type of types) all.set(setKey({ host, type }), { host, type })
  for (const { host, type } of sets.values())
    if (!isBelowCut(host, sets)) all.set(setKey({ host, type }), { host, type })
  const list = [...all.values()]
  return {
    asked: list.slice(0, most_questions),
    left_out: Math.max(list.length - most_questions, 0),
  }
}

function isBelowCut(host: string, sets: RecordSets): boolean {
  const labels = host.split('.')
  return labels.some((_, at) => {
    const above = labels.slice(at + 1).join('.')
    return above !== '' && sets.has(setKey({ host: above, type: rrType.ns }))
  })
}

/** The set that our name servers answer with for a host and a type (RFC 4592 for wildcards). */
export function heldSet(sets: RecordSets, { host, type }: Question): RecordSet | undefined {
  const names = new Set([...sets.values()].map((one) => one.host))
  if (names.has(host) || hasBelow(names, host)) return sets.get(setKey({ host, type }))
  const labels = host.split('.')
  for (let at = 1; at <= labels.length; at += 1) {
    const encloser = labels.slice(at).join('.')
    const isThere = encloser === '' || names.has(encloser) || hasBelow(names, encloser)
    const star = encloser === '' ? '*' : `*.${encloser}`
    if (isThere) return sets.get(setKey({ host: star, type }))
  }
  return undefined
}

function hasBelow(names: ReadonlySet<string>, host: string): boolean {
  return host !== '@' && [...names].some((one) => one.endsWith(`.${host}`))
}

// Compares the sets that the present name servers of a domain serve with those of the new ones.
import { rrType } from '../../../../dns/types.ts'
import { isSameSet, sortedRdata } from '../record-sets/record-set.ts'
import type { Question } from './questions.ts'
import type { Content, View } from './views.ts'

/**
 * `missing`: a new server does not have the set. `differs`: a new server has another set.
 * `unknown`: a new server could not be asked.
 */
type FoundState = 'missing' | 'differs' | 'unknown'
export type FoundSet = Question & {
  state: FoundState
  before: Exclude<Content, null>
  /** The content at the first such server, or null if it has none or it is not known. */
  after: Content
  nameservers: string[]
}
export type Compared = {
  found: FoundSet[]
  /** The number of sets that the present servers serve. */
  served: number
  /** The number of questions that the present servers did not answer. */
  unknown: number
  /** The longest TTL of a set that was seen, or null if none was seen. */
  longest_ttl: number | null
}

type Sides = {
  old: View
  views: readonly View[]
  asked: readonly Question[]
  /** Whether to end at the first missing or unknown set, after which the rest changes nothing. */
  isBrief?: boolean
}

/** Each server is asked one question after the other, all servers at the same time. */
export async function compareSides({
  old,
  views,
  asked,
  isBrief = false,
}: Sides): Promise<Compared> {
  const found: FoundSet[] = []
  let served = 0
  let unknown = 0
  let longest_ttl: number | null = null
  const isDecided = () =>
    views.some(({ state }) => state !== 'serves') || found.some(({ state }) => state !== 'differs')
  for (const question of asked) {
    if (isBrief && isDecided()) break
    const before = await old.ask(question)
    if (before === undefined) unknown += 1
    if (!before) continue
    served += 1
    longest_ttl = Math.max(longest_ttl ?? 0, before.ttl)
    const states = await Promise.all(views.map((view) => stateIn(view, question, before)))
    for (const state of ['missing', 'differs', 'unknown'] as const) {
      const at = states.flatMap((one, i) => (one.state === state ? [{ one, view: views[i] }] : []))
      const [first] = at
      if (!first) continue
      const nameservers = at.flatMap(({ view }) => view?.hosts ?? [])
      found.push({ ...question, state, before, after: first.one.after, nameservers })
    }
  }
  return { found, served, unknown, longest_ttl }
}

type Seen = { state: FoundState | 'same'; after: Content }

async function stateIn(
  view: View,
  question: Question,
  before: Exclude<Content, null>,
): Promise<Seen> {
  const after = await view.ask(question)
  if (after === undefined) return { state: 'unknown', after: null }
  if (after) return { state: isSame(question, before, after) ? 'same' : 'differs', after }
  return standIn(view, question)
}

/**
 * An alias in the place of addresses, or the other way round, is different content, not a loss.
 */
async function standIn(view: View, { host, type }: Question): Promise<Seen> {
  const others = instead.get(type) ?? []
  for (const other of others) {
    const after = await view.ask({ host, type: other })
    if (after === undefined) return { state: 'unknown', after: null }
    if (after) return { state: 'differs', after: null }
  }
  return { state: 'missing', after: null }
}

const instead = new Map<number, readonly number[]>([
  [rrType.a, [rrType.cname]],
  [rrType.aaaa, [rrType.cname]],
  [rrType.cname, [rrType.a, rrType.aaaa]],
])

/** Whether the values are the same, whatever their TTL. */
function isSame(place: Question, one: Exclude<Content, null>, other: Exclude<Content, null>) {
  const setOf = ({ rdata }: Exclude<Content, null>) => {
    return { ...place, ttl: 0, rdata: sortedRdata(rdata) }
  }
  return isSameSet(setOf(one), setOf(other))
}

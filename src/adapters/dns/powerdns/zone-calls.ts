// The calls of PowerDNS's API that bring a zone to its desired state, or delete it.
import Type from 'typebox'
import { absolute } from '../../../dns/name.ts'
import { compile } from '../../../kit/schema.ts'
import type { Glue, ZoneContent } from '../port.ts'
import { managedSetsOf, storedSetsOf, type WrittenSet, writtenSet } from './zone-sets.ts'

export type Answer = { status: number; text: string }
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>
/** The last answer, and the sets that PowerDNS does not take, such as "www.example.com MX". */
type Put = { last: Answer; without?: string[] }

const refused = 422
const readZone = compile(Type.Object({ rrsets: Type.Array(writtenSet) }))

/** Creates the zone, or changes it where it differs, without the sets that are refused. */
export async function put(call: Call, zone: ZoneContent, glue: Glue): Promise<Put> {
  const path = pathOf(zone.name)
  const managed = managedSetsOf(zone, glue)
  const sets = [...managed, ...storedSetsOf(zone)]
  let there = await call('GET', path)
  if (there.status === 404) {
    const made = await create(call, zone.name, { managed, sets })
    // It may have answered REFUSED a moment ago, and would repeat that for 20 s.
    if (made.status === 201) await call('PUT', flushOf(zone.name))
    // The zone was created concurrently, so from now on this is a change.
    else if (made.status !== 409) return { last: made }
    there = await call('GET', path)
  }
  if (there.status !== 200) return { last: there }
  const changes = changesTo(readZone.parse(JSON.parse(there.text)).rrsets, sets)
  if (changes.length === 0) return { last: there }
  const { last, left } = await apply(call, path, changes)
  const own = new Set(managed.map(keyOf))
  // Without its SOA or its NS, it is not the zone.
  if (left.length === 0 || left.some((one) => own.has(keyOf(one)))) return { last }
  return { last: { status: 204, text: '' }, without: left.map(keyOf) }
}

export async function drop(call: Call, name: string): Promise<Answer> {
  const gone = await call('DELETE', pathOf(name))
  return gone.status === 404 ? { ...gone, status: 204 } : gone
}

type NewZone = { managed: readonly WrittenSet[]; sets: readonly WrittenSet[] }

/**
 * Creates the zone with all of its sets at once, or, if some are refused, with only those that
 * every zone has.
 */
async function create(call: Call, name: string, { managed, sets }: NewZone): Promise<Answer> {
  // Our own serial must stay, but each SOA-EDIT would replace it by theirs.
  const edits = { soa_edit: '', soa_edit_api: '' }
  const zone = { name: absolute(name), kind: 'Native', nameservers: [], ...edits }
  const made = await call('POST', '/zones', { ...zone, rrsets: sets })
  return made.status === refused ? await call('POST', '/zones', { ...zone, rrsets: managed }) : made
}

type Applied = { last: Answer; left: Change[] }

/**
 * Makes the changes in one call. If one of them is refused, all are, so the halves are tried until
 * only the sets are left that PowerDNS does not take.
 */
async function apply(call: Call, path: string, changes: Change[]): Promise<Applied> {
  const last = await call('PATCH', path, { rrsets: changes })
  if (last.status !== refused) return { last, left: [] }
  if (changes.length === 1) return { last, left: changes }
  const half = changes.length / 2
  const first = await apply(call, path, changes.slice(0, half))
  if (isFailure(first.last)) return first
  const second = await apply(call, path, changes.slice(half))
  return { last: second.last, left: [...first.left, ...second.left] }
}

function isFailure({ status }: Answer): boolean {
  return status >= 300 && status !== refused
}

function pathOf(name: string): string {
  return `/zones/${encodeURIComponent(absolute(name))}`
}

function flushOf(name: string): string {
  return `/cache/flush?domain=${encodeURIComponent(absolute(name))}`
}

const keyOf = ({ name, type }: WrittenSet) => `${name.toLowerCase().replace(/\.$/, '')} ${type}`

function factsOf({ ttl, records }: WrittenSet): string {
  return JSON.stringify([ttl, records.map(({ content, disabled }) => [content, disabled]).sort()])
}

type Change = WrittenSet & { changetype: 'REPLACE' | 'DELETE' }

/**
 * The changes that make the zone exactly this. Deletions come first, because a CNAME must be alone.
 */
function changesTo(there: readonly WrittenSet[], wanted: readonly WrittenSet[]): Change[] {
  const facts = new Map(there.map((one) => [keyOf(one), factsOf(one)]))
  const keys = new Set(wanted.map(keyOf))
  return [
    ...there
      .filter((one) => !keys.has(keyOf(one)))
      .map((one): Change => ({ ...one, changetype: 'DELETE' })),
    ...wanted
      .filter((one) => facts.get(keyOf(one)) !== factsOf(one))
      .map((one): Change => ({ ...one, changetype: 'REPLACE' })),
  ]
}

// Plans a change of record sets: computes the resulting sets, checks them by the rules of a zone,
// and computes the difference. Pure.
import type { FieldReader } from '../../../../kit/field-reader.ts'
import type { DomainName } from '../../../../kit/random.ts'
import {
  default_ttl,
  isSameSet,
  most_zone_octets,
  octetsOf,
  type PlacedSet,
  type RecordSet,
  type RecordSets,
  setKey,
  sortedRdata,
} from './record-set.ts'
import { checkZone } from './zone-rules.ts'

/** One set before and after a change, or undefined if it did not or does not exist. */
export type SetDiff = {
  host: string
  type: number
  before: RecordSet | undefined
  after: RecordSet | undefined
  /** The TTL that the set gets once the change is confirmed; until then it has a short one. */
  asked_ttl?: number
}
export type RecordPlan = { diff: readonly SetDiff[]; sets: RecordSets; octets: number }

/** A set of a request: without a TTL it keeps the one that it has, or gets the usual one. */
export type WantedSet = Omit<PlacedSet, 'ttl'> & { ttl: number | null }
/** The edits of a request, in the order in which they are applied. */
export type RecordEdits = {
  sets?: readonly WantedSet[]
  remove?: readonly WantedSet[]
  add?: readonly WantedSet[]
  /** The place of the request that asks to delete all sets that are not among `sets`. */
  whole?: readonly (string | number)[]
}

type Planned = { domain: DomainName; before: RecordSets; edits: RecordEdits }

/** Broken rules are noted with the reader; the plan may be used after its `finish()`. */
export function planRecords(reader: FieldReader, { domain, before, edits }: Planned): RecordPlan {
  const sets = new Map(before)
  const changed = new Map<string, PlacedSet>()
  const put = (wanted: WantedSet, rdata: readonly Buffer[]) => {
    const { host, type } = wanted
    const key = setKey(wanted)
    const ttl = wanted.ttl ?? sets.get(key)?.ttl ?? before.get(key)?.ttl ?? default_ttl
    const places = new Map([...(changed.get(key)?.places ?? []), ...(wanted.places ?? [])])
    changed.set(key, { ...wanted, ttl, rdata, places })
    if (rdata.length === 0) sets.delete(key)
    else sets.set(key, { host, type, ttl, rdata })
  }
  const seen = new Set<string>()
  for (const wanted of edits.sets ?? []) {
    if (seen.has(setKey(wanted)))
      reader.refuse([...wanted.loc], 'The same host and type are given twice: combine them')
    seen.add(setKey(wanted))
    put(wanted, wanted.rdata)
  }
  if (edits.whole)
    for (const [key, { host, type, ttl }] of before)
      if (!seen.has(key)) put({ host, type, ttl, rdata: [], loc: edits.whole }, [])
  const valuesOf = (wanted: WantedSet) => sets.get(setKey(wanted))?.rdata ?? []
  for (const wanted of edits.remove ?? [])
    put(
      { ...wanted, ttl: null },
      valuesOf(wanted).filter((one) => !wanted.rdata.some((gone) => gone.equals(one))),
    )
  for (const wanted of edits.add ?? [])
    put(wanted, sortedRdata([...valuesOf(wanted), ...wanted.rdata]))
  const diff = differences(before, sets, changed)
  const differing = new Set(diff.map(setKey))
  checkZone(reader, {
    ...{ domain, before, sets },
    changed: new Map([...changed].filter(([key]) => differing.has(key))),
  })
  const octets = [...sets.values()].reduce((sum, one) => sum + octetsOf(one), 0)
  return { diff, sets, octets }
}

function differences(
  before: RecordSets,
  after: RecordSets,
  changed: ReadonlyMap<string, PlacedSet>,
): SetDiff[] {
  return [...changed].flatMap(([key, { host, type }]) => {
    const one = { host, type, before: before.get(key), after: after.get(key) }
    return isSameSet(one.before, one.after) ? [] : [one]
  })
}

/** Whether a zone of this size is refused, though not where the change makes it smaller. */
export function isTooLarge({ octets, sets }: RecordPlan, before: RecordSets): boolean {
  const earlier = [...before.values()].reduce((sum, one) => sum + octetsOf(one), 0)
  return octets > most_zone_octets && (octets > earlier || sets.size > before.size)
}

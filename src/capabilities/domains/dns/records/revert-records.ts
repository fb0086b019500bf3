// The edits that revert a change of records, set by set. A set that was changed since stays as it
// is.
import Type, { type Static } from 'typebox'
import { rrType, typeName } from '../../../../dns/types.ts'
import { oneOf } from '../../../../kit/schema.ts'
import type { SetDiff, WantedSet } from '../record-sets/plan-records.ts'
import { isSameSet, setKey, sortedRdata } from '../record-sets/record-set.ts'
import { problemOfSet } from '../record-sets/zone-rules.ts'
import type { RecordZone } from './read-zone.ts'

export const conflictShape = Type.Object(
  {
    host: Type.String({ description: 'Relative to the domain; "@" is the domain itself.' }),
    type: Type.String(),
    reason: oneOf(['changed_since', 'needs_prune'], {
      description:
        'changed_since: a later change has set it otherwise. needs_prune: a set that the change ' +
        'added at this host conflicts with it, so "prune" has to remove that.',
    }),
  },
  { title: 'DnsRevertConflict' },
)
export type RevertConflict = Static<typeof conflictShape>

type Reverting = { changed: readonly SetDiff[]; prune: boolean }

/** `sets` are the sets as they will be, without those of `conflicts`. */
export function revertEdits(
  zone: Pick<RecordZone, 'sets'>,
  { changed, prune }: Reverting,
): { sets: WantedSet[]; conflicts: RevertConflict[] } {
  const sets: WantedSet[] = []
  const conflicts: RevertConflict[] = []
  for (const one of changed) {
    const now = zone.sets.get(setKey(one))
    if (isSameSet(now, one.before)) continue
    if (!isSameSet(now, one.after)) conflicts.push(conflictOf(one, 'changed_since'))
    else {
      const reverted = revertedSet(one, prune)
      const isAgainst = standsAgainst(one, { changed, prune }) || hasProblem(one, reverted)
      if (isAgainst) conflicts.push(conflictOf(one, 'needs_prune'))
      else sets.push(reverted)
    }
  }
  return { sets, conflicts }
}

function conflictOf({ host, type }: SetDiff, reason: RevertConflict['reason']): RevertConflict {
  return { host, type: typeName(type), reason }
}

/** Whether the change put a CNAME in the place of this set, or this set in that of a CNAME. */
function standsAgainst(one: SetDiff, { changed, prune }: Reverting): boolean {
  if (prune || !one.before) return false
  return changed.some(
    (other) =>
      other.host === one.host &&
      other.after !== undefined &&
      !other.before &&
      other.type !== one.type &&
      (one.type === rrType.cname || other.type === rrType.cname),
  )
}

/** Whether the former and the present values cannot coexist, as two SPF policies cannot. */
function hasProblem({ before, after }: SetDiff, { rdata }: WantedSet): boolean {
  return before !== undefined && after !== undefined && problemOfSet({ ...before, rdata }) !== null
}

/** Without `prune` the values that were added stay beside those that come back. */
function revertedSet(one: SetDiff, prune: boolean): WantedSet {
  const { host, type, before, after, asked_ttl } = one
  const place = { host, type, loc: ['change_id'] }
  if (prune || !after) return { ...place, ttl: before?.ttl ?? null, rdata: before?.rdata ?? [] }
  const single = type === rrType.cname && before !== undefined
  const rdata = single ? before.rdata : sortedRdata([...(before?.rdata ?? []), ...after.rdata])
  return { ...place, ttl: before?.ttl ?? asked_ttl ?? after.ttl, rdata }
}

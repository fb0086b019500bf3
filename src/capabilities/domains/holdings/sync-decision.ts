// Decision of the sync: the effect of a registry's answer on the holding. Pure.
import type { Outcome, RegistryDomain } from '../../../adapters/registry/port.ts'
import type { Holding } from './domain-presenter.ts'

/** The end_reason of a holding; `dropped` means that the registry deleted it. */
export type Ending = 'transferred_away' | 'dropped'

export type SyncDecision =
  | { do: 'store'; found: RegistryDomain }
  | { do: 'end'; ending: Ending }
  /** The registry says "does not exist", which nothing explains (yet). */
  | { do: 'mark_missing' }
  /** There was no usable answer. */
  | { do: 'nothing'; message: string }

export type KnownHolding = Pick<
  Holding,
  'deletion_at' | 'missing_since' | 'epp_statuses' | 'rgp_statuses'
>

/** `sponsor` is our name at the registry, and `now` its time. */
export function decideSync(
  read: Outcome<RegistryDomain>,
  holding: KnownHolding,
  { sponsor, now }: { sponsor: string; now: Date },
): SyncDecision {
  switch (read.kind) {
    case 'done':
      if (read.value.sponsor !== sponsor) return { do: 'end', ending: 'transferred_away' }
      return { do: 'store', found: read.value }
    case 'refused':
      if (read.reason === 'not_ours') return { do: 'end', ending: 'transferred_away' }
      if (read.reason === 'absent') return decideAbsent(holding, now)
      return { do: 'nothing', message: read.message }
    case 'accepted':
      return { do: 'nothing', message: 'The registry answered a read with "action pending".' }
    case 'unknown':
      return { do: 'nothing', message: read.message }
  }
}

const missing_ms = 86_400_000

/**
 * A name that was being deleted is gone, and so is one that has been missing for a day. A single
 * "does not exist" for an active name does not end its holding, but raises an alarm.
 */
function decideAbsent(holding: KnownHolding, now: Date): SyncDecision {
  const leaving =
    holding.deletion_at !== null ||
    holding.epp_statuses.includes('pendingDelete') ||
    holding.rgp_statuses.some((status) => ['redemptionPeriod', 'pendingDelete'].includes(status))
  const since = holding.missing_since
  const long = since !== null && now.getTime() - since.getTime() > missing_ms
  return leaving || long ? { do: 'end', ending: 'dropped' } : { do: 'mark_missing' }
}

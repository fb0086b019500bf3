// The order of the log, as its readers follow it: era by era, in each by (xid, id).
import type { BlockFields } from './block.ts'

export const endless_id = 2n ** 63n - 1n

/** The row after which a reader continues. */
export type LogPlace = { era: number; xid: string; id: string }

export type Span = Pick<BlockFields, 'era' | 'first_id'> & {
  from_xid: string
  from_id: string
  below_id: bigint
  /** Whether a later era has begun, so that no more rows come. */
  closed: boolean
}

/** The rest of the log after a place: the rest of its era, and each era after it. */
export function spansAfter(
  place: LogPlace | null,
  eras: readonly { era: number; first_id: bigint }[],
): Span[] {
  return eras
    .filter(({ era }) => era >= (place?.era ?? 1))
    .map(({ era, first_id }) => {
      const next = eras.find((one) => one.era === era + 1)
      const here = place?.era === era
      return {
        era,
        first_id: String(first_id),
        from_xid: here ? place.xid : '0',
        from_id: here ? place.id : '0',
        below_id: next?.first_id ?? endless_id,
        closed: next !== undefined,
      }
    })
}

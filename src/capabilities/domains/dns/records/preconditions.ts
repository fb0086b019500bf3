// Preconditions of a change of records (RFC 9110 part 13): the records must still be the ones that
// the caller read.

import Type from 'typebox'
import { fault } from '../../../../kit/fault.ts'
import { etagOf, setKey } from '../record-sets/record-set.ts'
import type { RecordZone } from './read-zone.ts'

export const preconditionFailed = fault('precondition_failed', 'precondition', {
  sentence: 'The records have changed since you read them; nothing was changed.',
  hint: 'Read them again, and send the change with the new ETag (if_match).',
  next: 'read_back',
  facts: {
    etag: Type.Union([Type.String(), Type.Null()], {
      description: 'The present entity tag, or null if there is no such set.',
    }),
  },
})
export const preconditionRequired = fault('precondition_required', 'unconditional', {
  sentence: 'Replacing a whole zone needs the ETag of the zone that it replaces.',
  hint: 'Read the records, and send the ETag of that answer as If-Match (if_match).',
  next: 'fix_request',
})

/** The entity tag of all records of a domain. */
export function zoneEtag({ serial }: Pick<RecordZone, 'serial'>): string {
  return `"${serial}"`
}

/** Throws preconditionFailed if the zone has changed since the caller read it. */
export function requireZone(zone: RecordZone, if_match: string | undefined): void {
  if (if_match !== undefined && !matches(if_match, zoneEtag(zone)))
    throw preconditionFailed({ facts: { etag: zoneEtag(zone) } })
}

/** Throws preconditionFailed if the set has changed since the caller read it, or is gone. */
export function requireSet(
  zone: RecordZone,
  place: { host: string; type: number },
  if_match: string | undefined,
): void {
  if (if_match === undefined) return
  const set = zone.sets.get(setKey(place))
  const etag = set ? etagOf(set) : null
  if (etag === null || !matches(if_match, etag)) throw preconditionFailed({ facts: { etag } })
}

/** Strong comparison (RFC 9110 13.1.1); models often leave out the quotes. */
function matches(if_match: string, etag: string): boolean {
  return if_match
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || one === etag || `"${one}"` === etag)
}

// Record sets and their differences in answers, in presentation form (RFC 1035 part 5).

import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { writeRdata } from '../../../../dns/rdata/rdata.ts'
import { typeName } from '../../../../dns/types.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { dateTime, nullable } from '../../../../kit/schema.ts'
import type { SetDiff } from './plan-records.ts'
import { etagOf, type RecordSet } from './record-set.ts'

const place = {
  host: Type.String({ description: 'Relative to the domain; "@" is the domain itself.' }),
  type: Type.String({
    description: 'The type, such as "MX", or "TYPE" and its number if it has no name here.',
  }),
}
const content = {
  ttl: Type.Integer({ description: 'How many seconds resolvers keep it.' }),
  values: Type.Array(Type.String(), { description: 'The values in presentation form, sorted.' }),
}
const contentShape = Type.Object(content, { title: 'DnsRecordContent' })

export const recordSetShape = Type.Object(
  {
    ...place,
    ...content,
    etag: Type.String({
      description: 'The entity tag for if_match of a change of this set alone.',
    }),
    managed: Type.Boolean({
      description: 'Whether the service keeps it, so that it cannot be changed here.',
    }),
    updated_at: nullable(dateTime('When it was last changed, or null if it is managed.')),
  },
  { title: 'DnsRecords' },
)

export const setDiffShape = Type.Object(
  {
    ...place,
    before: nullable(contentShape),
    after: nullable(contentShape),
  },
  { title: 'DnsRecordsDifference' },
)
type ShownDiff = Static<typeof setDiffShape>

function contentOf(set: RecordSet | undefined) {
  if (!set) return null
  return { ttl: set.ttl, values: set.rdata.map((one) => writeRdata(set.type, one)) }
}

export function shownSet(set: RecordSet & { updated_at: Date | null }) {
  const { host, type, ttl, rdata, updated_at } = set
  return {
    ...{ host, type: typeName(type), ttl },
    values: rdata.map((one) => writeRdata(type, one)),
    etag: etagOf(set),
    managed: updated_at === null,
    updated_at: updated_at?.toISOString() ?? null,
  }
}

export function shownDiff(diff: readonly SetDiff[]): ShownDiff[] {
  return diff.map(({ host, type, before, after }) => ({
    ...{ host, type: typeName(type) },
    before: contentOf(before),
    after: contentOf(after),
  }))
}

const most_noted = 20
const most_noted_length = 65_536

/**
 * The first sets of a difference, up to twenty of 64 KiB together, which the audit log, the event
 * and the approval keep.
 */
export function headOfDiff(diff: readonly SetDiff[]): ShownDiff[] {
  let length = 0
  const shown = shownDiff(diff.slice(0, most_noted))
  const end = shown.findIndex((one) => {
    length += JSON.stringify(one).length
    return length > most_noted_length
  })
  return end < 0 ? shown : shown.slice(0, end)
}

/** SHA-256 of a difference, in hexadecimal: equal changes of equal sets have the same digest. */
export function diffDigest(domain: DomainName, diff: readonly SetDiff[]): string {
  const sorted = [...shownDiff(diff)].sort((one, other) =>
    `${one.host} ${one.type}` < `${other.host} ${other.type}` ? -1 : 1,
  )
  return createHash('sha256')
    .update(JSON.stringify([domain, sorted]))
    .digest('hex')
}

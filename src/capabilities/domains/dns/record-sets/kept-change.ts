// A change of records as it is kept: each changed set before and after it, so that the change can
// be read and reverted.
import Type, { type Static } from 'typebox'
import type { App, AuditRow } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { json } from '../../../../db/statement.ts'
import { type CustomerId, newId } from '../../../../kit/random.ts'
import { compile, nullable } from '../../../../kit/schema.ts'
import { storeDnsChange, trimDnsChanges } from './change.sql.ts'
import type { SetDiff } from './plan-records.ts'
import type { RecordSet } from './record-set.ts'

const most_changes = 1_000
const most_change_octets = 52_428_800n

const content = Type.Object({ ttl: Type.Integer(), rdata: Type.Array(Type.String()) })
const keptSets = Type.Array(
  Type.Object({
    host: Type.String(),
    type: Type.Integer(),
    before: nullable(content),
    after: nullable(content),
    asked_ttl: Type.Optional(Type.Integer()),
  }),
)
const readKept = compile(keptSets)

/** The changed sets of a row of dns_changes. */
export function diffOfKept(sets: unknown): SetDiff[] {
  return readKept.parse(sets).map(({ host, type, before, after, asked_ttl }) => ({
    ...{ host, type, ...(asked_ttl !== undefined && { asked_ttl }) },
    before: setOf({ host, type }, before),
    after: setOf({ host, type }, after),
  }))
}

function setOf(
  place: { host: string; type: number },
  kept: Static<typeof content> | null,
): RecordSet | undefined {
  if (!kept) return undefined
  return { ...place, ttl: kept.ttl, rdata: kept.rdata.map((one) => Buffer.from(one, 'hex')) }
}

function keptOf(set: RecordSet | undefined) {
  return set ? { ttl: set.ttl, rdata: set.rdata.map((one) => one.toString('hex')) } : null
}

type Keeping = {
  domain_id: bigint
  customer_id: CustomerId
  serial: bigint
  diff: readonly SetDiff[]
  row: Pick<AuditRow, 'action' | 'actor_type' | 'actor_label' | 'entry_point'>
  reverts: string | null
}

/** The changed sets as a row of dns_changes keeps them. */
export function keptDiff(diff: readonly SetDiff[]) {
  return json(
    diff.map(({ host, type, before, after, asked_ttl }) => ({
      ...{ host, type, ...(asked_ttl !== undefined && { asked_ttl }) },
      before: keptOf(before),
      after: keptOf(after),
    })),
  )
}

/** Stores a change in the transaction of its effect, and returns its id. */
export async function keepChange(
  app: Pick<App, 'clock'>,
  sql: Sql,
  { diff, row, ...change }: Keeping,
): Promise<string> {
  const id = newId('dch', app.clock.now().getTime())
  const { action, actor_type, actor_label, entry_point } = row
  await sql.count(storeDnsChange, {
    ...{ id, ...change, sets: keptDiff(diff) },
    ...{ action, actor_type, actor_label, entry_point },
  })
  const { domain_id, customer_id } = change
  const most = { most: most_changes, most_octets: most_change_octets }
  await sql.count(trimDnsChanges, { domain_id, customer_id, ...most })
  return id
}

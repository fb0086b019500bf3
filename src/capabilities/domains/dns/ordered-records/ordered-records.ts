// Write-ahead of the records of a transfer in: they are checked like a change of records, stored
// right before the order, and put into the zone in the transaction that makes the holding. So the
// zone is complete before the name servers change.
import Type, { type Static } from 'typebox'
import { type App, type Call, type Caller, holdsScope } from '../../../../app.ts'
import { json } from '../../../../db/statement.ts'
import { insufficientScope } from '../../../../errors/faults.ts'
import { FieldReader } from '../../../../kit/field-reader.ts'
import { type CustomerId, type DomainName, newId, type OrderId } from '../../../../kit/random.ts'
import { requireRecordsAllowed } from '../../../limits/index.ts'
import { planRecords, type RecordPlan } from '../record-sets/plan-records.ts'
import { RecordReader } from '../record-sets/read-sets.ts'
import { diffDigest } from '../record-sets/record-presenter.ts'
import { most_sets, most_zone_octets, recordPath } from '../record-sets/record-set.ts'
import { listedWarnings, warningShape, warningsOf } from '../record-sets/warnings.ts'
import { dnsZoneFull } from '../zone-faults.ts'
import { dropOrderedRecords, storeOrderedRecords } from './ordered-records.sql.ts'

type Given = Parameters<RecordReader['set']>[0]
export type OrderedRecords = { domain: DomainName; plan: RecordPlan; digest: string }

export const orderedRecordsShape = Type.Object(
  {
    sets_total: Type.Integer({ description: 'How many sets the zone gets.' }),
    digest: Type.String({ description: 'SHA-256 of the sets, in hexadecimal.' }),
    hosted: Type.Boolean({
      description:
        'Whether the domain is here with only name servers of ours. Until then the records are ' +
        'kept with the order; they are put into the zone before its name servers change.',
    }),
    served: Type.Null({
      description:
        'Null, as no name server was asked: list_dns_records has the sets once the domain is here.',
    }),
    warnings: Type.Array(warningShape),
  },
  { title: 'OrderedDnsRecords' },
)

/** Throws insufficient_scope, because records need the same scope as a change of records. */
export function requireRecordsScope(caller: Caller): void {
  if (!('scopes' in caller) || holdsScope(caller.scopes, 'dns:write')) return
  throw insufficientScope({
    detail: 'The token lacks the scope dns:write, which "records" needs.',
    facts: { required_scope: 'dns:write' },
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="dns:write"' },
  })
}

/** Throws InvalidInput at each broken rule, dns_record_not_allowed and dns_zone_full. */
export function readOrderedRecords(
  caller: Caller,
  domain: DomainName,
  given: readonly Given[],
): OrderedRecords {
  const reader = new FieldReader()
  const records = new RecordReader(reader, domain)
  const sets = given.flatMap((one, at) => records.set(one, ['records', at]) ?? [])
  reader.finish()
  const plan = planRecords(reader, { domain, before: new Map(), edits: { sets } })
  reader.finish()
  requireRecordsAllowed(caller, plan.diff)
  if (plan.sets.size > most_sets || plan.octets > most_zone_octets)
    throw dnsZoneFull({
      detail: `A domain has at most ${most_sets} record sets of ${most_zone_octets} octets.`,
      facts: { records: 0 },
    })
  return { domain, plan, digest: diffDigest(domain, plan.diff) }
}

type Shown = {
  /** Whether the domain is here, on our name servers. */
  hosted: boolean
  /** Whether it has, or gets, only name servers of ours. */
  will_be_served: boolean
}

export function shownOrderedRecords(
  { domain, plan, digest }: OrderedRecords,
  { hosted, will_be_served }: Shown,
): Static<typeof orderedRecordsShape> {
  const zone = { domain, hosted: will_be_served, serial: 0 }
  const { diff, sets } = plan
  const planned = { zone, diff, sets, change_id: null, change: null }
  const warnings = listedWarnings(warningsOf(planned))
  return { sets_total: sets.size, digest, hosted, served: null, warnings }
}

type Placing = { order_id: OrderId; customer_id: CustomerId; records: OrderedRecords }

/** Stores the records before their order is placed, after a last check of the right to them. */
export async function keepOrderedRecords(
  app: App,
  call: Call,
  { order_id, customer_id, records: { domain, plan } }: Placing,
): Promise<void> {
  await call.assertStillAllowed({ scope: 'dns:write', records: plan.diff })
  const { actor_type, actor_label, entry_point } = call.auditRow({
    ...{ action: 'transfer_domain', target_type: 'domain', target: domain },
  })
  const sets = [...plan.sets.values()].map(({ host, type, ttl, rdata }) => ({
    ...{ path: recordPath(host, domain), host, type, ttl },
    rdata: rdata.map((one) => one.toString('hex')),
  }))
  const change_id = newId('dch', app.clock.now().getTime())
  await app.db.count(storeOrderedRecords, {
    ...{ order_id, customer_id, change_id, actor_type, actor_label, entry_point },
    sets: json(sets),
  })
}

/** Drops the records of an order that was not placed. */
export async function dropRecordsOfOrder(app: App, order_id: OrderId): Promise<void> {
  await app.db.count(dropOrderedRecords, { order_id })
}

// Confirms a change of DNS records or name servers, which would otherwise be reverted: POST
// /v1/domains/{domain}/changes/{change_id}/confirm.

import Type from 'typebox'
import type { Call } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { nullable, stringOf } from '../../../../kit/schema.ts'
import { requireRecordsAllowed } from '../../../limits/index.ts'
import { dnsChangeById } from '../../dns/record-sets/change.sql.ts'
import { diffOfKept, keptDiff } from '../../dns/record-sets/kept-change.ts'
import type { SetDiff, WantedSet } from '../../dns/record-sets/plan-records.ts'
import { isSameSet, setKey } from '../../dns/record-sets/record-set.ts'
import { changeRecords } from '../../dns/records/change-records.ts'
import type { RecordZone } from '../../dns/records/read-zone.ts'
import { answerOf, changedRecordsShape } from '../../dns/records/served.ts'
import {
  dnsChangeEnded,
  dnsChangeNotOwn,
  requireConfirmable,
} from '../../dns/unconfirmed/confirmable.ts'
import { confirmationOfChange, putChangedSets } from '../../dns/unconfirmed/confirmation.sql.ts'
import { changeStateShape, endChange, type StoredEnd } from '../../dns/unconfirmed/confirmation.ts'
import { hostOf } from '../../names.ts'
import { confirmNameservers } from '../../updates/unconfirmed/confirm-nameservers.ts'
import { domainOperation, requireHolding } from '../domain-operation.ts'
import { domainInPath } from '../paid-request.ts'
import { dnsChangeNotFound } from './dns-changes.ts'
import { changeFaults } from './record-fields.ts'

export const confirmDnsChange = domainOperation({
  name: 'confirm_dns_change',
  does: 'Confirm a change of DNS records or name servers, which would otherwise be reverted.',
  more:
    'It is for a change with revert_after, which its maker confirms, or the owner in a session. ' +
    'The records get the TTL that was asked for.',
  at: 'POST /v1/domains/{domain}/changes/{change_id}/confirm',
  scope: 'dns:write',
  takes: Type.Object({
    domain: domainInPath,
    change_id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The "id" in "change" of the answer, or in "unconfirmed_changes".',
    }),
  }),
  gives: Type.Object(
    {
      domain: stringOf<DomainName>(),
      change: changeStateShape,
      records: nullable(changedRecordsShape),
    },
    { title: 'ConfirmedDnsChangeResponse' },
  ),
  fails: [...changeFaults, dnsChangeNotFound, dnsChangeEnded, dnsChangeNotOwn],
  tools: [
    {
      group: 'name servers and DNS',
      title: 'Confirm a DNS change',
      examples: [{ domain: 'my-agent.com', change_id: 'dch_01j9zk3v8m2q4r6t8w0y2b4d6f' }],
      destructive: false,
      idempotent: true,
    },
  ],
  async run(input, call, app) {
    const holding = await requireHolding(call, hostOf(input.domain), 'configure_dns_record')
    const { id: domain_id, customer_id } = holding
    if (input.change_id.startsWith('nsc_')) {
      const change = await confirmNameservers(app, call, { holding, change_id: input.change_id })
      if (!change) throw dnsChangeNotFound()
      return { domain: holding.name, change, records: null }
    }
    const kept = await call.sql.maybe(dnsChangeById, {
      ...{ id: input.change_id, domain_id, customer_id },
    })
    if (!kept) throw dnsChangeNotFound()
    const confirmation = await call.sql.maybe(confirmationOfChange, { change_id: kept.id })
    requireConfirmable(confirmation, call)
    requireRecordsAllowed(call.caller, diffOfKept(kept.sets))
    const changed = await changeRecords(app, call, {
      ...{ holding, input, action: 'confirm_dns_change' },
      edits: (zone) => ({ sets: askedTtls(zone, diffOfKept(kept.sets)) }),
      ends: {
        ...{ approved: true, as_stored: true },
        store: (sql) => confirm(sql, { call, id: kept.id }),
      },
    })
    const { reverts_at } = confirmation
    const state = { id: kept.id, state: 'confirmed', reverts_at: reverts_at.toISOString() } as const
    return {
      ...{ domain: holding.name, change: state },
      records: await answerOf(app, { ...changed, change: state }),
    }
  },
})

/** The sets that are still as the change left them, with the TTL that it asked for. */
function askedTtls(zone: RecordZone, changed: readonly SetDiff[]): WantedSet[] {
  return changed.flatMap((one) => {
    const now = zone.sets.get(setKey(one))
    if (one.asked_ttl === undefined || !now || !isSameSet(now, one.after)) return []
    return [{ ...now, ttl: one.asked_ttl, loc: ['change_id'] }]
  })
}

type Confirming = { call: Call; id: string }

/** Runs under the lock of the holding, so that a change is confirmed or reverted, never both. */
async function confirm(sql: Sql, { call, id }: Confirming): Promise<StoredEnd | null> {
  const confirmation = await sql.maybe(confirmationOfChange, { change_id: id })
  requireConfirmable(confirmation, call)
  if (confirmation.state === 'confirmed') return null
  const sets = diffOfKept(confirmation.sets).map(({ asked_ttl, after, ...one }) => ({
    ...one,
    after: after && { ...after, ttl: asked_ttl ?? after.ttl },
  }))
  await sql.count(putChangedSets, { change_id: id, sets: keptDiff(sets) })
  return endChange(sql, { id, state: 'confirmed', from: ['unconfirmed', 'kept'] })
}

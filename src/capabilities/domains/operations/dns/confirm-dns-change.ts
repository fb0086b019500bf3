// Confirms a change of DNS records, which would go back by itself: POST
// /v1/domains/{domain}/changes/{change_id}/confirm.
import Type from 'typebox'
import type { Call, Caller } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { fault } from '../../../../kit/fault.ts'
import { nullable, oneOf } from '../../../../kit/schema.ts'
import { requireRecordsAllowed } from '../../../limits/index.ts'
import { dnsChangeById } from '../../dns/records/change.sql.ts'
import { changeRecords } from '../../dns/records/change-records.ts'
import { diffOfKept, keptDiff } from '../../dns/records/kept-change.ts'
import type { SetDiff, WantedSet } from '../../dns/records/plan-records.ts'
import type { RecordZone } from '../../dns/records/read-zone.ts'
import { isSameSet, setKey } from '../../dns/records/record-set.ts'
import { answerOf, changedRecordsShape } from '../../dns/records/served.ts'
import { confirmationOfChange, putChangedSets } from '../../dns/unconfirmed/confirmation.sql.ts'
import { changeStateShape, endChange, type StoredEnd } from '../../dns/unconfirmed/confirmation.ts'
import type { Confirmation } from '../../dns/unconfirmed/maker.ts'
import { hostOf } from '../../names.ts'
import { domainOperation, requireHolding } from '../domain-operation.ts'
import { domainInPath } from '../paid-request.ts'
import { dnsChangeNotFound } from './dns-changes.ts'
import { changeFaults } from './record-fields.ts'

const dnsChangeEnded = fault('dns_change_ended', 'conflict', {
  sentence: 'The change does not wait for a confirmation.',
  hint: 'Read the changes of the domain: it has gone back, or it was made without revert_after.',
  facts: { state: oneOf(['permanent', 'reverted'], { description: 'Of the change.' }) },
})
const dnsChangeNotOwn = fault('dns_change_not_own', 'forbidden', {
  sentence: 'Only the maker of the change, or the owner in a session, can confirm it.',
  hint: 'Ask the owner to confirm it on the page of the domain.',
})

export const confirmDnsChange = domainOperation({
  name: 'confirm_dns_change',
  does: 'Confirm a change of DNS records that would go back by itself.',
  more:
    'For a change that was made with revert_after: by its maker, or by the owner in a session. ' +
    'The sets get the TTL that was asked for.',
  at: 'POST /v1/domains/{domain}/changes/{change_id}/confirm',
  scope: 'dns:write',
  takes: Type.Object({
    domain: domainInPath,
    change_id: Type.String({ minLength: 1, maxLength: 64, description: 'Of list_dns_changes.' }),
  }),
  gives: Type.Object(
    {
      domain: Type.String(),
      change: changeStateShape,
      records: nullable(changedRecordsShape),
    },
    { title: 'ConfirmedDnsChangeResponse' },
  ),
  fails: [...changeFaults, dnsChangeNotFound, dnsChangeEnded, dnsChangeNotOwn],
  tools: [
    {
      group: 'name servers and DNS',
      title: 'Confirm a change of DNS records',
      examples: [{ domain: 'my-agent.com', change_id: 'dch_01j9zk3v8m2q4r6t8w0y2b4d6f' }],
      destructive: false,
      idempotent: true,
    },
  ],
  async run(input, call, app) {
    const holding = await requireHolding(call, hostOf(input.domain), 'configure_dns_record')
    const { id: domain_id, customer_id } = holding
    const kept = await call.sql.maybe(dnsChangeById, {
      ...{ id: input.change_id, domain_id, customer_id },
    })
    if (!kept) throw dnsChangeNotFound()
    const confirmation = await call.sql.maybe(confirmationOfChange, { change_id: kept.id })
    requireOpen(confirmation, call)
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

/** The sets that are as the change left them, with the TTL that it asked for. */
function askedTtls(zone: RecordZone, changed: readonly SetDiff[]): WantedSet[] {
  return changed.flatMap((one) => {
    const now = zone.sets.get(setKey(one))
    if (one.asked_ttl === undefined || !now || !isSameSet(now, one.after)) return []
    return [{ ...now, ttl: one.asked_ttl, loc: ['change_id'] }]
  })
}

type Confirming = { call: Call; id: string }

/** Under the lock of the holding, so that it is confirmed or goes back, never both. */
async function confirm(sql: Sql, { call, id }: Confirming): Promise<StoredEnd | null> {
  const confirmation = await sql.maybe(confirmationOfChange, { change_id: id })
  requireOpen(confirmation, call)
  if (confirmation.state === 'confirmed') return null
  const sets = diffOfKept(confirmation.sets).map(({ asked_ttl, after, ...one }) => ({
    ...one,
    after: after && { ...after, ttl: asked_ttl ?? after.ttl },
  }))
  await sql.count(putChangedSets, { change_id: id, sets: keptDiff(sets) })
  return endChange(sql, { id, state: 'confirmed', from: ['unconfirmed', 'kept'] })
}

/**
 * Throws dnsChangeEnded for one that has gone back, and dnsChangeNotOwn for a key or an app that
 * did not make it, or where the owner decides: one that was kept, or of a domain that the owner has
 * protected since.
 */
function requireOpen(
  confirmation: Confirmation | undefined,
  { caller }: Pick<Call, 'caller'>,
): asserts confirmation is Confirmation {
  if (!confirmation) throw dnsChangeEnded({ facts: { state: 'permanent' } })
  const { state, protected_since } = confirmation
  if (!isMaker(caller, confirmation)) throw dnsChangeNotOwn()
  if (state === 'reverted') throw dnsChangeEnded({ facts: { state } })
  if (caller.kind !== 'customer' && state !== 'confirmed' && (state === 'kept' || protected_since))
    throw dnsChangeNotOwn({ detail: 'The owner decides whether this change stays.' })
}

/** The owner in person may do what any maker may. */
function isMaker(caller: Caller, { api_key_id, oauth_grant_id }: Confirmation): boolean {
  return (
    caller.kind === 'customer' ||
    (caller.kind === 'api_key' && caller.key_id === api_key_id) ||
    (caller.kind === 'oauth_client' && caller.grant_id === oauth_grant_id)
  )
}

// Signed DNS messages of customers' programs (decision 107): updates, which are changes of records
// like any other, and zone transfers.

import type { SignedMessages, SignedUpdate } from '../../../../adapters/dns/port.ts'
import { rcodes } from '../../../../adapters/dns/rcodes.ts'
import type { App, Call } from '../../../../app.ts'
import { tsigAlgorithms } from '../../../../dns/message/tsig.ts'
import { Fault, InvalidInput } from '../../../../kit/fault.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { wordOf } from '../../../../kit/schema.ts'
import type { Limits, Policy } from '../../../../rate-limits/leased-quotas.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { type RecordSet, setKey } from '../record-sets/record-set.ts'
import { changeRecords } from '../records/change-records.ts'
import { managedSets } from '../records/managed-sets.ts'
import { tsigKeyId } from '../tsig-keys/tsig-key.ts'
import { askedSets } from '../unconfirmed/confirmation.ts'
import { pushZone } from '../zone-push.ts'
import { planUpdate } from './plan-update.ts'
import { requirePrerequisites } from './prerequisites.ts'
import {
  type ActiveTsigKey,
  activeTsigKey,
  claimRequest,
  earlierAnswer,
  isZoneHere,
  keepAnswer,
} from './signed-requests.sql.ts'
import { callOfUpdate } from './update-call.ts'
import { rcodeOf, requireReadable, UpdateRefused } from './update-message.ts'
import { zoneFor } from './zone-transfer.ts'

/** The operation that an update counts as, with the same audit row and event. */
const action = 'change_dns_records'
const push_wait_ms = 2_000
/**
 * Twice the longest fudge, because a signature may be from the future, plus a minute for clocks.
 */
const remembered_ms = 660_000

/** `account` is the quota of requests by all keys and apps of an account. */
type Quotas = { limits: Limits; account: Policy }

export function openSignedMessages(app: App, { limits, account }: Quotas): SignedMessages {
  const own = { name: 'dns-messages', quota: app.settings.requests_per_minute, window_s: 60 }
  const hasQuota = async ({ id, customer_id }: ActiveTsigKey): Promise<boolean> => {
    const { allowed } = await limits.take(own, `tsig:${id}`, 1)
    return allowed && (await limits.take(account, `account:${customer_id}`, 1)).allowed
  }
  const find = (name: string) => app.db.maybe(activeTsigKey, { id: tsigKeyId(name) })
  return {
    now: () => app.clock.now(),
    async key(name) {
      const key = await find(name)
      const secret = key && app.encryption.unseal(key.sealed_secret)
      if (!key || secret === undefined) return undefined
      const algorithm = wordOf(tsigAlgorithms, key.algorithm)
      return { name, algorithm, secret: Buffer.from(secret, 'base64') }
    },
    async update(update) {
      const key = await find(update.key)
      if (!key) return rcodes.refused
      if (await hasQuota(key)) return updateOnce(app, { key, update })
      // A request that is sent again because its answer was lost was not refused.
      return (await earlier(app, { key, update })) ?? rcodes.refused
    },
    async transfer(asked) {
      const key = await find(asked.key)
      const isNew = key && (await hasQuota(key)) && (await claim(app, key, asked))
      return isNew ? zoneFor(app, { ...asked, key }) : { rcode: rcodes.refused }
    },
  }
}

/** Returns false if the same signed request came before, to this node or another. */
async function claim(app: App, key: ActiveTsigKey, { mac }: { mac: Buffer }): Promise<boolean> {
  const expires_at = new Date(app.clock.now().getTime() + remembered_ms)
  return (await app.db.count(claimRequest, { tsig_key_id: key.id, mac, expires_at })) === 1
}

type Asked = { key: ActiveTsigKey; update: SignedUpdate }

/** The same signed request gets the same answer, on every node, and is carried out once. */
async function updateOnce(app: App, { key, update }: Asked): Promise<number | null> {
  const request = { tsig_key_id: key.id, mac: update.mac }
  if (!(await claim(app, key, update))) return earlier(app, { key, update })
  try {
    await carryOut(app, { key, update })
    return rcodes.noerror
  } catch (error) {
    const rcode = rcodeOf(error)
    if (rcode === rcodes.servfail) app.log.error({ err: error }, 'a DNS update failed')
    // If the end of its transaction is unknown, the answer that it stored is the true one.
    return (await app.db.one(keepAnswer, { ...request, rcode })).rcode
  }
}

/** The earlier answer, or null if there is none, or if it is not known yet. */
async function earlier(app: App, { key, update: { mac } }: Asked): Promise<number | null> {
  return (await app.db.maybe(earlierAnswer, { tsig_key_id: key.id, mac }))?.rcode ?? null
}

async function carryOut(app: App, { key, update }: Asked): Promise<void> {
  const { domain } = key
  const { address, transport } = update
  const call = await callOfUpdate(app, action, { key, address, transport, scope: 'dns:write' })
  try {
    await change(app, call, { key, update })
  } catch (error) {
    await auditRefusal(app, call, { error, domain })
    throw error
  }
}

async function requireOwnZone(app: App, { key, update }: Asked): Promise<void> {
  if (update.zone === key.domain) return
  const { is_here } = await app.db.one(isZoneHere, { name: update.zone })
  throw new UpdateRefused(is_here ? 'refused' : 'notauth', 'dns_zone_of_no_key')
}

async function change(app: App, call: Call, { key, update }: Asked): Promise<void> {
  const { customer_id, domain: name, dns_hosts: hosts, dns_types: types } = key
  const answered = { tsig_key_id: key.id, mac: update.mac, rcode: rcodes.noerror }
  await requireOwnZone(app, { key, update })
  await call.assertStillAllowed()
  const holding = await app.db.maybe(holdingByName, { customer_id, name })
  if (!holding) throw new UpdateRefused('notauth', 'domain_not_found')
  const { prerequisites, updates } = update
  requireReadable([...prerequisites, ...updates])
  const { zone } = await changeRecords(app, call, {
    ...{ holding, action, input: {} },
    by_key: { limit: { hosts, types, in_person: key.made_by === 'owner' } },
    edits: (before) => {
      const managed = managedSets(app, before, holding.nameservers)
      const sets = withManaged(before.sets, managed)
      requirePrerequisites(prerequisites, { domain: name, sets })
      const asked = askedSets(before.sets, before.open)
      return { sets: planUpdate(updates, { domain: name, sets: asked, managed }) }
    },
    within: async (sql) => void (await sql.one(keepAnswer, answered)),
  })
  // The change is stored; the job repeats a push that fails.
  if (zone.hosted) await pushZone(app, name, push_wait_ms)
}

function withManaged(sets: ReadonlyMap<string, RecordSet>, managed: readonly RecordSet[]) {
  return new Map([...sets, ...managed.map((one) => [setKey(one), one] as const)])
}

type Refusal = { error: unknown; domain: DomainName }

/** Audits it like a refused call over HTTP: denied if the right is missing, failed otherwise. */
async function auditRefusal(app: App, call: Call, { error, domain }: Refusal): Promise<void> {
  const code = codeOf(error)
  if (code === null) return
  const isDenied = error instanceof Fault ? error.status === 403 : denied.has(code)
  const row = call.auditRow({
    ...{ target_type: 'domain', target: domain },
    ...{ result: isDenied ? 'denied' : 'failed', error_code: code },
  })
  await storeAuditRow(app.db, row)
}

const denied = new Set(['tsig_key_ended', 'domain_protected'])

function codeOf(error: unknown): string | null {
  if (error instanceof UpdateRefused) return error.code
  if (error instanceof Fault) return error.type.code
  return error instanceof InvalidInput ? 'validation_error' : null
}

// The zone that a transfer returns (RFC 5936) to a key that may change all of it.
import type { SignedMessage, ZoneContent } from '../../../../adapters/dns/port.ts'
import { rcodes } from '../../../../adapters/dns/rcodes.ts'
import type { App } from '../../../../app.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { wholeName } from '../record-sets/record-set.ts'
import { readRecordZone } from '../records/read-zone.ts'
import { lockZoneHolding } from '../zones.sql.ts'
import { ownNameservers } from '../zones.ts'
import type { ActiveTsigKey } from './signed-requests.sql.ts'
import { callOfUpdate } from './update-call.ts'
import { rcodeOf, UpdateRefused } from './update-message.ts'

type Asked = Omit<SignedMessage, 'key'> & { key: ActiveTsigKey }

/**
 * Refuses a key with a limit of DNS records, and one whose maker has a limit or may not read it.
 */
export async function zoneFor(app: App, asked: Asked): Promise<ZoneContent | { rcode: number }> {
  try {
    await requireRight(app, asked)
    return await contentOf(app, asked.key)
  } catch (error) {
    const rcode = rcodeOf(error)
    if (rcode === rcodes.servfail) app.log.error({ err: error }, 'a zone transfer failed')
    return { rcode }
  }
}

async function requireRight(app: App, { zone, ...asked }: Asked): Promise<void> {
  const { key } = asked
  if (zone !== key.domain) throw new UpdateRefused('refused', 'dns_zone_of_no_key')
  const call = await callOfUpdate(app, 'export_dns_zone', { ...asked, scope: 'domains:read' })
  await call.assertStillAllowed()
  const limits = 'limits' in call.caller ? call.caller.limits?.dns : undefined
  if (key.dns_hosts !== null || key.dns_types !== null || (limits ?? []).length > 0)
    throw new UpdateRefused('refused', 'dns_record_not_allowed')
}

/** Reads under the lock of the holding, so that the serial is that of these records. */
function contentOf(app: App, { customer_id, domain: name }: ActiveTsigKey): Promise<ZoneContent> {
  return app.db.transaction(async (sql) => {
    const holding = await sql.maybe(holdingByName, { customer_id, name })
    const id = holding?.id
    const isHeld = id !== undefined && (await sql.maybe(lockZoneHolding, { id, customer_id }))
    if (!holding || !isHeld) throw new UpdateRefused('notauth', 'domain_not_found')
    const { serial, hosted, sets } = await readRecordZone(sql, holding)
    if (!hosted) throw new UpdateRefused('notauth', 'dns_not_hosted')
    const nameservers = ownNameservers(app).filter((one) => holding.nameservers.includes(one))
    const named = [...sets.values()].map(({ host, type, ttl, rdata }) => ({
      ...{ name: wholeName(host, name), type, ttl, rdata },
    }))
    return { name, serial, nameservers, sets: named }
  })
}

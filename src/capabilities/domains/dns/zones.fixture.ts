// Test fixture: holdings as purchases make them, and a DNS provider that keeps what is pushed to
// it.
import { testDatabase } from '../../../../test/support/database.ts'
import { appOver } from '../../../../test/support/test-pipeline.ts'
import type { Dns, DnsProvider, Pushed, ZoneContent } from '../../../adapters/dns/port.ts'
import type { App } from '../../../app.ts'
import { openZones, pathOf } from './zones.ts'

export const zonesDb = await testDatabase()
export const own = ['ns1.ours.net', 'ns2.ours.net', 'ns3.ours.net']
export const ada = `cus_${'0'.repeat(25)}a`
export const bob = `cus_${'0'.repeat(25)}b`
export const settings = { DEFAULT_NAMESERVERS: own.join() }

/** A provider that keeps the zones pushed to it, and fails on demand. */
export class Kept implements DnsProvider {
  readonly zones = new Map<string, ZoneContent>()
  readonly calls: string[] = []
  failure: Pushed | null = null
  /** Runs while a zone is being pushed. */
  meanwhile: () => Promise<unknown> = async () => undefined
  readonly id: string
  constructor(id = 'kept') {
    this.id = id
  }

  async put(zone: ZoneContent): Promise<Pushed> {
    this.calls.push(`put ${zone.name}`)
    await this.meanwhile()
    if (!this.failure) this.zones.set(zone.name, zone)
    return this.failure ?? { kind: 'done' }
  }
  async drop(name: string): Promise<Pushed> {
    this.calls.push(`drop ${name}`)
    await this.meanwhile()
    if (!this.failure) this.zones.delete(name)
    return this.failure ?? { kind: 'done' }
  }
}

const silent = { ask: async () => null, askSet: async () => null }
const nowhere = { place: { host: '127.0.0.1', port: 0 }, ...silent }
export const dnsOf = (provider: DnsProvider | null): Dns => {
  return { ...nowhere, provider, close: async () => undefined }
}
type Given = { name: string; nameservers?: string[]; customer?: string }

/** A holding as a purchase makes it; returns its id. */
export async function hold({ name, nameservers = own.slice(0, 2), customer = ada }: Given) {
  const [row] = await zonesDb.query(
    `insert into domains (name, customer_id, order_id, registry, expiry, registry_expiry,
                          nameservers, period_years, epp_statuses, rgp_statuses, contacts,
                          registered_at)
     values ($1, $2, 'ord', 'thin', now(), now(), $3, 1, '{}', '{}', '{}', now())
     returning id`,
    [name, customer, nameservers],
  )
  return row?.id
}
export const end = (name: string) =>
  zonesDb.query(
    `update domains set ended_at = now(), end_reason = 'dropped'
      where name = $1 and ended_at is null`,
    [name],
  )
export const move = (name: string, nameservers: string[]) =>
  zonesDb.query('update domains set nameservers = $2 where name = $1', [name, nameservers])
export const record = (id: unknown, name: string, value: string) =>
  zonesDb.query(
    `insert into dns_record_sets (domain_id, path, type, host, ttl, rdata)
     values ($1, $2, 1, 'x', 60, array[dns_ipv4_octets($3)])`,
    [id, pathOf(name), value],
  )
export const zoneOf = async (name: string) =>
  (await zonesDb.query('select * from zones where name = $1', [name]))[0]
export const pushTaskOf = async (name: string) =>
  (await zonesDb.query(`select * from tasks where kind = 'push_zone' and key = $1`, [name]))[0]
export const due = () =>
  zonesDb.query("update tasks set run_at = now() - interval '1 second' where kind = 'push_zone'")

/** An app whose zones are pushed to the provider, over an empty database. */
export async function startEmpty(provider: DnsProvider | null): Promise<App> {
  await clear()
  await zonesDb.query(
    `insert into customers (id, email, name, created_at, updated_at)
     select id, id || '@example.net', 'Ada', now(), now() from unnest($1::text[]) id
     on conflict do nothing`,
    [[ada, bob]],
  )
  const app = appOver(zonesDb, { settings, app: { dns: dnsOf(provider) } })
  await openZones(app)
  return app
}
export const clear = () => zonesDb.query('truncate tasks, zones, domains cascade')

// Changes of name servers that go back by themselves, with a service whose jobs run on demand.
import assert from 'node:assert/strict'
import { must } from '../../../../../test/contract/support/fixture.ts'
import { type Actor, actorOf } from '../../../../../test/security/rights/actors.ts'
import { startService } from '../../../../../test/support/service.ts'
import { attempt } from '../../../../adapters/registry/fixtures/sandbox.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { registryOf } from '../../names.ts'
import { revertUnconfirmedNameservers } from './revert-nameservers.job.ts'

export const registrar = await lifecycleService(await startService({ worker: false }))
const { request, sandbox, query } = registrar
export const old = ['ns1.old.net', 'ns2.old.net']
export const fresh = ['ns1.new.org', 'ns2.new.org']
export const yet = ['ns1.yet.org', 'ns2.yet.org']
export const maker = await actorOf(registrar, 'api_key')
let bought = 0

export async function held(by: Actor, tld = 'com'): Promise<string> {
  bought += 1
  const domain = `right-ns-${bought}.${tld}`
  const body = { domain, nameservers: old }
  await must(request('POST', '/v1/domains', { token: by.owner.key, body }))
  return domain
}

export const at = (domain: string, path = '') => `/v1/domains/${domain}${path}`
export const shown = (domain: string) => sandbox.lookup(domain)?.nameservers.toSorted()
export const change = (by: { token: string }, domain: string, body: object) =>
  request('PATCH', at(domain), { token: by.token, body })
export const confirm = (token: string, domain: string, id: string) =>
  request('POST', at(domain, `/changes/${id}/confirm`), { token, body: {} })

export async function armed(by: Actor, domain: string): Promise<string> {
  const { body } = await must(change(by, domain, { nameservers: fresh, revert_after: 'PT10M' }))
  assert.equal(body.change.state, 'unconfirmed')
  assert.deepEqual(shown(domain), fresh)
  return body.change.id
}

export async function fallDue(id: string): Promise<void> {
  await query(
    `update tasks set run_at = clock_timestamp() where kind = 'revert_nameservers' and key = $1`,
    [id],
  )
  await registrar.run(revertUnconfirmedNameservers)
}

export async function endOf(id: string): Promise<unknown> {
  const text = `select concat_ws(' ', state, kept_because) as "end" from nameserver_confirmations
                 where change_id = $1`
  return (await query(text, [id]))[0]?.end
}

export const open = async (by: Actor, domain: string) =>
  (await must(request('GET', at(domain, '/records'), { token: by.token }))).body.unconfirmed_changes

export const updates = () =>
  Object.values(sandbox.counters())
    .map(({ commands }) => commands['domain:update']?.received ?? 0)
    .reduce((one, other) => one + other)

export async function mails({ owner }: Actor, id: string): Promise<number> {
  const all = await registrar.emails(owner)
  return all.filter(({ kind, body }) => kind === 'dns_change_kept' && body.includes(id)).length
}

/** A command that was lost on its way. */
export async function arrives(
  domain: string,
  nameservers: { add: string[]; remove: string[] },
): Promise<void> {
  const registry = registryOf(registrar.app, domain) ?? assert.fail(domain)
  assert.equal((await registry.ensureHosts(nameservers.add, attempt(), {})).kind, 'done')
  assert.equal((await registry.update({ domain, nameservers }, attempt())).kind, 'done')
}

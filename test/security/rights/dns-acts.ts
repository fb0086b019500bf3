// The operations that change DNS records of a domain: each waits for the row of its holding.
import assert from 'node:assert/strict'
import { rowsIn } from '../../support/owner-sql.ts'
import type { Answer } from '../../support/service.ts'
import type { Setting, StoredAct } from './acts.ts'

type Given = { body?: object; headers?: Record<string, string> }

async function asOwner(setting: Setting, at: string, body?: object): Promise<Answer> {
  const { registrar, actor } = setting
  const [method = '', path = ''] = at.split(' ')
  const options = { token: actor.owner.key, ...(body && { body }) }
  const answer = await registrar.request(method, path, options)
  assert.equal(answer.status, 200, answer.text)
  return answer
}

type Made = { change: string; etag: string; unconfirmed: string }
const made: Map<string, Made> = new Map()

/** A domain with one set; the change that made it, and the ETag of its zone. */
async function withRecords(setting: Setting): Promise<string> {
  const { domain } = setting
  await asOwner(setting, 'POST /v1/domains', { domain })
  const set = { values: ['192.0.2.1'] }
  const { body } = await asOwner(setting, `PUT /v1/domains/${domain}/records/www/A`, set)
  const { headers } = await asOwner(setting, `GET /v1/domains/${domain}/records`)
  const etag = headers.get('etag') ?? ''
  made.set(domain, { change: body.change_id, etag, unconfirmed: '' })
  return domain
}

/** Its maker has made another change, which goes back unless it is confirmed. */
async function withUnconfirmed(setting: Setting): Promise<string> {
  const domain = await withRecords(setting)
  const { registrar, actor } = setting
  const changed = await registrar.request('PUT', `/v1/domains/${domain}/records/wait/A`, {
    token: actor.token,
    body: { values: ['192.0.2.1'], revert_after: 'PT10M' },
  })
  assert.equal(changed.status, 200, changed.text)
  const known = made.get(domain) ?? assert.fail(domain)
  made.set(domain, { ...known, unconfirmed: changed.body.change_id })
  return domain
}

type Asked = { at: string; given?: (of: Made) => Given; prepare?: StoredAct['prepare'] }

/** `at`: its path below the domain's. */
function dnsAct(operation: string, { at, given, prepare = withRecords }: Asked): StoredAct {
  const [method = '', path = ''] = at.split(' ')
  return {
    operation,
    by: ['session', 'api_key', 'app'],
    locks: 'select from domains where name = $2 and customer_id = $1 for update',
    prepare,
    send: ({ registrar, actor: { token }, domain }) => {
      const of = made.get(domain) ?? { change: '', etag: '', unconfirmed: '' }
      const { change, unconfirmed } = of
      const below = path.replace('{change}', change).replace('{unconfirmed}', unconfirmed)
      const full = `/v1/domains/${domain}${below}`
      return registrar.request(method, full, { token, ...given?.(of) })
    },
    state: ({ registrar, domain }) =>
      rowsIn(registrar)(
        `select s.host, s.type, s.ttl, s.rdata from dns_record_sets s
           join domains d on d.id = s.domain_id where d.name = $1 order by s.path, s.type`,
        [domain],
      ),
  }
}

const sets = [{ host: 'thief', type: 'A', values: ['192.0.2.66'] }]

/** Name servers that do not serve the domain: the change is stored, and waits. */
const waiting: StoredAct = {
  ...dnsAct('update_domain', {
    at: 'PATCH ',
    given: () => ({
      body: { nameservers: ['ns1.thief.example', 'ns2.thief.example'], require_served: true },
    }),
  }),
  state: ({ registrar, domain }) =>
    rowsIn(registrar)(
      `select w.nameservers from waiting_nameservers w join domains d on d.id = w.domain_id
        where d.name = $1`,
      [domain],
    ),
}

export const dnsActs: readonly StoredAct[] = [
  waiting,
  dnsAct('put_record_set', {
    at: 'PUT /records/thief/A',
    given: () => ({ body: { values: ['192.0.2.66'] } }),
  }),
  dnsAct('delete_record_set', { at: 'DELETE /records/www/A' }),
  dnsAct('change_dns_records', { at: 'PATCH /records', given: () => ({ body: { sets } }) }),
  dnsAct('replace_dns_records', {
    at: 'PUT /records',
    given: ({ etag }) => ({ body: { sets }, headers: { 'if-match': etag } }),
  }),
  dnsAct('confirm_dns_change', {
    at: 'POST /changes/{unconfirmed}/confirm',
    given: () => ({ body: {} }),
    prepare: withUnconfirmed,
  }),
  dnsAct('revert_dns_change', {
    at: 'POST /changes/{change}/revert',
    given: () => ({ body: { prune: true } }),
  }),
  dnsAct('apply_dns_template', {
    at: 'POST /records/apply-template',
    given: () => ({ body: { template: 'no-mail' } }),
  }),
  dnsAct('import_dns_zone', {
    at: 'POST /zonefile',
    given: () => ({ body: { zonefile: 'thief A 192.0.2.66' } }),
  }),
]

// Every operation on a name that is only ordered yet: the buyer knows of it, so the answer
// is 409 with "wait_and_retry", never 404.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '../../../../app.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'
import { operations } from '../../index.ts'

const registrar = await lifecycleService()

/** Bodies of those that need one. */
const bodies: Record<string, object> = {
  update_domain: { nameservers: ['ns1.example.net', 'ns2.example.net'] },
  configure_dns_record: { record_value: '192.0.2.1' },
  put_record_set: { values: ['192.0.2.1'] },
  change_dns_records: { sets: [] },
  replace_dns_records: { sets: [] },
  import_dns_zone: { zonefile: 'www A 192.0.2.1' },
  apply_dns_template: { template: 'no-mail' },
}
const reads = ['get_domain', 'check_one_domain']
const changes = operations.filter(
  ({ path, name, who }) =>
    path.startsWith('/v1/domains/{domain}') && !reads.includes(name) && !who.in_person,
)

/** A registration whose answer was lost, and a transfer that the other registrar may answer. */
const pending = {
  pending: async (token: string) => {
    const domain = 'still-pending.com'
    registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain })
    return registrar.request('POST', '/v1/domains', { token, body: { domain } })
  },
  transfer_pending: async (token: string) => {
    registrar.sandbox.settings.sixty_day_rule = false
    const body = { domain: 'old-harbour.net', auth_code: 'Seeded-2Move' }
    return registrar.request('POST', '/v1/domains/transfer', { token, body })
  },
}

for (const [status, order] of Object.entries(pending))
  test(`of a domain that is ${status}`, async () => {
    assert.ok(changes.length >= 11, String(changes.length))
    const buyer = await registrar.customer({ scopes: [...scopes] })
    const other = await registrar.customer({ scopes: [...scopes] })
    const ordered = await order(buyer.key)
    assert.equal(ordered.body.status, status, ordered.text)
    const { domain } = ordered.body
    for (const { name, method, path } of changes) {
      // It is canceled, and its records are scanned, before it is here.
      const early = ['cancel_transfer', 'scan_dns_zone']
      if (early.includes(name) && status === 'transfer_pending') continue
      const filled = path
        .replace('{host}', 'www')
        .replace('{type}', 'A')
        .replace('{tsig_key_id}', `tsk_${'0'.repeat(26)}`)
      const [at, body] = [filled.replace('{domain}', domain), bodies[name] ?? {}]
      const sent = ['GET', 'DELETE'].includes(method) ? {} : { body }
      const answer = await registrar.request(method, at, { token: buyer.key, ...sent })
      assert.equal(answer.status, 409, `${name}: ${answer.text}`)
      assert.equal(answer.body.next_action.type, 'wait_and_retry', `${name}: ${answer.text}`)
      assert.equal(answer.body.retryable, true, name)
      assert.equal(answer.body.operation.id, ordered.body.operation.id, name)
      const strange = await registrar.request(method, at, { token: other.key, ...sent })
      assert.equal(strange.status, 404, `${name}: ${strange.text}`)
    }
    const body = { auto_renew: true }
    const renewing = await registrar.request('PATCH', `/v1/domains/${domain}`, {
      token: buyer.key,
      body,
    })
    assert.equal(renewing.body.next_action.type, 'wait_and_retry', renewing.text)
  })

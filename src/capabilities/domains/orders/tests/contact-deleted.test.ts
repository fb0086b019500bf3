// A contact that is deleted while an order is to use it: whichever comes second is refused.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { queuedForRows } from '../../../../../test/support/database.ts'
import { sellElsewhere, soldCode } from '../../../../../test/support/other-registrar.ts'
import { someContact, type TestCustomer } from '../../../../../test/support/service.ts'
import { lifecycleService } from '../../holdings/lifecycle.fixture.ts'

const registrar = await lifecycleService()
const { sandbox } = registrar
after(() => sandbox.clearFaults())

const remove = ({ id, key }: TestCustomer, contact: number | null) =>
  registrar.request('DELETE', `/v1/customers/${id}/contacts/${contact}`, { token: key })
const asks: Record<string, (domain: string) => { path: string; body: object }> = {
  register: (domain) => ({ path: '/v1/domains', body: { domain } }),
  transfer: (domain) => ({ path: '/v1/domains/transfer', body: { domain, auth_code: soldCode } }),
}

for (const [kind, asking] of Object.entries(asks))
  test(`${kind} whose contact is deleted before it is placed is refused, and free`, async () => {
    const buyer = await registrar.customer()
    const domain = `no-contact-${kind}.com`
    if (kind === 'transfer') await sellElsewhere(registrar, domain)
    const { path, body } = asking(domain)
    const buy = () => registrar.request('POST', path, { token: buyer.key, body })
    sandbox.setFault({ name: 'slow', command: 'domain:check', domain, times: 1, delay_ms: 60_000 })
    const slow = buy()
    while (sandbox.faults().length > 0) await sleep(5)
    assert.equal((await remove(buyer, buyer.contact_id)).status, 204)
    sandbox.releaseDelayed()
    const { status, body: refusal, text } = await slow
    assert.equal(status, 409, text)
    assert.equal(refusal.code, 'contact_deleted')
    assert.equal(refusal.retryable, true)
    assert.equal(await registrar.balance(buyer), '1000.00 0.00')
    assert.deepEqual(await registrar.query('select id from orders where domain = $1', [domain]), [])
    // The same again goes by the contacts that are left.
    assert.equal((await buy()).body.code, 'registrant_required')
  })

for (const { first, statuses } of [
  { first: 'purchase', statuses: ['200 ', '409 contact_in_use'] },
  { first: 'deletion', statuses: ['409 contact_deleted', '204 '] },
])
  test(`registering and deleting at once, the ${first} first: the other is refused`, async () => {
    const buyer = await registrar.customer()
    const { default_registrant: _, ...rest } = someContact
    const plain = { ...rest, default_admin: false, default_technical: false }
    const made = await registrar.request('POST', `/v1/customers/${buyer.id}/contacts`, {
      token: buyer.key,
      body: { ...plain, default_billing: false },
    })
    const { id } = made.body
    const body = { domain: `at-once-${first}.com`, contacts: { registrant: id } }
    const purchase = () => registrar.request('POST', '/v1/domains', { token: buyer.key, body })
    const lock = {
      url: registrar.service.settings.database_url ?? '',
      query: 'select from contacts where id = $1 for update',
      params: [id],
    }
    const deletion = () => remove(buyer, id)
    const begun = first === 'purchase' ? [purchase, deletion] : [deletion, purchase]
    const answers = await queuedForRows(lock, begun)
    if (first === 'deletion') answers.reverse()
    assert.deepEqual(
      answers.map(({ status, body }) => `${status} ${body?.code ?? ''}`),
      statuses,
    )
  })

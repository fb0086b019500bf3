// The possible ends and refusals of an order are declared by the operation of its kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sellElsewhere, soldCode } from '../../../../test/support/other-registrar.ts'
import { meaningOf } from '../../../adapters/registry/openprovider/openprovider-outcome.ts'
import { operations } from '../../../catalog.ts'
import { updateService } from '../updates/updates.fixture.ts'
import { handlerOf } from './handlers/order-handlers.ts'
import { orderTypes } from './order.ts'
import { endFault, orderFaults } from './order-faults.ts'
import { type ReleaseCode, reconcileAnswer } from './reconcile/reconcile.ts'

const releases: Record<ReleaseCode, true> = {
  domain_taken: true,
  price_changed: true,
  expiry_changed: true,
  registry_refused: true,
  auth_code_wrong: true,
  transfer_refused: true,
  transfer_rejected: true,
  transfer_cancelled: true,
}

const registrar = await updateService()

for (const type of orderTypes)
  test(`${type}: its operation declares every end, and each fault once`, () => {
    const { action } = handlerOf(type)
    const fails = operations.find(({ name }) => name === action)?.fails ?? assert.fail(action)
    assert.equal(new Set(fails).size, fails.length)
    for (const fault of orderFaults(type)) assert.ok(fails.includes(fault), fault.code)
    for (const code of [...Object.keys(releases), 'released_by_operator', null])
      assert.ok(fails.includes(endFault(type, code)), `${code}`)
  })

for (const type of orderTypes)
  test(`${type}: every code of Openprovider leaves the order open or ends it as declared`, () => {
    const { action } = handlerOf(type)
    const fails = operations.find(({ name }) => name === action)?.fails ?? assert.fail(action)
    const ends = new Set<string>()
    for (let code = 1; code <= 5_000; code += 1)
      for (const purpose of ['order', 'transfer', 'other'] as const) {
        const outcome = meaningOf(code, purpose)
        const decision = outcome && reconcileAnswer(outcome, 1)
        if (decision?.do !== 'release') continue
        const fault = endFault(type, decision.code)
        assert.ok(fails.includes(fault), `${code}: ${fault.code}`)
        ends.add(fault.code)
      }
    assert.ok(ends.has('registry_refused') && ends.has('price_changed'))
  })

test('a transfer of a name that another customer has an open order for is 409', async () => {
  const domain = 'asked-for-twice.com'
  await sellElsewhere(registrar, domain)
  const move = async (token: string) => {
    const body = { domain, auth_code: soldCode }
    const { status, text, ...answer } = await registrar.request('POST', '/v1/domains/transfer', {
      token,
      body,
    })
    return [status, answer.body.code, text] as const
  }
  const first = await move(registrar.owner.key)
  assert.equal(first[0], 200, first[2])
  const other = await registrar.customer()
  const second = await move(other.key)
  assert.deepEqual(second.slice(0, 2), [409, 'domain_taken'], second[2])
  assert.equal(await registrar.balance(other), '1000.00 0.00')
})

type Refusal = { command: string; code: number; reason: string; fault: string }
const refusals: Record<'register' | 'renew', Refusal[]> = {
  register: [
    { command: 'domain:create', code: 2003, reason: 'an admin is required', fault: 'refused' },
    { command: 'domain:create', code: 2306, reason: 'this price is not ours', fault: 'refused' },
    { command: 'domain:create', code: 2003, reason: 'the fee is required', fault: 'price_changed' },
    { command: 'domain:create', code: 2004, reason: 'the fee is 9.99', fault: 'price_changed' },
    { command: 'domain:create', code: 2004, reason: 'at most 5 years', fault: 'refused' },
    { command: 'contact:create', code: 2306, reason: 'no such city', fault: 'refused' },
    { command: 'host:check', code: 2302, reason: 'host in use', fault: 'refused' },
  ],
  renew: [
    { command: 'domain:renew', code: 2004, reason: 'curExpDate differs', fault: 'expiry_changed' },
    { command: 'domain:renew', code: 2105, reason: 'not yet', fault: 'refused' },
  ],
}

for (const [type, cases] of Object.entries(refusals))
  for (const { command, code, reason, fault } of cases)
    test(`${type}: ${command} ${code} "${reason}" is ${fault}`, async () => {
      // A customer of its own: the registry does not know the contact yet.
      const buyer = await registrar.customer()
      const domain = `refused-${command.replace(':', '-')}-${code}-${reason.length}.test`
      const nameservers = [`ns1.${domain}.example.net`, 'ns2.example.net']
      const body = type === 'register' ? { domain, nameservers } : { period_years: 1 }
      if (type === 'renew') await registrar.buys(buyer, domain)
      const before = await registrar.balance(buyer)
      registrar.sandbox.setFault({ name: 'answer', command, code, reason, times: null })
      const path = type === 'register' ? '/v1/domains' : `/v1/domains/${domain}/renew`
      const answer = await registrar.request('POST', path, { token: buyer.key, body })
      registrar.sandbox.clearFaults()
      assert.equal(answer.status, 409, answer.text)
      const expected = fault === 'refused' ? 'registry_refused' : fault
      assert.equal(answer.body.code, expected, answer.text)
      assert.ok(answer.body.detail.includes(reason), answer.text)
      assert.equal(await registrar.balance(buyer), before)
    })

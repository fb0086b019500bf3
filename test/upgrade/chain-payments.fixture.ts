// Payments on a chain in each of their states: credited, confirming, removed by a reorganization
// before and after their credit.
import assert from 'node:assert/strict'
import { scopes } from '../../src/app.ts'
import { type Address, otherPayer } from '../support/chain/anvil.ts'
import type { X402Place } from '../support/chain/x402-service.ts'
import type { Answer, TestService } from '../support/service.ts'

type Checkout = { key: string; id: string; address: Address }

async function open(registrar: TestService): Promise<Checkout> {
  const payer = await registrar.customer({ funds_cents: 0, scopes: [...scopes] })
  const path = `/v1/customers/${payer.id}/billing/gateway/checkouts`
  const body = { amount_cents: 2_500, currency: 'USD', asset: 'USDC' }
  const opened = await registrar.request('POST', path, { token: payer.key, body })
  assert.equal(opened.status, 200, opened.text)
  const { id, pay_address } = opened.body
  return { key: payer.key, id, address: `0x${pay_address.slice(2)}` }
}

async function check(registrar: TestService, { key, id }: Checkout): Promise<Answer['body']> {
  const sent = { token: key, body: { checkout_id: id } }
  const { body, text } = await registrar.request('POST', '/v1/billing/payments/check', sent)
  assert.equal(body.checkouts?.length, 1, text)
  return body.checkouts[0]
}

/** Returns the keys of the customers that paid. */
export async function payOnChain(registrar: TestService, place: X402Place): Promise<string[]> {
  const { chain, token } = place
  const opened = []
  for (let n = 0; n < 4; n += 1) opened.push(await open(registrar))
  const [credited, reversed, dropped, confirming] = opened
  assert.ok(credited && reversed && dropped && confirming)
  const transfer = async ({ address }: Checkout, tip: bigint) => {
    const by = { account: otherPayer, tip, value: 25_000_000n }
    await chain.mineSigned(await chain.sign({ to: token, name: 'transfer' }, address, by))
  }
  await transfer(credited, 1n)
  await chain.mine(3)
  assert.equal((await check(registrar, credited)).status, 'paid')
  await transfer(reversed, 2n)
  await chain.mine(1)
  assert.equal((await check(registrar, reversed)).status, 'paid')
  await chain.reorganise(2)
  await chain.mine(3)
  assert.equal((await check(registrar, reversed)).transactions[0].state, 'orphaned')
  await transfer(dropped, 3n)
  assert.equal((await check(registrar, dropped)).status, 'confirming')
  await chain.reorganise(1)
  await chain.mine(3)
  assert.equal((await check(registrar, dropped)).transactions[0].state, 'orphaned')
  await transfer(confirming, 4n)
  assert.equal((await check(registrar, confirming)).status, 'confirming')
  return opened.map(({ key }) => key)
}

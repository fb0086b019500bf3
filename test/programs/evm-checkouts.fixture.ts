// Checkouts of a service on a real chain (anvil), through the service's own routes.
import assert from 'node:assert/strict'
import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { newServiceDatabase } from '../shards/service-database.ts'
import { type Address, otherPayer, skipAnvil } from '../support/chain/anvil.ts'
import { startX402Place, type X402Place } from '../support/chain/x402-service.ts'
import {
  type Answer,
  startService,
  type TestCustomer,
  type TestService,
} from '../support/service.ts'

export const scopes = ['billing:read', 'billing:write', 'domains:read', 'domains:purchase']

/** Payments are observed only when a test asks for it. */
async function startPlace() {
  const place = await startX402Place({ native: true })
  const payout = await place.chain.deployPayout()
  await place.chain.send(payout, parseEther('1'))
  const database_url = await newServiceDatabase()
  const options = { settings: place.settings, database_url, worker: false }
  return { place, payout, options, service: await startService(options) }
}

export const shared = skipAnvil ? undefined : await startPlace()

export async function startPayer() {
  assert.ok(shared)
  const owner = await shared.service.customer({ funds_cents: 0, scopes })
  return { ...shared, owner }
}
type Started = {
  place: X402Place
  payout: Address
  service: TestService
  owner: TestCustomer
}
export type Opened = Started & { id: string; address: Address; body: Answer['body'] }

/** A checkout of 25.00 USD. */
export async function open(started: Started, asset = 'USDC'): Promise<Opened> {
  const { service, owner } = started
  const made = await service.request(
    'POST',
    `/v1/customers/${owner.id}/billing/gateway/checkouts`,
    {
      token: owner.key,
      body: { amount_cents: 2_500, currency: 'USD', asset },
    },
  )
  assert.equal(made.status, 200, made.text)
  const { id, pay_address } = made.body
  return { ...started, id, address: `0x${pay_address.slice(2)}`, body: made.body }
}

/** Observes the checkout, and returns it. */
export async function check({ service, owner, id }: Opened): Promise<Answer['body']> {
  const sent = { token: owner.key, body: { checkout_id: id } }
  const answer = await service.request('POST', '/v1/billing/payments/check', sent)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.checkouts[0]
}

/** A payment that is gone is taken back only after several readings. */
export async function checkGone(opened: Opened): Promise<Answer['body']> {
  await check(opened)
  await check(opened)
  return check(opened)
}

export const brief = ({ status, credited_amount, transactions }: Answer['body']) =>
  [status, credited_amount, ...transactions.map(treatmentOf)].join(' ')

const treatmentOf = ({ treatment, reason }: { treatment: string; reason: string | null }) =>
  reason ?? treatment

export async function money({
  service,
  owner,
}: Started): Promise<[available: string, owed: string]> {
  const path = `/v1/customers/${owner.id}/billing/balance`
  const { body } = await service.request('GET', path, { token: owner.key })
  return [body.available, body.owed]
}

/** The kinds of the customer's documents, the oldest first. */
export async function documents({ service, owner }: Started): Promise<string[]> {
  const path = `/v1/customers/${owner.id}/billing/invoices`
  const { body } = await service.request('GET', path, { token: owner.key })
  return body.invoices.map(({ kind }: { kind: string }) => kind).toReversed()
}

export async function buy({ service, owner }: Started, domain: string): Promise<Answer> {
  const body = { domain, period_years: 1, max_price: '20.00' }
  return service.request('POST', '/v1/domains', { token: owner.key, body })
}

export async function pay({ place, address }: Opened, units = 25_000_000n): Promise<void> {
  await place.chain.call({ to: place.token, name: 'mint' }, address, units)
}

/** A transfer by the payer, which is the same transaction however often it is mined. */
export async function signed({ place, address }: Opened, tip: bigint): Promise<Address> {
  const by = { account: otherPayer, tip, value: 25_000_000n }
  return place.chain.sign({ to: place.token, name: 'transfer' }, address, by)
}

/** Init code that mints for each address, all in the one transaction that deploys it. */
export function mintedForAll(token: Address, addresses: readonly Address[]): Address {
  const calls = addresses.map((to) => {
    const data = encodeFunctionData({
      abi: parseAbi(['function mint(address to, uint256 value)']),
      args: [to, 25_000_000n],
    })
    const words = data.slice(2).padEnd(192, '0')
    const stored = [0, 1, 2].map((at) => {
      const word = words.slice(at * 64, at * 64 + 64)
      return `7f${word}60${(at * 32).toString(16).padStart(2, '0')}52`
    })
    // CALL(gas, token, 0, 0, 68, 0, 0); POP
    return `${stored.join('')}60006000604460006000` + `73${token.slice(2)}5af150`
  })
  return `0x${calls.join('')}00`
}

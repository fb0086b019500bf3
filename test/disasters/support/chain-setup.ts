// The setup of a disaster with a real chain (anvil), which the service reads through two nodes that
// may be unlike each other.
import assert from 'node:assert/strict'
import { parseAbi } from 'viem'
import type { Address } from '../../support/chain/anvil.ts'
import { type Fault, type RpcProxy, startRpcProxy } from '../../support/chain/rpc-proxy.ts'
import { startX402Place } from '../../support/chain/x402-service.ts'
import type { TestCustomer, TestService } from '../../support/service.ts'
import type { Receipt } from '../auditor/auditor-input.ts'
import { startSetup } from './disaster-setup.ts'

export type Opened = { id: string; address: Address; customer: TestCustomer }
type Answer = { status: number; body: Record<string, unknown> }

/** The base units of a cent. */
const cent = 10_000n
const balanceOf = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

export async function startChainSetup() {
  const nodes: RpcProxy[] = []
  const endpoints = async (url: string) => {
    nodes.push(await startRpcProxy(url), await startRpcProxy(url))
    return nodes.map((node) => node.url)
  }
  const place = await startX402Place({ endpoints })
  const { chain, token, client } = place
  // Deeper than any reorganization, so that none removes the token.
  await chain.mine(40)
  const all: Opened[] = []
  const received: Receipt[] = []
  const settings = { ...place.settings, CHECKOUT_WATCH_SECONDS: '1' }
  const setup = await startSetup({ settings, receipts: () => ({ gateway: received }) })
  const { registrar } = setup
  const scopes = ['billing:read', 'billing:write']

  async function open(of?: TestCustomer): Promise<Opened> {
    const customer = of ?? (await registrar.customer({ funds_cents: 0, contact: false, scopes }))
    const body = { amount_cents: 2_500, currency: 'USD', asset: 'USDC' }
    const sent = { path: checkoutsOf(customer), token: customer.key, body }
    const { status, body: made } = await post(registrar.url, sent)
    assert.equal(status, 200, JSON.stringify(made))
    const opened = { id: String(made.id), address: addressOf(made.pay_address), customer }
    all.push(opened)
    return opened
  }

  /** Compares the credits with the balances of the chain itself. */
  async function assertExact(): Promise<void> {
    received.length = 0
    for (const { address } of all) {
      const args = [address] as const
      const read = { address: token, abi: balanceOf, functionName: 'balanceOf', args } as const
      const units = await client.readContract(read)
      const [row] = await setup.query(
        'select reference from checkouts where pay_address ilike $1',
        [address],
      )
      if (units > 0n) received.push({ reference: String(row?.reference), cents: units / cent })
    }
    assert.deepEqual((await setup.audit()).violations, [])
  }

  return {
    ...setup,
    chain,
    token,
    open,
    assertExact,
    set(fault: Fault, ...at: (0 | 1)[]) {
      for (const one of at.length > 0 ? at : [0, 1]) {
        const node = nodes[one]
        if (node) node.fault = fault
      }
    },
    pay: async ({ address }: Opened, cents: bigint) =>
      (await chain.call({ to: token, name: 'mint' }, address, cents * cent)).transactionHash,
    ...requestsOf(registrar),
  }
}

function checkoutsOf({ id }: TestCustomer): string {
  return `/v1/customers/${id}/billing/gateway/checkouts`
}

/** A customer's requests about a checkout. `status` is 0 if the node died before it answered. */
function requestsOf(registrar: TestService) {
  return {
    check: (url: string, { id, customer }: Opened) =>
      post(url, {
        path: '/v1/billing/payments/check',
        token: customer.key,
        body: { checkout_id: id },
      }),
    report: (url: string, { id, customer }: Opened, transaction_id: string) =>
      post(url, {
        path: `${checkoutsOf(customer)}/${id}/report`,
        token: customer.key,
        body: { transaction_id },
      }),
    async credited({ id, customer }: Opened): Promise<string> {
      const at = `${checkoutsOf(customer)}/${id}`
      const { body } = await registrar.request('GET', at, { token: customer.key })
      return body.credited_amount
    },
  }
}

function addressOf(text: unknown): Address {
  return `0x${String(text).slice(2)}`
}

type Sent = { path: string; token: string; body: object }

async function post(url: string, { path, token, body }: Sent): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(url + path, sent).catch(() => null)
  if (!response) return { status: 0, body: {} }
  return { status: response.status, body: Object(await response.json().catch(() => null)) }
}

// Random payments, reorganizations and restarts: in the end the observed payments that are not
// orphaned equal the balances of the chain, each of them confirmed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Address, skipAnvil } from '../support/chain/anvil.ts'
import { Ledger, networkOf, startWatched, type Watched } from '../support/chain/evm-gateway.ts'

type Step =
  | { kind: 'token' | 'native'; to: number; units: bigint }
  | { kind: 'mine' | 'reorganise'; blocks: number }
  | { kind: 'observe' | 'restart' }

const units = fc.bigInt({ min: 1n, max: 5n })
const to = fc.nat({ max: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('token' as const, 'native' as const), to, units }),
  fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('reorganise' as const), blocks: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constantFrom('observe' as const, 'observe' as const, 'restart' as const) }),
)

async function run(watched: Watched, steps: readonly Step[], round: number): Promise<void> {
  const { chain, token, checkout } = watched
  const destinations = await Promise.all(
    [0, 1, 2].map((at) => checkout(`${round}/${at}`, at === 0 ? 'USDC' : 'ETH')),
  )
  const addresses = destinations.map(({ pay_address }): Address => `0x${pay_address.slice(2)}`)
  const networks = [10, 25, 500].map((max_blocks) =>
    networkOf({ rpc_urls: [chain.url], token, max_blocks }),
  )
  const open = (at: number) => watched.reopen(...networks.slice(at % 3, (at % 3) + 1))
  let gateway = await open(0)
  const ledger = new Ledger(...destinations)
  // Deeper than any reorganization, so that none removes an earlier round.
  await chain.mine(20)
  await ledger.observe(gateway)
  for (const [at, one] of steps.entries()) {
    const receiver = 'to' in one ? addresses[one.to] : undefined
    if (one.kind === 'token' && receiver)
      await chain.call({ to: token, name: 'mint' }, receiver, one.units)
    if (one.kind === 'native' && receiver && one.to > 0) await chain.send(receiver, one.units)
    if (one.kind === 'mine') await chain.mine(one.blocks)
    if (one.kind === 'reorganise') await chain.reorganise(one.blocks)
    if (one.kind === 'restart') gateway = await open(at)
    if (one.kind === 'observe') await ledger.observe(gateway)
  }
  await chain.mine(3)
  for (let again = 0; again < 12; again += 1) await ledger.observe(gateway)
  await compare(watched, ledger, addresses)
}

async function compare(
  { chain, gateway }: Watched,
  ledger: Ledger,
  addresses: readonly Address[],
): Promise<void> {
  const valid = [...ledger.payments.values()].filter(({ state }) => state !== 'orphaned')
  assert.deepEqual(
    [...new Set(valid.map(({ state }) => state))].join(),
    valid[0] ? 'confirmed' : '',
  )
  const observed = (asset: string, address: Address) =>
    valid
      .filter((one) => one.asset === asset && one.reference === address)
      .reduce((sum, { amount }) => sum + amount, 0n)
  for (const address of addresses) {
    const index = (await gateway.funded(allPaths)).filter((one) => one.address === address)
    const held = (asset: string) => index.find((one) => one.asset === asset)?.balance ?? 0n
    assert.equal(observed('USDC', address), held('USDC'), `USDC of ${address}`)
    assert.equal(observed('ETH', address), await chain.client.getBalance({ address }))
  }
}

const allPaths = Array.from({ length: 100 }, (_, index) => ({ branch: 0, index }))

/** A larger payment takes the place of one that a reorganization removed. */
const replaced: Step[] = [
  { kind: 'native', to: 1, units: 2n },
  { kind: 'observe' },
  { kind: 'reorganise', blocks: 11 },
  { kind: 'native', to: 1, units: 5n },
  { kind: 'mine', blocks: 4 },
]

describe('random payments and reorganisations', { skip: skipAnvil }, () => {
  it('end in the balances of the chain', async () => {
    const watched = await startWatched()
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        round += 1
        await run(watched, steps, round)
      }),
      // Anvil loses states after some 800 blocks with reorganizations: few runs on one chain.
      { numRuns: 14, examples: [[replaced]], endOnFailure: true },
    )
  })
})

// Addresses watched per call of JSON-RPC, with 10,000 open checkouts on a chain (anvil), compared
// with one call for each address.
import { startSimulatedExchanges } from '../sandbox/rates/index.ts'
import { openEvmGateway } from '../src/adapters/gateway/evm/evm-gateway.ts'
import type { Destination, Gateway } from '../src/adapters/gateway/port.ts'
import { openPublicRates } from '../src/adapters/rates/public-rates.ts'
import { systemClock } from '../src/kit/clock.ts'
import { type Address, startChain } from '../test/support/chain/anvil.ts'
import { networkOf, paths, recordedLog, xpub } from '../test/support/chain/evm-gateway.ts'
import { type RpcProxy, startRpcProxy } from '../test/support/chain/rpc-proxy.ts'
import { runBench } from './support/bench.ts'
import { cpuOf } from './support/processes.ts'
import { median, say, sayMachine, shown } from './support/report.ts'

const checkouts = 10_000
const paid = 100
/** Public endpoints limit the topics of a query. */
const least_addresses_per_call = 50

const expires_at = new Date(Date.now() + 3_600_000)

async function openAll(gateway: Gateway): Promise<Destination[]> {
  const opened: Destination[] = []
  const asset = { asset: 'USDC', network: 'base', currency: 'USD', amount_cents: 2_500n } as const
  for (let at = 0; at < checkouts; at += 1)
    opened.push(await gateway.open({ checkout_id: `chk_${at}`, ...asset, expires_at }))
  return opened
}

type Watched = { gateway: Gateway; destinations: readonly Destination[]; proxy: RpcProxy }
type Round = { payments: number; calls: number }

/** Observes all of them, continuing from the last observation, and reports the cost. */
async function openWatch({ gateway, destinations, proxy }: Watched) {
  let cursor: string | null = null
  const calls = () => [...proxy.calls.values()].reduce((sum, one) => sum + one, 0)
  return async (reason: string): Promise<Round> => {
    const before = { calls: calls(), ms: performance.now(), cpu_s: cpuOf(process.pid) }
    const seen = await gateway.observe({ destinations, known: [], cursor })
    const ms = performance.now() - before.ms
    const cpu_ms = (cpuOf(process.pid) - before.cpu_s) * 1_000
    const round = { payments: seen.payments.length, calls: calls() - before.calls }
    cursor = seen.cursor
    say(
      `  ${reason}: ${round.payments} payments found, ${round.calls} calls, ` +
        `${shown(ms)} ms, CPU ${shown(cpu_ms)} ms with the proxy's`,
    )
    return round
  }
}

await runBench(async (bench) => {
  const exchanges = await startSimulatedExchanges({ ETHUSD: '2500.00', USDCUSD: '1.0001' })
  bench.atEnd(() => exchanges.close())
  const { kraken_url, bitstamp_url } = exchanges
  const { atEnd } = bench
  const chain = await startChain({ atEnd })
  const token = await chain.deployToken()
  const proxy = await startRpcProxy(chain.url, atEnd)
  const gateway = await openEvmGateway({
    xpub,
    networks: [networkOf({ rpc_urls: [proxy.url], token })],
    nextPath: paths(),
    rates: openPublicRates({ clock: systemClock, kraken_url, bitstamp_url }),
    clock: systemClock,
    log: recordedLog().log,
  })
  sayMachine(`${checkouts} open checkouts on one chain, ${paid} paid a round`, 'anvil, by a proxy')
  const started = performance.now()
  const destinations = await openAll(gateway)
  say(`  opened: ${shown((performance.now() - started) / checkouts)} ms each, with its address`)
  const watch = await openWatch({ gateway, destinations, proxy })
  await watch('all blocks so far')
  const idle: Round[] = []
  for (let number = 1; number <= bench.rounds; number += 1) {
    await chain.mine(1)
    idle.push(await watch('nothing came'))
    for (const { pay_address } of destinations.slice((number - 1) * paid, number * paid)) {
      const receiver: Address = `0x${pay_address.slice(2)}`
      await chain.call({ to: token, name: 'mint' }, receiver, 25_000_000n)
    }
    const { payments } = await watch(`${paid} were paid`)
    if (payments < paid) throw new Error(`${paid} were paid`)
  }
  const per_call = checkouts / median(idle.map(({ calls }) => calls))
  say()
  say(`  where nothing came: ${shown(per_call)} addresses a call; a call for each would be 1`)
  const limit = per_call >= least_addresses_per_call ? 'kept' : 'broken'
  say(`  limit: at least ${least_addresses_per_call} addresses a call; ${limit}`)
  if (limit === 'broken') process.exitCode = 1
})

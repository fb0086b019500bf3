// The service with GATEWAY=evm: its required settings, and a checkout from its database's paths to
// a confirmed payment.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startSimulatedExchanges } from '../../sandbox/rates/index.ts'
import { skipAnvil, startChain } from '../support/chain/anvil.ts'
import { Ledger, xprv, xpub } from '../support/chain/evm-gateway.ts'
import { newDatabase } from '../support/database.ts'
import { startProgram } from '../support/program.ts'
import { startService } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-evm-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function startPlace({ chain_id = 8453 } = {}) {
  const chain = await startChain()
  const contract = await chain.deployToken()
  const exchanges = await startSimulatedExchanges({ USDCUSD: '1.00' })
  after(() => exchanges.close())
  const EVM_NETWORKS_FILE = join(folder, `networks-${chain_id}.json`)
  const asset = { symbol: 'USDC', contract, decimals: 6, pegged_to: 'USD' }
  const network = {
    name: 'base',
    chain_id,
    rpc_urls: [chain.url],
    confirmations: 2,
    assets: [asset],
  }
  writeFileSync(EVM_NETWORKS_FILE, JSON.stringify({ networks: [network] }))
  const { kraken_url: KRAKEN_URL, bitstamp_url: BITSTAMP_URL } = exchanges
  const settings = { GATEWAY: 'evm', EVM_XPUB: xpub, EVM_NETWORKS_FILE, KRAKEN_URL, BITSTAMP_URL }
  return { chain, contract, settings }
}

describe('GATEWAY=evm', { skip: skipAnvil }, () => {
  it('opens checkouts at paths of the database, and observes what comes; bin/deposits lists it', async () => {
    const { chain, contract, settings } = await startPlace()
    const { service } = await startService({ settings })
    const { gateway } = service.app
    assert.ok(gateway)
    const request = {
      checkout_id: 'chk_1',
      asset: 'USDC',
      network: 'base',
      currency: 'USD',
      amount_cents: 2_500n,
      expires_at: new Date(Date.now() + 3_600_000),
    } as const
    const destination = await gateway.open(request)
    assert.match(destination.path ?? '', /^[0-9]+\/0$/)
    assert.equal((await gateway.open(request)).pay_address, destination.pay_address)
    const ledger = new Ledger(destination)
    await ledger.observe(gateway)
    const receiver = `0x${destination.pay_address.slice(2)}` as const
    await chain.call({ to: contract, name: 'mint' }, receiver, destination.pay_amount)
    await chain.mine(1)
    await ledger.observe(gateway)
    assert.deepEqual(ledger.all, ['USDC 25000000 confirmed 2'])
    const listing = startProgram({
      command: [process.execPath, 'bin/deposits.ts'],
      environment: { ...settings, DATABASE_URL: service.settings.database_url ?? '' },
    })
    assert.equal(await listing.ended, 0, listing.lines.join('\n'))
    assert.deepEqual(listing.lines, [
      'network,asset,base_units,path,address',
      `base,USDC,25000000,${destination.path},${destination.pay_address}`,
      '# gap limit: 20',
    ])
  })

  it('is refused in one line for a private key, another chain, or a file that is not there', async () => {
    const { settings } = await startPlace({ chain_id: 1 })
    const DATABASE_URL = await newDatabase('template0')
    const refusals: [Record<string, string>, RegExp][] = [
      [{ EVM_XPUB: xprv }, /EVM_XPUB is an extended private key/],
      [{}, /RPC 1 of base: its chain id is 8453, not 1/],
      [{ EVM_NETWORKS_FILE: '/nowhere.json' }, /\/nowhere\.json cannot be used/],
    ]
    for (const [wrong, line] of refusals) {
      const DATA_DIR = join(folder, 'data')
      const environment = { ...settings, DATABASE_URL, DATA_DIR, DNS_PORT: '0', ...wrong }
      const program = startProgram({ environment })
      await program.line(line)
      assert.notEqual(await program.ended, 0)
      assert.doesNotMatch(program.lines.join('\n'), new RegExp(`${xprv}|\\n +at `))
    }
  })
})

// Rules of the EVM gateway without a chain: units and quotes, addresses, ids, and the networks
// file.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { GatewaySettingError } from '../port.ts'
import { nextCursorBlock, withCheckpoint } from './cursor.ts'
import { openDeposits } from './deposit-addresses.ts'
import { gapLimit } from './funded-addresses.ts'
import { loadNetworks, parseNetworks } from './networks.ts'
import { nativePaymentId, parsePaymentId, tokenPaymentId } from './payment-ids.ts'
import { isOffPeg, parseUnits, pegQuote, priceQuote, unitsFor } from './quotes.ts'

const at = new Date(0)
const written = {
  name: 'base',
  chain_id: 8453,
  rpc_urls: ['https://rpc.a.example'],
  confirmations: 12,
  native: { symbol: 'ETH' },
  assets: [{ symbol: 'USDC', contract: `0x${'Ab'.repeat(20)}`, decimals: 6, pegged_to: 'USD' }],
}

describe('a quote', () => {
  const decimals = fc.integer({ min: 2, max: 18 })
  const cents = fc.bigInt({ min: 1n, max: 10n ** 15n })

  it('at the peg is exact in both directions for every sum', () => {
    fc.assert(
      fc.property(decimals, cents, (places, sum) => {
        const quote = pegQuote({ decimals: places, pegged_to: 'USD' }, at)
        const units = unitsFor(sum, quote)
        assert.equal(units, sum * 10n ** BigInt(places - 2))
        assert.equal((units * quote.cents) / quote.units, sum)
      }),
    )
  })

  it('at a rate is worth the sum, and with one base unit less is not', () => {
    const price = fc.record({
      digits: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      scale: fc.integer({ min: 0, max: 12 }),
      at: fc.constant(at),
    })
    fc.assert(
      fc.property(decimals, cents, price, (places, sum, rate) => {
        const quote = priceQuote({ decimals: places, pegged_to: null }, rate)
        const units = unitsFor(sum, quote)
        assert.ok(units * quote.cents >= sum * quote.units)
        assert.ok((units - 1n) * quote.cents < sum * quote.units)
      }),
    )
  })

  it('of a stablecoin more than 1 % off its peg is reported', () => {
    const price = (digits: bigint) => isOffPeg({ digits, scale: 4, at })
    assert.deepEqual([9_899n, 9_900n, 10_000n, 10_100n, 10_101n].map(price), [
      true,
      false,
      false,
      false,
      true,
    ])
  })

  it('reads decimal units exactly', () => {
    assert.equal(parseUnits('1000', 6), 1_000_000_000n)
    assert.equal(parseUnits('0.0000001', 6), 0n)
    assert.equal(parseUnits('1.5', 18), 15n * 10n ** 17n)
  })
})

describe('deposit addresses', () => {
  const xpub =
    'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2' +
    'FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'

  it('are those that a wallet derives: the well-known accounts of anvil', () => {
    const derive = openDeposits(xpub)
    const addresses = [
      derive({ branch: 0, index: 0 }),
      derive({ branch: 0, index: 1 }),
      derive({ branch: 3, index: 9 }),
    ]
    assert.deepEqual(addresses, [
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x91Ac412068Ce6Befc1E0c07eDf6808F2bc20BB1b',
    ])
  })

  it('need a public key: a private one, or none, is refused without showing it', () => {
    const account = HDKey.fromMasterSeed(Buffer.alloc(32, 1))
    for (const key of [account.privateExtendedKey, 'xpub123', ''])
      assert.throws(
        () => openDeposits(key),
        (error) => {
          assert.ok(error instanceof GatewaySettingError)
          assert.ok(key === '' || !error.message.includes(key))
          assert.doesNotMatch(error.message, /\n/)
          return true
        },
      )
  })
})

describe('payment ids', () => {
  it('are read as they are written, and not for another chain', () => {
    const transaction_id = `0x${'0a'.repeat(32)}` as const
    const address = `0x${'0b'.repeat(20)}` as const
    const token = { transaction_id, contract: address, to: address, ordinal: 12 }
    const native = { address, before: 0n, after: 10n ** 20n }
    assert.deepEqual(parsePaymentId(1, tokenPaymentId(1, token)), { kind: 'token', ...token })
    assert.deepEqual(parsePaymentId(1, nativePaymentId(1, native)), { kind: 'native', ...native })
    const former = { kind: 'log', transaction_id, log_index: 12 }
    assert.deepEqual(parsePaymentId(1, `eip155:1/${transaction_id}/12`), former)
    assert.equal(parsePaymentId(10, tokenPaymentId(1, token)), undefined)
    assert.equal(parsePaymentId(1, 'btcpay/store/1'), undefined)
  })
})

describe('the cursor', () => {
  const [network] = parseNetworks({ networks: [written] }, 'networks.json')
  if (!network) throw new Error('no network')

  it('stays below the head by the number of blocks that are read again, and never goes back', () => {
    const next = (from: bigint, to: bigint, head: bigint) =>
      nextCursorBlock({ from, to, head }, network)
    assert.equal(next(0n, 20n, 20n), null)
    assert.equal(next(0n, 100n, 100n), 68n)
    assert.equal(next(69n, 100n, 100n), null)
    assert.equal(next(0n, 1999n, 100_000n), 1999n)
  })

  it('keeps at most eight checkpoints, whose distances grow with their age', () => {
    let kept: ReturnType<typeof withCheckpoint> = []
    for (let number = 1; number <= 1000; number += 3)
      kept = withCheckpoint(kept, { number: BigInt(number), hash: `0x${number}`, at }, network)
    assert.equal(kept.length, 8)
    assert.equal(kept[0]?.number, 1000)
    assert.ok((kept.at(-1)?.number ?? 0) < 1000 - 6 * network.rescan_blocks)
  })
})

describe('the gap limit', () => {
  it('is the longest run of unused indexes on a branch, and a margin', () => {
    assert.equal(gapLimit([]), 20)
    const used = [
      { branch: 0, index: 0 },
      { branch: 0, index: 5 },
      { branch: 1, index: 7 },
    ]
    assert.equal(gapLimit(used), 27)
  })
})

describe('the networks file', () => {
  it('has defaults, and addresses in lower case', () => {
    const [network] = parseNetworks({ networks: [written] }, 'networks.json')
    assert.equal(network?.rescan_blocks, 32)
    assert.deepEqual(network?.assets, [
      {
        symbol: 'USDC',
        contract: `0x${'ab'.repeat(20)}`,
        decimals: 6,
        pegged_to: 'USD',
        both_rpcs_above: 1_000_000_000n,
        eip3009: null,
      },
      {
        symbol: 'ETH',
        contract: null,
        decimals: 18,
        pegged_to: null,
        both_rpcs_above: 10n ** 18n,
        eip3009: null,
      },
    ])
  })

  it('is read as docs/evm-networks.md shows it', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/evm-networks.md'), 'utf8')
    const [, shown = ''] = /```json\n([^`]+)```/.exec(page) ?? []
    const [network, ...more] = parseNetworks(JSON.parse(shown), 'networks.json')
    assert.deepEqual([network?.chain_id, network?.rpc_urls.length, more], [8453, 2, []])
    assert.deepEqual(network?.assets[0]?.eip3009, { name: 'USD Coin', version: '2' })
  })

  it('is refused where it cannot be read', () => {
    const path = '/nowhere/networks.json'
    assert.throws(() => loadNetworks(path), GatewaySettingError)
  })

  it('is refused with its problems', () => {
    const [usdc] = written.assets
    const wrong: [unknown, RegExp][] = [
      [{ ...written, chain_id: '1' }, /chain_id/],
      [{ ...written, rpc_urls: [] }, /rpc_urls/],
      [{ ...written, rpc_urls: ['http://rpc.a.example'] }, /must be https/],
      [{ ...written, colour: 'red' }, /additional/],
      [{ ...written, assets: [{ ...usdc, contract: '0x12' }] }, /contract/],
      [{ ...written, assets: [usdc, usdc] }, /two assets have one symbol/],
      [{ ...written, native: undefined, assets: [] }, /neither assets nor a native coin/],
      [{ ...written, rescan_blocks: 3 }, /rescan_blocks must be at least/],
      [{ ...written, max_blocks: 32 }, /max_blocks must be more/],
    ]
    for (const [network, problem] of wrong)
      assert.throws(
        () => parseNetworks(JSON.parse(JSON.stringify({ networks: [network] })), 'networks.json'),
        (error) => error instanceof GatewaySettingError && problem.test(error.message),
        String(problem),
      )
    assert.throws(() => parseNetworks({ networks: [written, written] }, 'f'), /two networks/)
  })
})

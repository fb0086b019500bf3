// Credited payments and nodes that answer "not found": money is taken back on evidence of a
// reorganization alone, shown several times.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseEther } from 'viem'
import { skipAnvil } from '../../support/chain/anvil.ts'
import { forkedAt, noReceipts } from '../../support/chain/unlike-nodes.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { brief, check, documents, money, open, pay } from '../evm-checkouts.fixture.ts'
import { startNodes } from './nodes.fixture.ts'

/** A checkout in this asset whose credited payment is below the blocks that are read again. */
async function credited(asset: 'USDC' | 'ETH') {
  const nodes = await startNodes()
  const opened = await open(nodes, asset)
  const { chain } = opened.place
  await check(opened)
  if (asset === 'USDC') await pay(opened)
  else await chain.send(opened.address, parseEther('0.01'))
  const number = await chain.client.getBlockNumber({ cacheTime: 0 })
  await chain.mine(1)
  assert.equal(brief(await check(opened)), 'paid 25.00 credited')
  await chain.mine(60)
  const cursor = 'select cursor from gateway_cursors'
  const isBelow = async () => {
    const [row] = await rowsIn(nodes.service)(cursor)
    const [{ number: at } = { number: 0 }] = JSON.parse(String(row?.cursor ?? '{}'))[8453] ?? []
    return at > number
  }
  for (let round = 0; !(await isBelow()); round += 1) {
    assert.ok(round < 10)
    await nodes.watch()
    await check(opened)
  }
  return { ...nodes, opened, chain, number }
}

describe('a credited payment', { skip: skipAnvil }, () => {
  it('stays while a node knows no receipt of it, and its block is what it was', async () => {
    const { opened, both, alarms, chain } = await credited('USDC')
    both(noReceipts)
    for (let round = 0; round < 5; round += 1) {
      await chain.mine(1)
      assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    }
    assert.deepEqual(await money(opened), ['25.00', '0.00'])
    assert.deepEqual(await documents(opened), ['invoice'])
    assert.ok(alarms('payment_unreadable').length > 0)
    assert.equal(alarms('payment_may_be_gone').length, 0)
  })

  for (const asset of ['USDC', 'ETH'] as const)
    it(`in ${asset} stays where one reading shows another block, with an alarm`, async () => {
      const { opened, both, set, alarms, number } = await credited(asset)
      const before = alarms('payment_may_be_gone').length
      const fork = forkedAt(number)
      both((method, result) => (method === 'eth_getBalance' ? '0x0' : fork(method, result)))
      assert.match(brief(await check(opened)), /25\.00 credited/)
      assert.equal(alarms('payment_may_be_gone').length, before + 1)
      set({ kind: 'none' })
      assert.equal(brief(await check(opened)), 'paid 25.00 credited')
      assert.deepEqual(await money(opened), ['25.00', '0.00'])
      assert.deepEqual(await documents(opened), ['invoice'])
    })

  it('stays while one of two endpoints shows its block', async () => {
    const { opened, set, number } = await credited('USDC')
    set({ kind: 'unlike', answer: forkedAt(number) }, 0)
    for (let round = 0; round < 5; round += 1)
      assert.equal(brief(await check(opened)), 'paid 25.00 credited')
  })

  it('is taken back after several readings that show another block, and is found again', async () => {
    const { opened, both, set, number } = await credited('USDC')
    both(forkedAt(number))
    const seen: string[] = []
    for (let round = 0; round < 3; round += 1) seen.push(brief(await check(opened)))
    assert.deepEqual(seen, [
      'paid 25.00 credited',
      'paid 25.00 credited',
      'awaiting_payment 0.00 reversed',
    ])
    assert.deepEqual(await money(opened), ['0.00', '0.00'])
    // Its block is far below those that are read again.
    set({ kind: 'none' })
    assert.equal(brief(await check(opened)), 'paid 25.00 credited')
    assert.deepEqual(await money(opened), ['25.00', '0.00'])
    assert.deepEqual(await documents(opened), ['invoice', 'credit_note', 'invoice'])
  })
})

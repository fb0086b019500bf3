// Limits of scans, as several nodes share them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../../../test/support/database.ts'
import { Fault } from '../../../../kit/fault.ts'
import { whileScanning } from './scan-limits.ts'

const { database: db, query } = await testDatabase()

const codeOf = (error: unknown) => (error instanceof Fault ? error.type.code : String(error))

/** "done", or the code of its fault. */
async function scanned(customer: string, { packets = 1, wait = Promise.resolve() } = {}) {
  return await whileScanning({ db }, customer, async ({ reserve }) => {
    if (packets > 0) await reserve('192.0.2.1', packets)
    await wait
    return 'done'
  }).catch(codeOf)
}

describe('the scans of an account', () => {
  it('are one at a time, at however many nodes', async () => {
    const held = Promise.withResolvers<void>()
    let refused = 0
    const one = async () => {
      const result = await scanned('one', { wait: held.promise })
      refused += Number(result !== 'done')
      if (refused === 19) held.resolve()
      return result
    }
    const results = await Promise.all(Array.from({ length: 20 }, one))
    assert.equal(results.filter((one) => one === 'done').length, 1)
    assert.equal(results.filter((one) => one === 'dns_scan_under_way').length, 19)
  })

  it('are six an hour, without those that sent nothing', async () => {
    for (let i = 0; i < 3; i += 1) assert.equal(await scanned('six', { packets: 0 }), 'done')
    for (let i = 0; i < 6; i += 1) assert.equal(await scanned('six'), 'done', String(i))
    const error = await whileScanning({ db }, 'six', async () => 'done').catch((one) => one)
    assert.equal(codeOf(error), 'too_many_dns_scans')
    const wait_s = Number(error.headers['Retry-After'])
    assert.ok(wait_s > 3_500 && wait_s <= 3_600, String(wait_s))
    assert.equal(await scanned('another'), 'done')
    const hour = `update dns_scans set started_at =
      array(select one - interval '1 hour' from unnest(started_at) one) where customer_id = 'six'`
    await query(hour)
    assert.equal(await scanned('six'), 'done')
  })

  it('count though they fail, and free their place', async () => {
    const failing = whileScanning({ db }, 'failing', async ({ reserve }) => {
      await reserve('192.0.2.1', 1)
      throw new Error('broken')
    })
    await assert.rejects(failing, /broken/)
    for (let i = 0; i < 5; i += 1) assert.equal(await scanned('failing'), 'done')
    assert.equal(await scanned('failing'), 'too_many_dns_scans')
  })
})

it('gives every packet to an address a time of its own, over all scans', async () => {
  const waits = await whileScanning({ db }, 'pace', ({ reserve }) =>
    Promise.all(Array.from({ length: 30 }, () => reserve('2001:db8::1', 10))),
  )
  const sorted = waits.sort((one, other) => one - other)
  assert.ok((sorted[0] ?? 1) <= 0)
  // The 30 statements do not run at one moment.
  const gaps = sorted.slice(1).map((wait, i) => wait - (sorted[i] ?? 0))
  assert.ok(
    gaps.every((gap) => gap > 300),
    gaps.join(' '),
  )
  assert.ok((sorted.at(-1) ?? 0) > 29 * 500 - 1_000)
})

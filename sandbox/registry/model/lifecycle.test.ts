// Lifecycle of a domain on the registry's clock: auto-renew, redemption, deletion.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addYears, DAY_MS } from '../../support/sandbox-clock.ts'
import { type Sandbox, startSandbox } from '../index.ts'
import { type Client, enter } from '../testing/client.ts'
import { domain, fees, poll, restore } from '../testing/frames.ts'

let sandbox: Sandbox
let client: Client
let name: string
let count = 0

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
  client = await enter(sandbox, 'thin')
})

beforeEach(async () => {
  count += 1
  name = `aging-${count}.com`
  assert.equal((await client.command(domain.create(name))).code, 1000)
})

after(async () => {
  client.close()
  await sandbox.close()
})

const jump = (days: number): void => sandbox.advanceClock(days * DAY_MS)
const code = async (body: string, extension?: string): Promise<number> =>
  (await client.command(body, extension)).code
const expiry = (): string => sandbox.lookup(name)?.expires_at.slice(0, 10) ?? ''
const rgp = (): string[] => sandbox.lookup(name)?.rgp_statuses ?? []
const effects = (): string[] =>
  sandbox.effects().flatMap((effect) => (effect.domain === name ? [effect.kind] : []))

/** Reads and acknowledges all messages; returns those about this test's name. */
async function messages(): Promise<string[]> {
  const found: string[] = []
  for (;;) {
    const { code, xml } = await client.command(poll.request)
    if (code === 1300) return found.filter((message) => message.includes(name))
    assert.equal(code, 1301)
    found.push(xml)
    const id = /<msgQ [^>]*id="(\d+)"/.exec(xml)?.[1] ?? ''
    assert.equal((await client.command(poll.acknowledge(id))).code, 1000)
    assert.equal((await client.command(poll.acknowledge(id))).code, 2303)
  }
}

describe('at its expiry a domain', () => {
  it('is renewed by the registry, billed, and reported by a poll message', async () => {
    const before = expiry()
    jump(366)
    assert.equal(Number(expiry().slice(0, 4)), Number(before.slice(0, 4)) + 1)
    assert.deepEqual(rgp(), ['autoRenewPeriod'])
    assert.deepEqual(effects(), ['create', 'autorenew'])
    const [message] = await messages()
    assert.match(message ?? '', /auto-renewed.*<domain:exDate>/s)
    jump(46)
    assert.deepEqual(rgp(), [])
  })

  it('is renewed once for each year that passed', async () => {
    jump(366 + 731)
    assert.deepEqual(effects(), ['create', 'autorenew', 'autorenew', 'autorenew'])
    assert.equal((await messages()).length, 3)
  })

  it('can still be renewed by its registrar, which adds a year', async () => {
    jump(366)
    const year = Number(expiry().slice(0, 4))
    assert.equal(await code(domain.renew(name, expiry())), 1000)
    assert.equal(Number(expiry().slice(0, 4)), year + 1)
  })

  it('can be deleted within 45 days, with a refund of that year', async () => {
    jump(366 + 40)
    assert.equal(await code(domain.remove(name)), 1001)
    assert.deepEqual(effects(), ['create', 'autorenew', 'refund'])
    const [paid, back] = sandbox
      .effects()
      .filter((each) => each.domain === name)
      .slice(1)
    assert.equal(back?.refunds, paid?.id)
    assert.deepEqual(rgp(), ['redemptionPeriod'])
  })
})

describe('a deleted domain', () => {
  beforeEach(async () => {
    jump(6)
    assert.equal(await code(domain.remove(name)), 1001)
  })

  it('passes through redemption and pendingDelete and is dropped', async () => {
    assert.deepEqual(sandbox.lookup(name)?.epp_statuses, ['inactive', 'pendingDelete'])
    assert.match((await client.command(domain.check(name))).xml, /avail="0"/)
    assert.equal(await code(domain.renew(name, expiry())), 2304)
    jump(30)
    assert.deepEqual(rgp(), ['pendingDelete'])
    assert.equal(await code(domain.update(name, ''), restore('request')), 2304)
    jump(5)
    assert.equal(sandbox.lookup(name), null)
    assert.match((await messages()).join(), /paResult="1"/)
    assert.equal(await code(domain.create(name)), 1000)
  })

  it('is restored by a paid request and a report', async () => {
    const deleted = sandbox.now()
    jump(2)
    const wrong = restore('request') + fees.update({ amount: '1.00' })
    assert.equal(await code(domain.update(name, ''), wrong), 2004)
    const right = restore('request') + fees.update({ amount: '40.00' })
    const { code: asked, xml } = await client.command(domain.update(name, ''), right)
    assert.equal(asked, 1000)
    assert.match(xml, /rgpStatus s="pendingRestore"/)
    assert.match((await client.command(domain.info(name))).xml, /rgpStatus s="pendingRestore"/)
    const restored = sandbox.now()
    jump(1)
    const day = 86_400_000
    for (const times of [
      { deleted: deleted + day, restored },
      { deleted: restored, restored },
      { deleted, restored: sandbox.now() },
      { deleted, restored: deleted },
    ])
      assert.equal(await code(domain.update(name, ''), restore('report', times)), 2306)
    const report = restore('report', { deleted, restored })
    assert.equal(await code(domain.update(name, ''), report), 1000)
    assert.deepEqual(sandbox.lookup(name)?.epp_statuses, ['inactive'])
    assert.deepEqual(effects(), ['create', 'restore'])
  })

  it('returns to redemption when the report does not arrive', async () => {
    assert.equal(await code(domain.update(name, ''), restore('request')), 1000)
    jump(8)
    assert.deepEqual(rgp(), ['redemptionPeriod'])
  })
})

describe('a domain deleted shortly before its term ends', () => {
  it('is restored with a year', async () => {
    jump(360)
    assert.equal(await code(domain.remove(name)), 1001)
    jump(20)
    assert.equal(await code(domain.update(name, ''), restore('request')), 1000)
    assert.ok(Date.parse(sandbox.lookup(name)?.expires_at ?? '') > sandbox.now())
  })
})

describe('the clock', () => {
  it('never runs backwards', () => {
    assert.throws(() => sandbox.advanceClock(-1), RangeError)
  })

  it('makes 29 February the 28th in a common year', () => {
    const leap = Date.UTC(2028, 1, 29, 12)
    assert.equal(new Date(addYears(leap, 1)).toISOString(), '2029-02-28T12:00:00.000Z')
    assert.equal(new Date(addYears(leap, 4)).toISOString(), '2032-02-29T12:00:00.000Z')
  })
})

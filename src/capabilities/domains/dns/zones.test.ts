// A zone follows its holding, however that is made, changed or ended.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { appOver } from '../../../../test/support/test-pipeline.ts'
import type { App } from '../../../app.ts'
import { rrType } from '../../../dns/types.ts'
import { pushDueZones } from './zone-push.ts'
import { zoneStore } from './zone-store.ts'
import {
  ada,
  bob,
  clear,
  end,
  hold,
  Kept,
  move,
  own,
  record,
  startEmpty,
  zoneOf,
  zonesDb,
} from './zones.fixture.ts'
import { openZones, repairAllZones } from './zones.ts'

const octetsOf = (address: string) => Buffer.from(address.split('.').map(Number))
const find = (names: string[], zones?: string[]) =>
  zoneStore(zonesDb.database).find(names, rrType.a, zones)
const at = (value: string) => [{ type: rrType.a, ttl: 60, rdata: [octetsOf(value)] }]

/** Two days later, when the zones that leave are not served any longer. */
async function endLeaving(): Promise<void> {
  await zonesDb.query('update zones set leaves_at = now() where leaves_at is not null')
  await repairAllZones(app)
}

let kept = new Kept()
let app: App
beforeEach(async () => {
  kept = new Kept()
  app = await startEmpty(kept)
})

describe('a holding', () => {
  it('on our own name servers gets a zone, in the order of the setting', async () => {
    const id = await hold({ name: 'a.com', nameservers: ['ns2.ours.net', 'ns1.ours.net'] })
    const zone = await zoneOf('a.com')
    assert.deepEqual([zone?.domain_id, zone?.state, zone?.customer_id], [id, 'served', ada])
    assert.deepEqual(zone?.nameservers, ['ns1.ours.net', 'ns2.ours.net'])
    const now = BigInt(Math.floor(Date.now() / 1000))
    assert.ok(BigInt(String(zone?.serial)) <= now && BigInt(String(zone?.serial)) > now - 60n)
  })

  it('on any other gets none: one of them is enough, and so is none at all', async () => {
    await hold({ name: 'a.com', nameservers: ['ns1.ours.net', 'ns1.theirs.net'] })
    await hold({ name: 'b.com', nameservers: ['ns1.theirs.net', 'ns2.theirs.net'] })
    await hold({ name: 'c.com', nameservers: [] })
    assert.deepEqual(await zonesDb.query('select name from zones'), [])
  })

  it('keeps zone and serial through changes without an effect', async () => {
    await hold({ name: 'a.com' })
    const before = await zoneOf('a.com')
    await move('a.com', ['ns2.ours.net', 'ns1.ours.net'])
    await zonesDb.query(
      'update domains set registry_expiry = now(), ended_at = null, end_reason = null',
    )
    assert.deepEqual(await zoneOf('a.com'), before)
    await move('a.com', own)
    const after = await zoneOf('a.com')
    assert.equal(after?.serial, BigInt(String(before?.serial)) + 1n)
    assert.deepEqual(after?.nameservers, own)
  })

  it('leaves nothing to the next holder of its name', async () => {
    const first = await hold({ name: 'a.com' })
    await record(first, 'www.a.com', '192.0.2.1')
    await pushDueZones(app, kept, 10)
    await end('a.com')
    await hold({ name: 'a.com', customer: bob })
    const found = await find(['www.a.com', 'a.com'])
    assert.deepEqual(
      found?.names.map(({ sets, exists }) => [sets, exists]),
      [
        [[], false],
        [[], false],
      ],
    )
    await pushDueZones(app, kept, 10)
    assert.deepEqual(kept.zones.get('a.com')?.sets, [])
  })
})

describe('the records of a holding', () => {
  it('are served for two days after a move to other name servers, and again on return', async () => {
    const addressOf = async () => {
      const found = await find(['www.a.com', 'a.com'])
      return found?.names[0]?.sets[0]?.rdata[0]?.join('.')
    }
    const id = await hold({ name: 'a.com' })
    await record(id, 'www.a.com', '192.0.2.1')
    for (const away of [
      ['ns1.theirs.net', 'ns2.theirs.net'],
      ['ns1.ours.net', 'ns1.theirs.net'],
    ]) {
      const before = await zoneOf('a.com')
      await move('a.com', away)
      await repairAllZones(app)
      assert.equal(await addressOf(), '192.0.2.1')
      const leaving = await zoneOf('a.com')
      assert.deepEqual(leaving?.nameservers, away, 'resolvers that ask learn the new delegation')
      assert.ok(Number(leaving?.serial) > Number(before?.serial))
      const [left] = await zonesDb.query(
        `select leaves_at between now() + interval '47 hours' and now() + interval '49 hours' as ok
           from zones`,
      )
      assert.equal(left?.ok, true)
      await move('a.com', ['ns3.theirs.net'])
      assert.deepEqual((await zoneOf('a.com'))?.nameservers, ['ns3.theirs.net'])
      await endLeaving()
      assert.equal(await zoneOf('a.com'), undefined)
      assert.equal(await addressOf(), undefined)
      await move('a.com', own)
      assert.equal(await addressOf(), '192.0.2.1')
      assert.equal((await zoneOf('a.com'))?.leaves_at, null)
    }
  })

  it('stay served where the domain returns before that, and are not served without any', async () => {
    const id = await hold({ name: 'a.com' })
    await record(id, 'a.com', '192.0.2.1')
    await move('a.com', ['ns1.theirs.net', 'ns2.theirs.net'])
    await move('a.com', own)
    await endLeaving()
    const zone = await zoneOf('a.com')
    assert.deepEqual([zone?.nameservers, zone?.leaves_at], [own, null])
    await move('a.com', [])
    assert.equal(await zoneOf('a.com'), undefined)
  })

  it('end with it, as the zone does, also while it is on other name servers', async () => {
    for (const away of [false, true]) {
      await clear()
      const id = await hold({ name: 'a.com' })
      await record(id, 'a.com', '192.0.2.1')
      if (away) await move('a.com', ['ns1.theirs.net', 'ns2.theirs.net'])
      await end('a.com')
      assert.equal(await zoneOf('a.com'), undefined)
      assert.deepEqual(await zonesDb.query('select * from zone_records'), [])
    }
  })

  it('reach a provider again when it returns', async () => {
    const id = await hold({ name: 'a.com' })
    await record(id, 'www.a.com', '192.0.2.1')
    await pushDueZones(app, kept, 10)
    await move('a.com', ['ns1.theirs.net', 'ns2.theirs.net'])
    await pushDueZones(app, kept, 10)
    assert.deepEqual(kept.zones.get('a.com')?.nameservers, ['ns1.theirs.net', 'ns2.theirs.net'])
    await endLeaving()
    await pushDueZones(app, kept, 10)
    assert.equal(kept.zones.get('a.com'), undefined)
    await move('a.com', own)
    await pushDueZones(app, kept, 10)
    assert.deepEqual(
      kept.zones.get('a.com')?.sets.flatMap(({ rdata }) => rdata),
      [octetsOf('192.0.2.1')],
    )
  })
})

describe('a change of the own name servers', () => {
  it('is noticed at the start: zones come and go', async () => {
    const theirs = ['ns1.theirs.net', 'ns2.theirs.net']
    const id = await hold({ name: 'ours.com' })
    await record(id, 'ours.com', '192.0.2.1')
    await hold({ name: 'theirs.com', nameservers: theirs })
    await hold({ name: 'ended.com', nameservers: theirs })
    await end('ended.com')
    const DEFAULT_NAMESERVERS = 'NS1.theirs.net.,ns2.theirs.net'
    await openZones(appOver(zonesDb, { settings: { DEFAULT_NAMESERVERS } }))
    assert.deepEqual(await zonesDb.query('select name from zones'), [{ name: 'theirs.com' }])
    await openZones(app)
    assert.deepEqual(await zonesDb.query('select name from zones'), [{ name: 'ours.com' }])
    // A wrong setting, once repaired, has cost no record.
    const found = await find(['ours.com'])
    assert.equal(found?.names[0]?.sets[0]?.rdata[0]?.join('.'), '192.0.2.1')
  })

  it('that a purchase missed is repaired later, also more than fit at once', async () => {
    await zonesDb.query('alter table domains disable trigger domains_zone_insert')
    for (let i = 0; i < 3; i += 1) await hold({ name: `missed-${i}.com` })
    await zonesDb.query(
      `insert into domains (name, customer_id, order_id, registry, expiry,
                            registry_expiry, nameservers, period_years, epp_statuses, rgp_statuses,
                            contacts, registered_at)
       select 'many-' || i || '.com', $2, 'ord', 'thin', now(), now(), $1, 1, '{}',
              '{}', '{}', now() from generate_series(1, 1200) i`,
      [own, ada],
    )
    await zonesDb.query('alter table domains enable trigger domains_zone_insert')
    assert.deepEqual(await zonesDb.query('select name from zones'), [])
    assert.equal(await repairAllZones(app), 1203)
    assert.equal(await repairAllZones(app), 0)
  })
})

describe('the records of a name', () => {
  it('is found in the longest zone, with wildcards and what is below', async () => {
    const id = await hold({ name: 'a.com' })
    await hold({ name: 'b.a.com' })
    for (const [name, value] of [
      ['a.com', '192.0.2.1'],
      ['*.w.a.com', '192.0.2.2'],
      ['x.y-z.a.com', '192.0.2.3'],
    ] as const)
      await record(id, name, value)
    const deep = await find(['q.w.a.com', 'w.a.com', 'a.com'])
    assert.deepEqual(deep?.names, [
      { name: 'q.w.a.com', sets: [], exists: false, wildcard: null, has_below: false },
      { name: 'w.a.com', sets: [], exists: false, wildcard: at('192.0.2.2'), has_below: true },
      { name: 'a.com', sets: at('192.0.2.1'), exists: true, wildcard: null, has_below: true },
    ])
    // "y" is no beginning of "y-z".
    assert.equal((await find(['y.a.com', 'a.com']))?.names[0]?.has_below, false)
    assert.equal((await find(['y-z.a.com', 'a.com']))?.names[0]?.has_below, true)
    assert.equal((await find(['c.b.a.com', 'b.a.com', 'a.com']))?.zone.name, 'b.a.com')
    const above = await find(['b.a.com', 'a.com'], ['a.com'])
    assert.deepEqual([above?.zone.name, above?.names[0]?.name], ['a.com', 'b.a.com'])
    assert.equal(await find(['b.com']), undefined)
    const { addresses } = zoneStore(zonesDb.database)
    const zone = { id: String(id), name: 'a.com', serial: 1, nameservers: own }
    const found = await addresses(zone, ['*.w.a.com', 'nothing.a.com'])
    const sets = new Map(found.map((one) => [one.name, one.sets]))
    assert.deepEqual(sets.get('*.w.a.com'), at('192.0.2.2'))
    assert.deepEqual(sets.get('nothing.a.com'), [])
  })

  it('is gone once the holding has ended, though that is not pushed to the provider yet', async () => {
    await hold({ name: 'a.com' })
    await pushDueZones(app, kept, 10)
    await end('a.com')
    assert.equal((await zoneOf('a.com'))?.state, 'dropped')
    assert.equal(await find(['a.com']), undefined)
  })
})

// The provider of DNS gets every new, changed and deleted zone, whatever fails in between.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { appOver } from '../../../../test/support/test-pipeline.ts'
import type { App } from '../../../app.ts'
import { pushZones } from './push-zones.job.ts'
import { pushDueZones, pushZone } from './zone-push.ts'
import {
  ada,
  bob,
  dnsOf,
  due,
  end,
  hold,
  Kept,
  move,
  own,
  pushTaskOf,
  record,
  settings,
  startEmpty,
  zoneOf,
  zonesDb,
} from './zones.fixture.ts'
import { openZones } from './zones.ts'

let kept = new Kept()
let app: App
beforeEach(async () => {
  kept = new Kept()
  app = await startEmpty(kept)
})

describe('the provider', () => {
  it('gets new, changed and dropped zones once', async () => {
    const id = await hold({ name: 'a.com' })
    await record(id, 'www.a.com', '192.0.2.1')
    const call = Object(null)
    assert.deepEqual(await pushZones.run(app, call), { more: false })
    await pushZones.run(app, call)
    await move('a.com', own)
    await pushZones.run(app, call)
    await end('a.com')
    await pushZones.run(app, call)
    await pushZones.run(app, call)
    assert.deepEqual(kept.calls, ['put a.com', 'put a.com', 'drop a.com'])
    assert.equal(kept.zones.size, 0)
    assert.equal(await zoneOf('a.com'), undefined)
  })

  it('that fails gets them again, with backoff, and nothing is lost', async () => {
    await hold({ name: 'a.com' })
    kept.failure = { kind: 'failed', reason: 'unreachable', message: 'it is down' }
    assert.deepEqual(await pushDueZones(app, kept, 10), { pushed: 0, failed: 1 })
    assert.deepEqual(await pushDueZones(app, kept, 10), { pushed: 0, failed: 0 })
    const first = await pushTaskOf('a.com')
    assert.deepEqual([first?.attempts, first?.last_error], [1, 'it is down'])
    await due()
    await pushDueZones(app, kept, 10)
    const waits = async () =>
      (
        await zonesDb.query(`select extract(epoch from run_at - clock_timestamp())::float8 as s
                         from tasks where kind = 'push_zone'`)
      )[0]?.s
    const pause = Number(await waits())
    assert.ok(pause > 3 && pause <= 4, `${pause} s`)
    kept.failure = null
    await due()
    assert.deepEqual(await pushDueZones(app, kept, 10), { pushed: 1, failed: 0 })
    assert.ok(kept.zones.has('a.com'))
    assert.equal(await pushTaskOf('a.com'), undefined)
    assert.equal((await zoneOf('a.com'))?.pushed_serial, (await zoneOf('a.com'))?.serial)
  })
})

describe('the provider, during a push,', () => {
  it('gets what changed meanwhile by another push', async () => {
    await hold({ name: 'a.com' })
    kept.meanwhile = () => move('a.com', own)
    await pushDueZones(app, kept, 10)
    kept.meanwhile = async () => undefined
    assert.deepEqual(await pushDueZones(app, kept, 10), { pushed: 1, failed: 0 })
    assert.deepEqual(kept.zones.get('a.com')?.nameservers, own)
  })

  it('keeps a zone that came back while it was being dropped', async () => {
    await hold({ name: 'a.com' })
    await pushDueZones(app, kept, 10)
    await end('a.com')
    kept.meanwhile = () => hold({ name: 'a.com', customer: bob })
    await pushDueZones(app, kept, 10)
    kept.meanwhile = async () => undefined
    await pushDueZones(app, kept, 10)
    assert.deepEqual(kept.calls, ['put a.com', 'drop a.com', 'put a.com'])
    assert.ok(kept.zones.has('a.com'))
  })

  it('gets a zone from one node at a time; the other waits for it', async () => {
    await hold({ name: 'a.com' })
    const release = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    kept.meanwhile = () => {
      begun.resolve()
      return release.promise
    }
    const first = pushZone(app, 'a.com', 0)
    await begun.promise
    assert.equal((await pushZone(app, 'a.com', 0)).kind, 'failed')
    const second = pushZone(app, 'a.com', 10_000)
    release.resolve()
    assert.deepEqual([await first, await second], [{ kind: 'done' }, { kind: 'done' }])
    assert.deepEqual(kept.calls, ['put a.com'])
  })

  it('gets the zone from another node when the lease holder died, and a late one writes nothing', async () => {
    await hold({ name: 'a.com' })
    kept.meanwhile = () => zonesDb.query("update tasks set lease_until = now() - interval '1 s'")
    const late = new Kept()
    late.meanwhile = async () => {
      await zonesDb.query("update tasks set lease_until = now() - interval '1 s'")
      assert.deepEqual(await pushDueZones(app, kept, 10), { pushed: 1, failed: 0 })
      late.failure = { kind: 'failed', reason: 'unreachable', message: 'too late' }
    }
    await pushDueZones(app, late, 10)
    assert.equal(await pushTaskOf('a.com'), undefined)
    assert.equal((await zoneOf('a.com'))?.pushed_serial, (await zoneOf('a.com'))?.serial)
  })
})

/** How many zones wait for a push. */
async function queuedZones(): Promise<unknown> {
  const [row] = await zonesDb.query(`select count(*)::int from tasks where kind = 'push_zone'`)
  return row?.count
}

async function runAll(over: App): Promise<void> {
  while ((await pushZones.run(over, Object(null))).more);
}

/** A node that is started with this provider, over the same database. */
async function started(provider: Kept | null): Promise<App> {
  const over = appOver(zonesDb, { settings, app: { dns: dnsOf(provider) } })
  await openZones(over)
  return over
}

describe('the queue of zones to push', () => {
  it('is empty with the name server in the process; a provider set later gets all', async () => {
    const embedded = await started(null)
    const names = Array.from({ length: 1_203 }, (_, i) => `n${i}.com`)
    for (const name of names) await hold({ name })
    await move('n1.com', own)
    await end('n2.com')
    await runAll(embedded)
    assert.equal(await queuedZones(), 0)
    await move('n1.com', own.slice(0, 2))
    assert.equal(await queuedZones(), 0)
    await runAll(embedded)
    assert.equal(await queuedZones(), 0)
    assert.deepEqual(await pushZone(embedded, 'n1.com', 0), { kind: 'done' })
    assert.equal((await zoneOf('n1.com'))?.pushed_serial, null)
    await runAll(await started(kept))
    assert.deepEqual([...kept.zones.keys()].sort(), names.filter((one) => one !== 'n2.com').sort())
    assert.equal(await queuedZones(), 0)
  })

  it('has every zone again for another provider, and none for the same one', async () => {
    await hold({ name: 'a.com' })
    await hold({ name: 'b.com' })
    await runAll(app)
    await runAll(await started(kept))
    assert.deepEqual(kept.calls.sort(), ['put a.com', 'put b.com'])
    const other = new Kept('other')
    await runAll(await started(other))
    assert.deepEqual(other.calls.sort(), ['put a.com', 'put b.com'])
    assert.equal(await queuedZones(), 0)
  })

  it('keeps what a provider has to drop until the service is started with it again', async () => {
    await hold({ name: 'a.com' })
    await hold({ name: 'b.com' })
    await runAll(app)
    const embedded = await started(null)
    await end('a.com')
    await runAll(embedded)
    assert.equal(await queuedZones(), 0)
    await runAll(await started(kept))
    assert.deepEqual([...kept.zones.keys()], ['b.com'])
    assert.equal(await zoneOf('a.com'), undefined)
  })

  it('is left alone by nodes that still run with the previous provider', async () => {
    await hold({ name: 'a.com' })
    const embedded = await started(null)
    const other = new Kept('other')
    // The push of the node before ends after the other provider was set.
    kept.meanwhile = async () => {
      kept.meanwhile = async () => undefined
      const later = await started(other)
      await runAll(embedded)
      await runAll(app)
      await runAll(later)
    }
    await started(kept)
    await runAll(app)
    assert.deepEqual([kept.calls, other.calls], [['put a.com'], ['put a.com']])
    await move('a.com', own)
    await runAll(embedded)
    await runAll(app)
    assert.equal((await pushZone(app, 'a.com', 0)).kind, 'failed')
    assert.equal(await queuedZones(), 1)
  })
})

describe('a change of the provider', () => {
  it('enqueues the zone of a transaction that is open while the provider is set', async () => {
    await started(null)
    const provider = new Kept('late')
    const client = new pg.Client(zonesDb.url)
    await client.connect()
    await client.query('begin')
    await client.query("insert into zones values ('a.com', 1, $1, '{}', 1, 'served')", [ada])
    const starting = started(provider)
    const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
      where not l.granted and l.relation = 'zones'::regclass and d.datname = current_database()`
    while ((await zonesDb.query(waiting)).length === 0) await zonesDb.query('select pg_sleep(0.01)')
    await client.query('commit')
    await client.end()
    await runAll(await starting)
    assert.deepEqual([...provider.zones.keys()], ['a.com'])
  })
})

// The price list and its sync, over the pipeline, a real database and the two sandbox registries.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { type Sandbox, startSandbox } from '../../../sandbox/registry/index.ts'
import { endpointsOf } from '../../../test/support/service.ts'
import { testPipeline } from '../../../test/support/test-pipeline.ts'
import { loadRegistriesFile } from '../../adapters/registry/config/registries-file.ts'
import { openRegistries, type Registries } from '../../adapters/registry/registries.ts'
import { systemCall } from '../audit/index.ts'
import { openQuotes, operations, quoteRegistration } from './index.ts'
import { syncPricesJob } from './sync-prices.job.ts'

const path = resolve(import.meta.dirname, '../../../registries.yaml')
const sandbox = await startSandbox({ data_dir: null, pki_dir: process.env.TEST_PKI_DIR })
const registries = open(sandbox)
const pipeline = await testPipeline({ operations, app: { registries } })

function open(running: Sandbox): Registries {
  const endpoints = endpointsOf(running)
  const log = pino({ level: 'silent' })
  return openRegistries(
    loadRegistriesFile(path, () => undefined),
    {
      endpoints,
      log,
    },
  )
}

afterEach(() => sandbox.clearFaults())
after(async () => {
  await registries.close()
  await sandbox.close()
})

const sync = () =>
  pipeline.call('POST /v1/pricing/tlds/sync', { token: pipeline.operator, body: {} })
const list = async (query: Record<string, string> = {}) => {
  const { status, body } = await pipeline.call('GET /v1/pricing/tlds', { query })
  assert.equal(status, 200)
  const tlds: Record<string, unknown>[] = Array.isArray(body.tlds) ? body.tlds : []
  return tlds
}

describe('the price list', () => {
  it('says that nothing is known before the first sync', async () => {
    const tlds = await list()
    assert.equal(tlds.length, 16)
    for (const tld of tlds) assert.deepEqual([tld.register, tld.updated_at], [null, null])
    const quoteOf = await quoteRegistration(pipeline.app, 'USD')
    assert.equal(quoteOf({ tld: 'com', years: 1, checked: null }), undefined)
  })

  it('is filled by a sync, which leaves an audit row', async () => {
    const { status, body } = await sync()
    assert.equal(status, 200)
    assert.equal(Array(body.added).flat().length, 16 * 4 * 2)
    assert.deepEqual([body.changed, body.unchanged, body.failed], [[], 0, []])
    const [row] = await pipeline.db.query(
      `select actor_type, metadata from audit_logs where action = 'sync_tld_prices'`,
    )
    assert.equal(row?.actor_type, 'operator')
  })

  it('shows cost and margin in dollars, to anyone', async () => {
    const [com] = await list({ tlds: '.COM' })
    assert.equal(com?.tld, 'com')
    assert.equal(com?.register, '10.85')
    assert.equal(com?.restore, '44.30')
    assert.equal(com?.currency, 'USD')
    assert.equal(com?.contacts, 'prohibited')
    assert.deepEqual(com?.periods, { min: 1, max: 10 })
    assert.match(String(com?.updated_at), /^\d{4}-.*Z$/)
  })

  it('shows the same in euros, by the rate of the file', async () => {
    const [com] = await list({ tlds: 'com', currency: 'EUR' })
    assert.equal(com?.register, '9.98')
  })

  it('lists the requested TLDs that are not sold', async () => {
    assert.deepEqual(await list({ tlds: 'nl' }), [])
    const listed = async (tlds?: string[]) => {
      const query = tlds === undefined ? {} : { tlds }
      const { body } = await pipeline.call('GET /v1/pricing/tlds', { query })
      const shown = Object(body).tlds.map(({ tld }: { tld: string }) => tld)
      return [shown.length > 3 ? shown.length : shown, body.not_sold]
    }
    assert.deepEqual(await listed(['.NL', 'com', 'zz', 'nl']), [['com'], ['nl', 'zz']])
    assert.deepEqual(await listed(), [16, []])
  })

  it('refuses another currency and what is no TLD', async () => {
    for (const query of [{ currency: 'GBP' }, { tlds: 'c om' }])
      assert.equal((await pipeline.call('GET /v1/pricing/tlds', { query })).status, 422)
  })
})

describe('a further sync', () => {
  it('reports what changed, and quotes go by it at once', async () => {
    await pipeline.db.query(`update tld_prices set price = 1, cost = 1 where tld = 'com'`)
    await pipeline.db.query(`delete from tld_prices where tld = 'net' and currency = 'EUR'`)
    const { body } = await sync()
    const changed = Array(body.changed).flat()
    assert.equal(changed.length, 8)
    assert.deepEqual(changed[0], {
      tld: 'com',
      action: 'register',
      currency: 'USD',
      old: '0.01',
      new: '10.85',
    })
    assert.equal(Array(body.added).flat().length, 4)
    assert.equal(body.unchanged, 128 - 8 - 4)
    const quoteOf = await openQuotes(pipeline.app, 'USD')
    const asked = { action: 'renew', tld: 'xyz', years: 2, checked: null } as const
    assert.equal(quoteOf(asked)?.amount, 2n * 1150n)
    assert.equal(quoteOf(asked)?.fee?.amount, '20.36')
  })

  it('leaves the prices of a registry that does not answer, and says so', async () => {
    sandbox.setFault({ name: 'fail_2400', registry: 'thick', command: 'domain:check', times: null })
    const { status, body } = await sync()
    assert.equal(status, 200)
    assert.deepEqual(
      Array(body.failed)
        .flat()
        .map((failure) => Object(failure).tld),
      ['test', 'example', 'io', 'ai', 'xyz', 'co', 'xn--p1ai'],
    )
    const [io] = await list({ tlds: 'io' })
    assert.equal(io?.register, '35.50')
  })

  it('is for operators only', async () => {
    const { key } = await pipeline.customer()
    const { status, body } = await pipeline.call('POST /v1/pricing/tlds/sync', {
      token: key,
      body: {},
    })
    assert.equal(status, 403)
    assert.equal(body.code, 'operator_only')
  })
})

describe('a quote by the registry itself', () => {
  it('of a premium name is the fee and the margin', async () => {
    const quoteOf = await quoteRegistration(pipeline.app, 'USD')
    const registry = registries.byTld.get('com')?.registry
    const [checked] =
      (await registry?.check(['casino.com'], { priority: 'normal', fees: true })) ?? []
    assert.ok(checked)
    const found = quoteOf({ tld: 'com', years: 2, checked })
    assert.equal(found?.premium, true)
    assert.equal(found?.fee?.amount, '300.00')
    assert.equal(found?.amount, 2n * 16_530n)
  })

  it('of an ordinary name acknowledges the fee that the registry then charges', async () => {
    const quoteOf = await quoteRegistration(pipeline.app, 'EUR')
    const registry = registries.byTld.get('com')?.registry
    const domain = 'plain-price.com'
    const [checked] = (await registry?.check([domain], { priority: 'normal', fees: true })) ?? []
    const found = checked && quoteOf({ tld: 'com', years: 3, checked })
    assert.ok(registry && found)
    const outcome = await registry.register(
      {
        domain,
        period_years: 3,
        nameservers: ['ns1.example.net', 'ns2.example.net'],
        registrant: null,
        contacts: [],
        auth_info: 'Long-enough-1-secret',
        fee: found.fee,
      },
      { cl_trid: 'pricing-test-1', priority: 'purchase', at: () => undefined },
    )
    assert.equal(outcome.kind, 'done')
    assert.notEqual(sandbox.lookup(domain), null)
  })
})

describe('the job', () => {
  const run = () => syncPricesJob.run(pipeline.app, systemCall(pipeline.app, syncPricesJob.name))
  const age = (hours: number) =>
    pipeline.db.query(`update tld_prices set synced_at = now() - $1::int * interval '1 hour'`, [
      hours,
    ])
  const stale = async () => {
    const rows = await pipeline.db.query(
      `select distinct tld from tld_prices
        where synced_at < now() - interval '1 hour' order by tld`,
    )
    return rows.map(({ tld }) => String(tld))
  }
  const rowsOfLog = async () => {
    const [row] = await pipeline.db.query(
      `select count(*)::int as rows from audit_logs where action = 'sync_tld_prices'`,
    )
    return Number(row?.rows)
  }
  const checks = () => {
    const { thin, thick } = sandbox.counters()
    return [thin, thick].map(({ commands }) => commands['domain:check']?.received ?? 0)
  }

  it('comes every minute, and reads nothing while all prices are of today', async () => {
    assert.ok(syncPricesJob.every_ms <= 60_000)
    assert.equal((await sync()).status, 200)
    const before = checks()
    await age(23)
    await run()
    assert.deepEqual(checks(), before)
    assert.equal((await stale()).length, 16)
  })

  it('retries only the prices that could not be read, a minute later', async () => {
    await age(25)
    const thick = ['ai', 'co', 'example', 'io', 'test', 'xn--p1ai', 'xyz']
    sandbox.setFault({ name: 'fail_2400', registry: 'thick', command: 'domain:check', times: null })
    await run()
    assert.deepEqual(await stale(), thick)
    const [thin, failed] = checks()
    const logged = await rowsOfLog()
    await run()
    assert.deepEqual(await stale(), thick)
    assert.equal(checks()[0], thin)
    assert.ok((checks()[1] ?? 0) > (failed ?? 0))
    assert.equal(await rowsOfLog(), logged)
    sandbox.clearFaults()
    await run()
    assert.deepEqual(await stale(), [])
    assert.equal(checks()[0], thin)
    assert.equal(await rowsOfLog(), logged + 1)
  })

  it('reads a TLD of which no price is known, or only those of another registry', async () => {
    await pipeline.db.query(`delete from tld_prices where tld = 'io'`)
    await pipeline.db.query(`update tld_prices set registry = 'gone' where tld = 'com'`)
    await run()
    const [io] = await list({ tlds: 'io' })
    const [com] = await list({ tlds: 'com' })
    assert.deepEqual([io?.register, com?.register], ['35.50', '10.85'])
  })
})

// Two versions of the service on one database: the next one migrates and replaces a function while
// the version before buys, renews, restarts and takes over again.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { own_migrations } from '../../src/db/migrate/migration-files.ts'
import { MigrationError } from '../../src/db/postgres/errors.ts'
import {
  copyOf,
  edit,
  functions,
  scratch,
  second,
  third,
  thisVersion,
} from '../disasters/support/next-version.ts'
import { type RunningNode, startNode } from '../disasters/support/nodes.ts'
import { newDatabase } from '../support/database.ts'
import { type Answer, startService, type TestService } from '../support/service.ts'

const database_url = await newDatabase('template_of_tests')
const owner = new pg.Pool({ connectionString: database_url, max: 2 })
owner.on('error', () => undefined)
after(() => owner.end())
const rows = async (text: string) => (await owner.query(text)).rows

// Every node may seal the audit log, as in a cluster.
const { privateKey } = generateKeyPairSync('ed25519')
const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
const settings = { AUDIT_SIGNING_KEY: key }
const first = await startService({ database_url, settings })
const { sandbox, mailbox } = first
const older = () => startService({ database_url, sandbox, mailbox, settings })
const nodes: RunningNode[] = []
after(() => Promise.all(nodes.map((node) => node.kill())))

/** A node of another version's tree. */
async function startOf(tree: string): Promise<RunningNode> {
  const place = { database_url, data_dir: scratch, sandbox, settings }
  const node = await startNode(place, {
    tree,
    worker: true,
    settings: {
      ENCRYPTION_KEY: Buffer.alloc(32, 'k').toString('base64'),
      OPERATOR_KEY: first.operatorKey,
      SMTP_URL: mailbox.url,
    },
  })
  nodes.push(node)
  return node
}

const buyer = await first.customer({ funds_cents: 100_000 })
const bought: string[] = []

async function ask({ url }: { url: string }, at: string, body?: object) {
  const [method = '', path] = at.split(' ')
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.equal(response.status, 200, `${at}: ${text}`)
  const answer: Answer['body'] = JSON.parse(text)
  return answer
}

type At = Pick<TestService, 'url'>

/** Each node buys, renews a domain that the other bought, and reads those of both. */
async function tradeOn(one: At, other: At, round: string): Promise<void> {
  const buy = async (at: At, label: string) => {
    const domain = `${label}-${round}.com`
    assert.equal((await ask(at, 'POST /v1/domains', { domain })).status, 'active')
    bought.push(domain)
    return domain
  }
  const labels = ['a', 'b', 'c']
  const [ones, others] = await Promise.all([
    Promise.all(labels.map((label) => buy(one, `one-${label}`))),
    Promise.all(labels.map((label) => buy(other, `other-${label}`))),
  ])
  const renew = async (at: At, domain: string) => {
    const { expiry } = await ask(at, `POST /v1/domains/${domain}/renew`, {})
    assert.equal(expiry, sandbox.lookup(domain)?.expires_at)
  }
  await Promise.all([
    ...others.map((domain) => renew(one, domain)),
    ...ones.map((domain) => renew(other, domain)),
  ])
  const reads = [one, other].flatMap((at) =>
    [...ones, ...others].map((domain) => ask(at, `GET /v1/domains/${domain}`)),
  )
  for (const { status } of await Promise.all(reads)) assert.equal(status, 'active')
}

const placedBy = async (round: string) =>
  await rows(`select distinct split_part(domain, '-', 1) as node, placed_by from orders
               where domain like '%-${round}.com' and type = 'register' order by 1, 2`)
const applied = () => rows('select name, sha256, version from schema_functions order by name')

const tree = second()

test('a function that changes its signature in place is refused in one line', async () => {
  const changed = copyOf(thisVersion, 'changed')
  edit(changed, functions, (text) =>
    text.replace('function orders_place(batch jsonb)', 'function orders_place(batch jsonb, n int)'),
  )
  const before = await applied()
  await assert.rejects(
    migrate({
      url: database_url,
      folder: own_migrations,
      functions: join(changed, 'src/db/functions'),
    }),
    (error: unknown) => {
      assert.ok(error instanceof MigrationError, String(error))
      assert.match(error.message, /^Function orders_place.* would become .*another name\.$/)
      return true
    },
  )
  assert.deepEqual(await applied(), before)
})

test('both versions buy, renew and read on one database, and the older one restarts', async () => {
  const next = await startOf(tree)
  assert.deepEqual((await rows('select max(number) as newest from schema_migrations'))[0], {
    newest: 9002,
  })
  await tradeOn(first, next, 'meanwhile')
  assert.deepEqual(await placedBy('meanwhile'), [
    { node: 'one', placed_by: null },
    { node: 'other', placed_by: 'second' },
  ])
  const functionsOfNext = await applied()
  const again = await older()
  assert.match(again.service.notes.join('\n'), /WARNING: a newer version .*9002-placed-by/)
  assert.deepEqual(await applied(), functionsOfNext, 'no function file of the older version')
  await tradeOn(again, next, 'restarted')
  await next.kill()
  await tradeOn(first, again, 'rolled-back')
  assert.deepEqual(await applied(), functionsOfNext)
})

test('the version after next drops the function; the first one is refused then', async () => {
  const [next, last] = [await startOf(tree), await startOf(third(tree))]
  await tradeOn(next, last, 'last')
  assert.deepEqual(await rows(`select from pg_proc where proname = 'orders_place'`), [])
  await assert.rejects(older(), (error: unknown) => {
    assert.ok(error instanceof MigrationError, String(error))
    assert.match(error.message, /has migration 9003-drop-orders-place, which needs version 9002/)
    return true
  })
  const report = await migrate({
    url: database_url,
    folder: join(tree, 'src/db/migrations'),
    functions: join(tree, 'src/db/functions'),
  })
  assert.deepEqual([report.newer, report.functions], [['9003-drop-orders-place'], []])
  await tradeOn(next, last, 'second-again')
})

test('no request of either version failed', async () => {
  const states = await rows(
    `select type, state, count(*)::int as orders from orders group by type, state order by type`,
  )
  assert.deepEqual(states, [
    { type: 'register', state: 'succeeded', orders: bought.length },
    { type: 'renew', state: 'succeeded', orders: bought.length },
  ])
  assert.deepEqual(
    first.logs.filter((line) => JSON.parse(line).level >= 50),
    [],
  )
  assert.deepEqual(await rows('select kind, last_error from tasks_dead'), [])
})

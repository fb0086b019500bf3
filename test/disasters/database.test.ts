// Database failures: a commit whose answer is lost, and backends that are terminated repeatedly
// while purchases run.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestCustomer } from '../support/service.ts'
import { type Case, commands, plainCase } from './matrix/cases.ts'
import { openProxy } from './support/database-proxy.ts'
import { startSetup } from './support/disaster-setup.ts'
import { inParallel } from './support/parallel.ts'
import { openActors, prepare } from './support/prepare.ts'
import { post, requestOf } from './support/requests.ts'
import { assertBought, finish } from './support/run-to-completion.ts'

const setup = await startSetup()
const actors = openActors(setup.sandbox)
const proxy = await openProxy(setup.place.database_url)
after(async () => {
  proxy.close()
  await actors.close()
})

const cuts = ['orders_place', 'orders_settle'].flatMap((statement) =>
  (['answer', 'request'] as const).map((loses) => ({ statement, loses })),
)

test('a commit whose answer is lost counts once', async () => {
  const cases = cuts.flatMap((_, i) =>
    commands.map((command, j) => {
      return plainCase({ number: i * 4 + j, command, domain: `cut-${i}-${command}.net` })
    }),
  )
  const buyers = await prepare({ setup, actors, cases })
  const node = await setup.node({ settings: { DATABASE_URL: proxy.url } })
  for (const one of cases) {
    const how = cuts[Math.floor(one.number / 4)]
    const buyer = buyers.get(one.number)
    assert.ok(how && buyer)
    // A transfer is completed later, by the settle job.
    const settles = how.statement === 'orders_settle' && one.command === 'transfer'
    const cut = settles ? Promise.resolve() : proxy.cut(how)
    const answer = await post(node.url, requestOf(one, buyer))
    await cut
    assert.equal(answer.status, 200, `${JSON.stringify(how)} ${one.command}: ${answer.text}`)
  }
  await finish(setup, { actors, node, cases })
  await node.kill()
  await assertBought(setup, cases)
})

test('a commit whose answer is lost because the node died counts once', async () => {
  const cases = commands.map((command, number) =>
    plainCase({ number, command, domain: `cut-dead-${command}.org` }),
  )
  const buyers = await prepare({ setup, actors, cases })
  await inParallel(cases, 1, async (one) => {
    const buyer = buyers.get(one.number)
    assert.ok(buyer)
    const node = await setup.node({ settings: { DATABASE_URL: proxy.url } })
    const cut = proxy.cut({ statement: 'orders_place', loses: 'answer' })
    const answer = post(node.url, requestOf(one, buyer)).catch(() => null)
    await cut
    await node.kill()
    await answer
  })
  const node = await setup.node()
  await finish(setup, { actors, node, cases })
  await node.kill()
  await assertBought(setup, cases)
})

/** Repeats the request until the order exists: sent, or held by an earlier request. */
async function insist(url: string, one: Case, buyer: TestCustomer): Promise<void> {
  let last = ''
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const { status, body, text } = await post(url, requestOf(one, buyer))
    if (status === 200 || body.code === 'idempotency_key_in_use') return
    assert.equal(status, 503, text)
    last = text
    await pause(100)
  }
  assert.fail(`${one.domain} is never bought: ${last}`)
}

test('repeatedly terminated backends lose nothing and double nothing', async () => {
  const cases = Array.from({ length: 32 }, (_, number) => {
    const command = commands[number % commands.length] ?? 'register'
    return plainCase({ number, command, domain: `ended-${number}.com` })
  })
  const buyers = await prepare({ setup, actors, cases })
  const node = await setup.node()
  let running = true
  let ended = 0
  // Uses growing pauses, because a statement that takes longer than the pause, such as the first
  // one of a new connection on a slow machine, would never end.
  const begun = Date.now()
  const ending = (async () => {
    while (running) {
      const rows = await setup.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name <> 'auditor'
            and state in ('active', 'idle in transaction') and pid <> pg_backend_pid()`,
      )
      ended += rows.length
      await pause(10 + (Date.now() - begun) / 50)
    }
  })()
  await inParallel(cases, 6, async (one) => {
    const buyer = buyers.get(one.number)
    assert.ok(buyer)
    await insist(node.url, one, buyer)
  })
  running = false
  await ending
  assert.ok(ended > 0, 'no backend was ended')
  await finish(setup, { actors, node, cases })
  await node.kill()
  await assertBought(setup, cases)
})

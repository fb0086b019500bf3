// Bulkheads: a registry that is silent holds up the work of no other one, in any job.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../../test/support/service.ts'
import type { Job } from '../../app.ts'
import { autoRenew } from './expiry/auto-renew.job.ts'
import { deleteUnrenewed } from './expiry/delete-unrenewed.job.ts'
import { lifecycleService } from './holdings/lifecycle.fixture.ts'
import { syncDomains } from './holdings/sync-domains.job.ts'
import { settleOrders } from './orders/settle-orders.job.ts'
import { pollRegistries } from './poll/poll-messages.job.ts'
import { unsetAuthCodes } from './updates/auth-codes/expire-auth-codes.job.ts'
import { setOrderedNameservers } from './updates/set-ordered-nameservers.job.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-bulkheads-'))
const file = join(folder, 'registries.yaml')
const usual = readFileSync(join(import.meta.dirname, '../../../registries.yaml'), 'utf8')
// Longer than in life, so that a loaded machine does not end the silence before the test does.
const timeout_ms = 30_000
writeFileSync(file, usual.replaceAll('timeout_ms: 5000', `timeout_ms: ${timeout_ms}`))
const registrar = await lifecycleService(
  await startService({ settings: { REGISTRIES_FILE: file }, worker: false }),
)
const { sandbox } = registrar
after(() => rmSync(folder, { recursive: true, force: true }))

/** More than any job takes at once. */
const many = 24
const buyer = await registrar.customer({ funds_cents: 100_000_000 })
const silent = Array.from({ length: many }, (_, i) => `silent-${i}.com`)
const responsive = ['z-responsive-0.test', 'z-responsive-1.test']
for (const domain of [...silent, ...responsive]) await registrar.buys(buyer, domain)

beforeEach(async () => {
  sandbox.clearFaults()
  // Left by an earlier silence: the state of sessions and of the circuit breaker.
  for (const domain of ['silent-0.com', 'z-responsive-0.test'])
    while ((await registrar.request('GET', `/v1/domains/check/${domain}`)).status !== 200)
      await sleep(100)
})

const stopAnswering = () =>
  sandbox.setFault({ name: 'slow', registry: 'thin', times: null, delay_ms: 60_000 })
function answerAgain(): void {
  sandbox.clearFaults()
  sandbox.releaseDelayed()
}
/** Commands that the thick registry got, by the words of EPP. */
const got = (command: string) => sandbox.counters().thick.commands[command]?.received ?? 0
/** Sooner than a silence at the other registry ends. */
async function soon(what: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + timeout_ms - 500
  while (!(await what())) {
    assert.ok(performance.now() < end, 'the silent registry had its turn first')
    await sleep(20)
  }
}

const enqueued = (kind: string) =>
  `select tasks_enqueue('${kind}', id::text, registry,
     jsonb_build_object('domain_id', id::text), '2020-01-01', 'replace') from domains`

const due: Record<string, { job: Job; sql: string; command: string; times: number }> = {
  sync: {
    job: syncDomains,
    sql: `update domain_schedules set sync_at = '2020-01-01'`,
    command: 'domain:info',
    times: 2,
  },
  poll: { job: pollRegistries, sql: 'select', command: 'poll', times: 2 },
  'follow-up': {
    job: setOrderedNameservers,
    sql: `update domains set wanted_nameservers = '{ns1.example.net,ns9.example.net}';
          ${enqueued('set_ordered_nameservers')}`,
    command: 'domain:info',
    times: 1,
  },
  'automatic renewal': {
    job: autoRenew,
    sql: `update domains set auto_renew = true,
            expiry = now() + interval '3 days'
              + case when name like '%.test' then interval '1 day' else '0' end;
          update domain_schedules set auto_renew_at = '2020-01-01'`,
    command: 'domain:info',
    times: 2,
  },
  'authorization codes': {
    job: unsetAuthCodes,
    sql: `update domains set auth_code_hash = 'x', auth_code_expires_at = '2020-01-01',
            auth_code_unset_at = '2020-01-01'::timestamptz
              + case when name like '%.test' then interval '1 day' else '0' end;
          ${enqueued('unset_auth_code')}`,
    command: 'domain:update',
    times: 1,
  },
  // Last, as it ends the holdings.
  'unrenewed names': {
    job: deleteUnrenewed,
    sql: `update domains set auto_renew = false,
            expiry = now() - interval '41 days'
              + case when name like '%.test' then interval '1 day' else '0' end;
          update domain_schedules s set delete_at = d.expiry
            from domains d where d.id = s.domain_id`,
    command: 'domain:info',
    times: 2,
  },
}

// Past the triggers: a term moves only by what is paid, and these were not.
for (const [what, { job, sql, command, times }] of Object.entries(due))
  test(`${what}: the registry that answers is asked while the other one is silent`, async () => {
    await registrar.query(`set session_replication_role = replica; ${sql};
      set session_replication_role = origin`)
    const wanted = got(command) + times
    stopAnswering()
    const run = registrar.run(job)
    await soon(() => got(command) >= wanted)
    answerAgain()
    await run
    await registrar.query(`update domains set wanted_nameservers = null, auto_renew = false,
      auth_code_unset_at = null, auth_code_expires_at = null, auth_code_hash = null`)
  })

test('orders at the registry that answers are settled, also those that come later', async () => {
  const lost = async (domain: string) => {
    sandbox.setFault({ name: 'drop_before', command: 'domain:create', domain, times: 1 })
    const bought = await registrar.request('POST', '/v1/domains', {
      token: buyer.key,
      body: { domain },
    })
    assert.equal(bought.body.operation.state, 'unknown', bought.text)
  }
  const state = async (domain: string) => {
    const rows = await registrar.query('select state from orders where domain = $1', [domain])
    return rows.at(-1)?.state
  }
  const wake = (tld: string) =>
    registrar.query(
      `update orders set run_at = now(), lease_until = now()
        where closed_at is null and domain like '%.' || $1::text`,
      [tld],
    )
  for (let i = 0; i < many; i += 1) await lost(`open-${i}.com`)
  await lost('prompt.test')
  await wake('com')
  await wake('test')
  stopAnswering()
  const run = registrar.run(settleOrders)
  await soon(async () => (await state('prompt.test')) === 'succeeded')
  await lost('later.test')
  await wake('test')
  await soon(async () => (await state('later.test')) === 'succeeded')
  answerAgain()
  await run
})

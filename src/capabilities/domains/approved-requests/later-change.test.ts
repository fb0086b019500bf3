// An approved change whose registry does not answer is made later, but not over a newer change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../../../test/support/service.ts'
import { recentSessionOf } from '../../../../test/support/sign-in.ts'
import { systemCall } from '../../audit/index.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { endWithChange } from '../updates/approved-change.ts'
import { runApprovals } from './run-approvals.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const scopes = [
  'domains:read',
  'domains:write',
  'domains:purchase',
  'domains:transfer',
  'keys:write',
]
const theirs = ['ns1.example.net', 'ns2.example.net']
const own = ['ns1.example.org', 'ns2.example.org']
let names = 0

function request(token: string, at: string, body?: object) {
  const [method = '', path = ''] = at.split(' ')
  return registrar.request(method, path, { token, ...(body && { body }) })
}

/** A domain, the session of its owner, and a key that may need approvals. */
async function held({ protect = true, limits = {} } = {}) {
  const person = await registrar.customer({ funds_cents: 10_000, scopes })
  names += 1
  const domain = `later-${names}.com`
  await registrar.buys(person, domain)
  const keys = `/v1/customers/${person.id}/api-keys`
  const made = await request(person.key, `POST ${keys}`, { name: 'agent', scopes, ...limits })
  const session = await recentSessionOf(registrar, person)
  const of = `/v1/domains/${domain}`
  if (protect)
    for (const act of ['lock', 'protect'])
      assert.equal((await request(session, `POST ${of}/${act}`)).status, 200)
  return { domain, of, session, key: String(made.body.api_key) }
}

async function approved({ key, session }: { key: string; session: string }, at: string, body = {}) {
  const asked = await request(key, at, body)
  const id = String(asked.body.approval?.id)
  const answer = await request(session, `POST /v1/approvals/${id}/approve`, {})
  assert.equal(answer.status, 200, `${asked.text} ${answer.text}`)
  return id
}

/** Runs what waits, now. */
async function run(app?: object): Promise<void> {
  await registrar.query(
    `update tasks set run_at = now(), lease_until = null, lease_token = null
      where kind = 'run_approval'`,
  )
  await registrar.run(runApprovals, app && Object(app))
}

async function stateOf(session: string, id: string): Promise<string[]> {
  const { body } = await request(session, `GET /v1/approvals/${id}`)
  return [body.state, body.error?.code ?? body.error_code ?? null]
}

function silence(command: string, domain: string): void {
  registrar.sandbox.setFault({ name: 'fail_2400', command, domain, times: null })
}

/** An approved change of name servers that waits, as the registry did not answer. */
async function waitingNameservers(one: Awaited<ReturnType<typeof held>>): Promise<string> {
  const id = await approved(one, `PATCH ${one.of}`, { nameservers: theirs })
  silence('domain:info', one.domain)
  await run()
  registrar.sandbox.clearFaults()
  assert.deepEqual((await stateOf(one.session, id))[0], 'approved')
  return id
}

test('an unlock whose answer was lost does not unlock what the owner has locked since', async () => {
  const one = await held()
  const { domain, of, session } = one
  const id = await approved(one, `POST ${of}/unlock`)
  registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:update', domain, times: 1 })
  let frames = 0
  await run({
    ...registrar.app,
    // It is done at the registry, which does not answer from then on.
    reached: (step: string) => {
      if (step === 'frame_written' && frames++ === 0) silence('domain:info', domain)
    },
  })
  registrar.sandbox.clearFaults()
  assert.deepEqual((await stateOf(session, id))[0], 'approved')
  const locked = await request(session, `POST ${of}/lock`)
  assert.deepEqual([locked.status, locked.body.locked], [200, true], locked.text)
  assert.deepEqual((await stateOf(session, id))[0], 'voided')
  await run()
  assert.equal((await request(session, `GET ${of}`)).body.locked, true)
})

test('name servers that the owner has set since stay', async () => {
  const one = await held()
  const { of, session } = one
  const id = await waitingNameservers(one)
  const set = await request(session, `PATCH ${of}`, { nameservers: own })
  assert.deepEqual([set.status, set.body.nameservers], [200, own], set.text)
  assert.deepEqual((await stateOf(session, id))[0], 'voided')
  await run()
  assert.deepEqual((await request(session, `GET ${of}`)).body.nameservers, own)
})

test('an automatic renewal that the owner has turned off since stays off', async () => {
  const one = await held({ protect: false, limits: { approval_above: { amount: '5.00' } } })
  const { domain, of, session } = one
  const id = await approved(one, `PATCH ${of}`, { auto_renew: true })
  silence('domain:check', domain)
  await run()
  const off = await request(session, `PATCH ${of}`, { auto_renew: false })
  assert.deepEqual([off.status, off.body.auto_renew], [200, false], off.text)
  registrar.sandbox.clearFaults()
  assert.deepEqual((await stateOf(session, id))[0], 'voided')
  await run()
  assert.equal((await request(session, `GET ${of}`)).body.auto_renew, false)
})

test('of two approved changes the one that was approved last stays', async () => {
  const one = await held()
  const { domain, of, session } = one
  silence('domain:info', domain)
  const older = await approved(one, `PATCH ${of}`, { nameservers: theirs })
  const newer = await approved(one, `PATCH ${of}`, { nameservers: own })
  await run()
  registrar.sandbox.clearFaults()
  const wait = (id: string) =>
    `update tasks set run_at = now() + '1 hour' where payload @> '{"approval_id": "${id}"}'`
  await registrar.query(`update tasks set run_at = now() where kind = 'run_approval'`)
  await registrar.query(wait(older))
  await registrar.run(runApprovals)
  assert.deepEqual((await stateOf(session, newer))[0], 'executed')
  assert.deepEqual((await stateOf(session, older))[0], 'voided')
  await run()
  assert.deepEqual((await request(session, `GET ${of}`)).body.nameservers, own)
})

test('a change of another part leaves it as it was approved', async () => {
  const one = await held()
  const { of, session } = one
  const id = await waitingNameservers(one)
  for (const [at, body] of [
    [`PATCH ${of}`, { auto_renew: true }],
    [`POST ${of}/lock`, {}],
  ] as const)
    assert.equal((await request(session, at, body)).status, 200)
  await run()
  assert.deepEqual((await stateOf(session, id))[0], 'executed')
  assert.deepEqual((await request(session, `GET ${of}`)).body.nameservers, theirs)
})

test('a request that came before the approval does not undo it, nor does a job', async () => {
  const one = await held()
  const { domain, of, session } = one
  const id = await approved(one, `PATCH ${of}`, { nameservers: theirs })
  const [row] = await registrar.query(
    'select customer_id, decided_at from approvals where id = $1',
    [id],
  )
  const { customer_id, decided_at } = Object(row)
  const asked_at = new Date(decided_at.getTime() - 1_000)
  const parts = { nameservers: true }
  const changed = { holding: { customer_id, name: domain }, parts, asked_at }
  const { db } = registrar.app
  await endWithChange(db, { caller: Object({ kind: 'customer' }) }, changed)
  const later = { ...changed, asked_at: new Date(decided_at.getTime() + 1_000) }
  await endWithChange(db, systemCall(registrar.app, 'set_ordered_nameservers'), later)
  assert.deepEqual((await stateOf(session, id))[0], 'approved')
  await endWithChange(db, { caller: Object({ kind: 'customer' }) }, later)
  assert.deepEqual((await stateOf(session, id))[0], 'voided')
})

test('an approval that ends before its change is sent changes nothing', async () => {
  const one = await held()
  const { domain, of, session } = one
  const before = (await request(session, `GET ${of}`)).body.nameservers
  const id = await approved(one, `PATCH ${of}`, { nameservers: theirs })
  // Another change of the domain is under way: the approved one waits for its lease.
  await registrar.query(
    `insert into domain_changes (domain, token, lease_until)
     values ($1, 'another', now() + interval '1 minute')`,
    [domain],
  )
  const running = run()
  const leased = `select from tasks where kind = 'run_approval' and lease_until > now()`
  while ((await registrar.query(leased)).length === 0) await sleep(5)
  // It has read the approval soon; if it has not, it finds it voided all the same.
  await sleep(100)
  await registrar.query(
    `update approvals set state = 'voided', ended_at = now(), input = null where id = $1`,
    [id],
  )
  await registrar.query('delete from domain_changes where domain = $1', [domain])
  await running
  assert.deepEqual((await request(session, `GET ${of}`)).body.nameservers, before)
})

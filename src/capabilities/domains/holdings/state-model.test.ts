// The published state model, walked in the sandbox: each listed transition leads to the listed
// state, and every other one is refused with its code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  askAway,
  deleteBehind,
  restoreBehind,
  sellElsewhere,
  soldCode,
} from '../../../../test/support/other-registrar.ts'
import { type Answer, startService } from '../../../../test/support/service.ts'
import { deleteUnrenewed } from '../expiry/delete-unrenewed.job.ts'
import { updateService } from '../updates/updates.fixture.ts'

const registrar = await updateService(await startService({ worker: false }))
const { owner, call, read, sandbox } = registrar
const { body: model } = await registrar.request('GET', '/v1/state-model')

type State = {
  state: string
  status: string
  next_actions: { type: string; operation: string; when?: string }[]
  possible: string[]
  refused: Record<string, string[]>
  transitions: { to: string | null; by: string; operation?: string }[]
}
const states: State[] = model.domain_states
const stateNamed = (name: string | null) => {
  const found = states.find(({ state }) => state === name)
  assert.ok(found, `no state ${name}`)
  return found
}
const unless = new Map<string, string[]>(
  model.operations.map((one: Answer['body']) => [one.operation, one.unless]),
)
const walked = new Set<string>()

const nameservers = ['ns7.example.net', 'ns8.example.net']
const requests: Record<string, (domain: string) => [string, string, object?]> = {
  get_domain: (domain) => ['GET', `/v1/domains/${domain}`],
  register_domain: (domain) => ['POST', '/v1/domains', { domain, period_years: 2 }],
  transfer_domain: (domain) => ['POST', '/v1/domains/transfer', { domain, auth_code: 'Other-1' }],
  renew_domain: (domain) => ['POST', `/v1/domains/${domain}/renew`, {}],
  restore_domain: (domain) => ['POST', `/v1/domains/${domain}/restore`, {}],
  cancel_transfer: (domain) => ['POST', `/v1/domains/${domain}/transfer/cancel`],
  approve_transfer: (domain) => ['POST', `/v1/domains/${domain}/transfer/approve`],
  reject_transfer: (domain) => ['POST', `/v1/domains/${domain}/transfer/reject`],
  lock_domain: (domain) => ['POST', `/v1/domains/${domain}/lock`],
  unlock_domain: (domain) => ['POST', `/v1/domains/${domain}/unlock`],
  get_transfer_auth_code: (domain) => ['GET', `/v1/domains/${domain}/transfer-auth-code`],
  regenerate_transfer_auth_code: (domain) => [
    'POST',
    `/v1/domains/${domain}/transfer-auth-code/regenerate`,
  ],
  update_nameservers: (domain) => ['PATCH', `/v1/domains/${domain}`, { nameservers }],
  set_auto_renew: (domain) => ['PATCH', `/v1/domains/${domain}`, { auto_renew: false }],
  list_dns_records: (domain) => ['GET', `/v1/domains/${domain}/dns-records`],
  configure_dns_record: (domain) => [
    'POST',
    `/v1/domains/${domain}/dns-record`,
    { record_value: '192.0.2.1' },
  ],
}

function ask(operation: string, domain: string): Promise<Answer> {
  const [method, path, body] = requests[operation]?.(domain) ?? assert.fail(operation)
  return registrar.request(method, path, { token: owner.key, ...(body ? { body } : {}) })
}

/** Lets the next read ask the registry. */
async function fresh(domain: string): Promise<Answer> {
  await registrar.query(
    `update domain_schedules set synced_at = null
      where domain_id in (select id from domains where name = $1)`,
    [domain],
  )
  return read(owner, domain)
}

/** Which state an answer shows, by what the model says distinguishes them. */
function shown({ status, transfer, rgp_statuses, next_actions }: Answer['body']): string {
  if (status === 'transfer_pending') return transfer ? 'transfer_out' : 'transfer_in'
  if (status === 'redemption')
    return rgp_statuses.includes('pendingRestore') ? 'restoring' : 'redemption'
  const renews = next_actions.some(({ type }: Answer['body']) => type === 'renew')
  return status === 'expired' && !renews ? 'deleting' : status
}

/** Where a call may lead: its transitions, and what follows those without a call. */
function ends(from: State, operation: string): (string | null)[] {
  const first = from.transitions.filter((one) => one.operation === operation).map(({ to }) => to)
  const then = first
    .filter((to) => to !== null)
    .flatMap((to) => stateNamed(to).transitions.filter((one) => one.operation === undefined))
  return [...first, ...then.map(({ to }) => to)]
}

function leaves(from: State, operation: string): boolean {
  return from.transitions.some((one) => one.operation === operation && one.to !== from.state)
}

const settled = (operation: string, answer: Answer) =>
  answer.status === 200 || (unless.get(operation) ?? []).includes(answer.body.code)

/** Returns the name of a domain that is in the state. */
type Source = () => Promise<string>
type Step = (domain: string) => Promise<unknown>
type Lockable = { locked?: Source }

async function walk(name: string, source: Source, { locked }: Lockable = {}) {
  const state = stateNamed(name)
  walked.add(name)
  const steady = await reached(name, source)
  const { body } = await fresh(steady)
  const listed = state.next_actions.filter(({ when }) => when === undefined)
  assert.deepEqual(
    body.next_actions.map(({ type, operation }: Answer['body']) => [type, operation]),
    listed.map(({ type, operation }) => [type, operation]),
    name,
  )
  const reads = ['check_domain_availability', 'scan_dns_zone']
  for (const { operation } of listed)
    assert.ok(reads.includes(operation) || state.possible.includes(operation), name)
  for (const [code, operations] of Object.entries(state.refused))
    for (const operation of operations) {
      // An action without effect succeeds.
      const unlock = operation === 'unlock_domain' && code === 'not_changeable'
      if (unlock && !locked) continue
      const domain = unlock && locked ? await reached(name, locked) : steady
      const answer = await ask(operation, domain)
      assert.equal(answer.body.code, code, `${name}: ${operation}: ${answer.text}`)
    }
  for (const operation of state.possible.filter((one) => !leaves(state, one))) {
    const answer = await ask(operation, steady)
    assert.ok(settled(operation, answer), `${name}: ${operation}: ${answer.text}`)
  }
  assert.equal(shown((await fresh(steady)).body), name, 'none of these leads out of it')
  for (const operation of state.possible.filter((one) => leaves(state, one))) {
    const domain = await reached(name, source)
    const answer = await ask(operation, domain)
    assert.ok(settled(operation, answer), `${name}: ${operation}: ${answer.text}`)
    if (answer.status !== 200) continue
    const now = shown((await fresh(domain)).body)
    assert.ok(ends(state, operation).includes(now), `${name}: ${operation} led to ${now}`)
  }
}

async function reached(name: string, source: Source): Promise<string> {
  const domain = await source()
  assert.equal(shown((await fresh(domain)).body), name)
  return domain
}

let names = 0
const newName: Source = async () => {
  names += 1
  return `walked-${names}.com`
}
const then =
  (source: Source, ...steps: Step[]): Source =>
  async () => {
    const domain = await source()
    for (const step of steps) await step(domain)
    return domain
  }

/** Made now, taken later: time passes for all of them at once. */
async function stock(source: Source, count: number): Promise<Source> {
  const made: string[] = []
  for (let i = 0; i < count; i += 1) made.push(await source())
  return async () => made.pop() ?? assert.fail('more domains are needed')
}

const bought = then(newName, (domain) => registrar.buys(owner, domain))
const locked = then(bought, (domain) => call('200', `POST /v1/domains/${domain}/lock`))
const wanted: Step = async (domain) => {
  const { auth_code } = await call('200', `GET /v1/domains/${domain}/transfer-auth-code`)
  await askAway(registrar, { domain, auth_info: auth_code })
}
const approved: Step = (domain) => call('200', `POST /v1/domains/${domain}/transfer/approve`)
const deleted: Step = (domain) => deleteBehind(registrar, domain)
const restored: Step = (domain) => restoreBehind(registrar, domain)

/** With the registry silent, or saying no, to each such command about it. */
const ordered = (fault: 'drop_before' | 'refuse_2306') =>
  then(newName, async (domain) => {
    sandbox.setFault({ name: fault, command: 'domain:create', domain, times: null })
    await registrar.request('POST', '/v1/domains', { token: owner.key, body: { domain } })
    sandbox.clearFaults()
  })

test('walks an order that the registry is silent about', () =>
  walk('pending', ordered('drop_before')))

test('walks an order that the registry refused', () => walk('failed', ordered('refuse_2306')))

test('walks a transfer in that is not answered yet', () => {
  const asked: Step = async (domain) => {
    await sellElsewhere(registrar, domain)
    await call('200', 'POST /v1/domains/transfer', { domain, auth_code: soldCode })
  }
  return walk('transfer_in', then(newName, asked))
})

test('walks an active domain', () => walk('active', bought))

test('walks a domain that another registrar has requested', () =>
  walk('transfer_out', then(bought, wanted)))

test('walks a domain that was transferred away', () =>
  walk('transferred_away', then(bought, wanted, approved)))

test('walks a deleted domain: in redemption, being restored, and in pendingDelete', async () => {
  const open = await stock(bought, 4)
  const shut = await stock(locked, 3)
  // Past the grace in which a deletion leaves nothing.
  await registrar.days(6)
  await walk('redemption', then(open, deleted), { locked: then(shut, deleted) })
  await walk('restoring', then(open, deleted, restored), { locked: then(shut, deleted, restored) })
  const going = await stock(then(open, deleted), 1)
  const goingShut = await stock(then(shut, deleted), 1)
  await registrar.days(31)
  await walk('pending_delete', going, { locked: goingShut })
})

test('walks an unrenewed domain until it is deleted', async () => {
  const open = await stock(bought, 4)
  const shut = await stock(locked, 1)
  await registrar.days(320)
  const near = await fresh(await open())
  assert.deepEqual(
    near.body.next_actions.map(({ type }: Answer['body']) => type),
    stateNamed('active').next_actions.map(({ type }) => type),
    'what is advised near the end alone',
  )
  await registrar.days(50)
  await walk('expired', open)
  await registrar.days(35)
  sandbox.setFault({ name: 'drop_before', command: 'domain:delete', times: null })
  await registrar.run(deleteUnrenewed)
  await walk('deleting', open, { locked: shut })
  sandbox.clearFaults()
})

test('each state was walked', () => {
  assert.deepEqual([...walked].sort(), states.map(({ state }) => state).sort())
})

test('each state leads on, by calls that are possible in it', () => {
  for (const { state, transitions, possible } of states) {
    assert.ok(transitions.length > 0, state)
    for (const { operation } of transitions)
      assert.ok(operation === undefined || possible.includes(operation), `${state}: ${operation}`)
  }
})

test('returns the rows of one status alone', async () => {
  const { body } = await registrar.request('GET', '/v1/state-model?status=redemption')
  assert.deepEqual(
    body.domain_states.map(({ state }: State) => state),
    ['redemption', 'restoring'],
  )
  const wrong = await registrar.request('GET', '/v1/state-model?status=lost')
  assert.equal(wrong.status, 422)
})

// Every fault of the sandbox during a purchase: the outcome, and the effect at the registry.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { FaultName, Sandbox } from '../../../../sandbox/registry/index.ts'
import { attempt, open, profileOf, startEmptySandbox } from '../fixtures/sandbox.ts'
import type { AttemptStep, EppProfile, Registry, Unknown } from '../port.ts'

let sandbox: Sandbox
let registry: Registry
const timeout_ms = 800
before(async () => {
  sandbox = await startEmptySandbox()
})
beforeEach(async () => {
  sandbox.clearFaults()
  sandbox.setCredit({ registry: 'thin', registrar: 'registrar-a', amount: '1000.00' })
  await registry?.close()
  registry = open({ ...profileOf(sandbox, 'thin'), timeout_ms })
  await sessionOpen()
})
after(async () => {
  await registry.close()
  await sandbox.close()
})

/**
 * A session is opened first, since a loaded machine may take longer for that than a command may
 * wait.
 */
async function sessionOpen(): Promise<void> {
  while ((await registry.read('no-such-name.com', 'normal')).kind === 'unknown');
}

function purchase(domain: string) {
  return {
    domain,
    period_years: 1,
    nameservers: [],
    registrant: null,
    contacts: [],
    auth_info: 'aB3-random-secret',
    fee: { currency: 'USD', amount: '9.59' },
  }
}

const bought = (domain: string) => sandbox.effects().filter((it) => it.domain === domain).length
const answered: AttemptStep[] = ['connected', 'frame_written', 'reply_read']
const unanswered: AttemptStep[] = ['connected', 'frame_written']

type Expected = { cause: Unknown; effects: number; steps: AttemptStep[] }
const faults: [FaultName, Expected][] = [
  ['drop_before', { cause: 'silence', effects: 0, steps: unanswered }],
  ['drop_after', { cause: 'silence', effects: 1, steps: unanswered }],
  ['garbage', { cause: 'silence', effects: 1, steps: unanswered }],
  ['half_frame', { cause: 'silence', effects: 1, steps: unanswered }],
  ['slow', { cause: 'silence', effects: 1, steps: unanswered }],
  ['fail_2400', { cause: 'server_failed', effects: 0, steps: answered }],
  ['session_limit', { cause: 'session_limit', effects: 0, steps: answered }],
  ['credit_gone', { cause: 'registry_credit', effects: 0, steps: answered }],
]
for (const [name, { cause, effects, steps }] of faults) {
  test(`${name}: unknown (${cause}), sent once, with ${effects} effects`, async () => {
    const domain = `fault-${name.replaceAll('_', '-')}.com`
    sandbox.setFault({ name, command: 'domain:create', domain, delay_ms: timeout_ms + 200 })
    const once = attempt()
    const outcome = await registry.register(purchase(domain), once)
    assert.equal(outcome.kind === 'unknown' && outcome.cause, cause, JSON.stringify(outcome))
    assert.deepEqual(once.steps, steps)
    assert.equal(bought(domain), effects)
    if (name === 'session_limit') return
    await sessionOpen()
    const second = await registry.register(purchase(domain), attempt())
    const code = second.kind === 'refused' ? second.code : null
    assert.deepEqual([second.kind, code], effects === 1 ? ['refused', 2302] : ['done', null])
    assert.equal(bought(domain), 1)
  })
}

test('a command that is applied after its answer was lost is unknown first, then visible', async () => {
  const domain = 'lands-later.com'
  sandbox.setFault({ name: 'apply_later', command: 'domain:create', domain, delay_ms: 2_000 })
  const outcome = await registry.register(purchase(domain), attempt())
  assert.deepEqual([outcome.kind, bought(domain)], ['unknown', 0])
  await sessionOpen()
  const fenced = await registry.register(purchase(domain), attempt())
  assert.equal(fenced.kind, 'done')
  assert.equal(bought(domain), 1)
})

test('a final refusal is a refusal, with the registry code', async () => {
  const domain = 'never-mind.com'
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:create', domain })
  const outcome = await registry.register(purchase(domain), attempt())
  assert.ok(outcome.kind === 'refused')
  assert.deepEqual([outcome.reason, outcome.code, bought(domain)], ['policy', 2306, 0])
})

test('does not blame a customer for the exhausted credit of the registrar', async () => {
  sandbox.setCredit({ registry: 'thin', registrar: 'registrar-a', amount: '1.00' })
  const outcome = await registry.register(purchase('too-expensive.com'), attempt())
  assert.equal(outcome.kind === 'unknown' && outcome.cause, 'registry_credit')
})

test('half frames are reported on request', async () => {
  const once = attempt({ half_frames: true })
  const outcome = await registry.register(purchase('in-two-halves.com'), once)
  assert.equal(outcome.kind, 'done')
  assert.deepEqual(once.steps, ['connected', 'half_frame_written', 'frame_written', 'reply_read'])
})

test('repeats a read once automatically after a lost answer', async () => {
  await registry.register(purchase('read-me.com'), attempt())
  for (const name of ['drop_before', 'garbage', 'half_frame'] as const) {
    sandbox.setFault({ name, command: 'domain:info' })
    assert.equal((await registry.read('read-me.com', 'normal')).kind, 'done', name)
    sandbox.setFault({ name, command: 'domain:check' })
    const [checked] = await registry.check(['free.com'], { priority: 'normal', fees: false })
    assert.equal(checked?.available, true, name)
  }
})

test('a part of a check that fails leaves the other parts known', async () => {
  const names = Array.from({ length: 100 }, (_, i) => `part-${i}.com`)
  sandbox.setFault({ name: 'fail_2400', command: 'domain:check', domain: 'part-7.com' })
  const checked = await registry.check(names, { priority: 'normal', fees: false })
  assert.deepEqual(
    checked.map(({ available }) => available),
    names.map((_, i) => (i < 50 ? null : true)),
  )
  assert.ok(checked.slice(0, 50).every(({ unreachable }) => unreachable))
})

const broken: Record<string, [(profile: EppProfile) => Partial<EppProfile>, Unknown]> = {
  'a wrong password': [() => ({ password: 'wrong-password' }), 'authentication'],
  'no listener at the port': [() => ({ port: 1 }), 'unreachable'],
  'a certificate file that is gone': [
    ({ tls }) => ({ tls: { ...tls, cert_file: '/nonexistent.pem' } }),
    'unreachable',
  ],
  "another host's certificate": [
    ({ tls }) => ({ tls: { ...tls, servername: 'epp.example' } }),
    'unreachable',
  ],
}
for (const [what, [change, cause]] of Object.entries(broken)) {
  test(`${what}: unknown (${cause}), nothing sent, checks unreachable, health down`, async () => {
    const profile = profileOf(sandbox, 'thin')
    const lame = open({ ...profile, ...change(profile) })
    const once = attempt()
    const outcome = await lame.register(purchase('unheard.com'), once)
    assert.equal(outcome.kind === 'unknown' && outcome.cause, cause, JSON.stringify(outcome))
    assert.deepEqual(once.steps, [])
    const [checked] = await lame.check(['free.com'], { priority: 'normal', fees: true })
    assert.deepEqual([checked?.available, checked?.unreachable], [null, true])
    assert.equal(lame.health().state, 'down')
    await lame.close()
  })
}

test('a registry that goes away and comes back needs no restart of ours', async () => {
  await registry.check(['free.com'], { priority: 'normal', fees: false })
  sandbox.setFault({ name: 'drop_before', times: null })
  const [lost] = await registry.check(['free.com'], { priority: 'normal', fees: false })
  assert.equal(lost?.unreachable, true)
  sandbox.clearFaults()
  const [found] = await registry.check(['free.com'], { priority: 'normal', fees: false })
  assert.equal(found?.available, true)
})

test('sends nothing after close', async () => {
  const closed = open(profileOf(sandbox, 'thin'))
  await closed.close()
  const outcome = await closed.register(purchase('too-late.com'), attempt())
  assert.equal(outcome.kind === 'unknown' && outcome.cause, 'not_sent')
})

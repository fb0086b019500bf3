// Every result code of RFC 5730 as the answer to every command that is sent: each ends in an
// outcome of the port, never in an exception, and only a final code in a refusal.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sandbox } from '../../../../sandbox/registry/index.ts'
import { result } from '../../../epp/replies/result-codes.ts'
import { contact } from '../fixtures/port-harness.ts'
import { attempt, open, profileOf, startEmptySandbox } from '../fixtures/sandbox.ts'
import type { Outcome, Registry } from '../port.ts'

const domain = 'any-code.test'
const held = 'held-here.test'
const host = `ns1.${held}`
const fee = { currency: 'USD', amount: '5.00' }
const dates = { deleted_at: '2026-01-01T00:00:00Z', restored_at: '2026-01-02T00:00:00Z' }

let sandbox: Sandbox
let registry: Registry
before(async () => {
  sandbox = await startEmptySandbox()
  registry = open(profileOf(sandbox, 'thick'))
  await registry.putContact(contact, 'normal')
  const bought = await registry.register({ ...registration, domain: held }, attempt())
  assert.equal(bought.kind, 'done', JSON.stringify(bought))
  await registry.ensureHosts(['ns1.hosting.net', host], 'normal', { [host]: ['192.0.2.1'] })
})
after(async () => {
  await registry.close()
  await sandbox.close()
})

const registration = {
  domain,
  period_years: 1,
  nameservers: [],
  registrant: contact.id,
  contacts: [
    { type: 'admin' as const, id: contact.id },
    { type: 'tech' as const, id: contact.id },
  ],
  auth_info: 'aB3-random-secret',
  fee,
}
const transfer = { domain, auth_info: 'aB3-random-secret', period_years: 1, fee }
const renewal = { domain, cur_exp_date: '2027-01-01', period_years: 1, fee }
const report = { domain, ...dates, before: 'b', after: 'a', reason: 'r' }

type Sent = { command: string; send: () => Promise<Outcome<unknown>> }
/** The operations by their names in the port; `command` is the one that gets the answer. */
const commands: Record<string, Sent> = {
  register: { command: 'domain:create', send: () => registry.register(registration, attempt()) },
  renew: { command: 'domain:renew', send: () => registry.renew(renewal, attempt()) },
  'transfer request': {
    command: 'domain:transfer',
    send: () => registry.transferRequest(transfer, attempt()),
  },
  'transfer query': {
    command: 'domain:transfer',
    send: () => registry.transferQuery(domain, 'normal'),
  },
  'transfer cancel': {
    command: 'domain:transfer',
    send: () => registry.transferCancel(domain, attempt()),
  },
  'transfer approve': {
    command: 'domain:transfer',
    send: () => registry.transferApprove(domain, attempt()),
  },
  'transfer reject': {
    command: 'domain:transfer',
    send: () => registry.transferReject(domain, attempt()),
  },
  update: {
    command: 'domain:update',
    send: () =>
      registry.update(
        { domain, statuses: { add: ['clientTransferProhibited'], remove: [] } },
        attempt(),
      ),
  },
  'auth info': {
    command: 'domain:update',
    send: () => registry.renewAuthInfo({ domain, wanted: 'aB3-random-secret' }, attempt()),
  },
  restore: {
    command: 'domain:update',
    send: () => registry.restore({ domain, fee: { currency: 'USD', amount: '40.00' } }, attempt()),
  },
  'restore report': {
    command: 'domain:update',
    send: () => registry.restoreReport(report, attempt()),
  },
  delete: { command: 'domain:delete', send: () => registry.delete(domain, attempt()) },
  read: { command: 'domain:info', send: () => registry.read(domain, 'normal') },
  'contact create': {
    command: 'contact:create',
    send: () => registry.putContact(contact, 'normal'),
  },
  'contact update': {
    command: 'contact:update',
    send: () => registry.putContact(contact, 'normal'),
  },
  'host check': {
    command: 'host:check',
    send: () => registry.ensureHosts(['ns9.hosting.net'], 'normal'),
  },
  'host create': {
    command: 'host:create',
    send: () => registry.ensureHosts(['ns8.hosting.net'], 'normal'),
  },
  'host info': {
    command: 'host:info',
    send: () => registry.readGlue?.(['ns1.hosting.net'], 'normal') ?? assert.fail(),
  },
  'host update': {
    command: 'host:update',
    send: () => registry.ensureHosts([host], 'normal', { [host]: ['192.0.2.2'] }),
  },
  'host delete': { command: 'host:delete', send: () => registry.deleteHosts(held, 'normal') },
  poll: { command: 'poll', send: () => registry.poll() },
  ack: { command: 'poll', send: () => registry.ack('1') },
  login: { command: 'login', send: readAnew },
}

/** The command is sent over its own session, which has to log in first. */
async function readAnew(): Promise<Outcome<unknown>> {
  const fresh = open(profileOf(sandbox, 'thick'))
  const read = await fresh.read(domain, 'normal')
  await fresh.close()
  return read
}

const uncertain = [1500, 2002, 2104, 2200, 2400, 2500, 2501, 2502]
const unheard = [1002, 1999, 2099, 2309, 2999]

/** After these codes, the pool opens no further session for a while. */
const pausing = [2002, 2200, 2501, 2502]

async function reopen(): Promise<void> {
  await registry.close()
  registry = open(profileOf(sandbox, 'thick'))
}

/** The possible outcomes of a code, for any command. */
function kindsOf(code: number): Outcome<unknown>['kind'][] {
  if (code === result.completed_pending) return ['accepted']
  // A success without its data does not show what happened.
  if (code < 1500) return ['done', 'unknown']
  return uncertain.includes(code) || unheard.includes(code) ? ['unknown'] : ['refused']
}

/** Codes that say that the desired state exists already. */
const fulfilled: Record<string, number[]> = {
  // Its facts are then written by an update.
  'contact create': [result.exists],
  'host create': [result.exists],
  'host delete': [result.absent],
  'host info': [result.absent],
  ack: [result.absent],
}
const codes = [...Object.values(result), ...unheard]

for (const [name, { command, send }] of Object.entries(commands))
  test(`${name}: each of ${codes.length} codes ends in an outcome`, async () => {
    for (const code of codes) {
      sandbox.setFault({ name: 'answer', registry: 'thick', command, code, times: null })
      const outcome = await send()
      sandbox.clearFaults()
      if (pausing.includes(code)) await reopen()
      const seen = `${name} ${code}: ${JSON.stringify(outcome)}`
      if (name === 'login') {
        // A refused log-in concerns our account, not the command that was to be sent over it.
        if (code >= 2000) assert.equal(outcome.kind, 'unknown', seen)
        continue
      }
      const kinds = fulfilled[name]?.includes(code) ? ['done'] : kindsOf(code)
      assert.ok(kinds.includes(outcome.kind), seen)
      if (outcome.kind === 'refused') assert.equal(outcome.code, code, seen)
    }
  })

test('a check: each code is one name unreachable, or refused in its own words', async () => {
  for (const code of codes) {
    sandbox.setFault({ name: 'answer', command: 'domain:check', code, times: null })
    const [checked] = await registry.check([domain], { priority: 'normal', fees: true })
    assert.deepEqual([...(await registry.prices(['test'])).keys()], [], String(code))
    sandbox.clearFaults()
    if (pausing.includes(code)) await reopen()
    assert.ok(checked && checked.available !== true, `${code}: ${JSON.stringify(checked)}`)
  }
})

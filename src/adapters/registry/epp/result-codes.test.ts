// Every result code of RFC 5730 section 3 in one table: its meaning for an order, a change and a
// check, and for the session. Each code is answered once, and then without end.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sandbox } from '../../../../sandbox/registry/index.ts'
import { result } from '../../../epp/replies/result-codes.ts'
import { attempt, open, profileOf, startEmptySandbox } from '../fixtures/sandbox.ts'
import type { Outcome, Registry } from '../port.ts'

let sandbox: Sandbox
before(async () => {
  sandbox = await startEmptySandbox()
})
after(() => sandbox.close())

/** The consequence of the code for the session. */
type Session =
  /** The session accepts the next command. */
  | 'stays'
  /** Nothing ran, and the same command is sent over a session that is opened after it. */
  | 'log in again'
  /** Nothing ran, and no session is opened for a while. */
  | 'pause'
  /** The server ends the session, and a transform may have run, so only a read is sent again. */
  | 'ends'

/**
 * `order`, `change` and `check` are the outcome of each while every answer has the code. Words
 * before a slash apply to a single such answer, after which the command is sent again.
 */
type Meaning = { order: string; change: string; check: string; session: Session }

/** `means` is the meaning for an order, a change and a check. */
function row(session: Session, ...means: [order: string, change: string, check: string]): Meaning {
  const [order, change, check] = means
  return { order, change, check, session }
}
const silent = row('stays', 'unknown silence', 'done', 'unreachable')
const refused = (reason: string, check = 'unreachable') =>
  row('stays', `refused ${reason}`, `refused ${reason}`, check)
/** One of several sessions was ended or dropped, and nothing ran. */
const lost = (session: Session, cause: string) =>
  row(session, `done/unknown ${cause}`, `done/unknown ${cause}`, 'available/unreachable')
const uncertain = (cause: string) =>
  row('stays', `unknown ${cause}`, `unknown ${cause}`, 'unreachable')
const ended = (cause: string) =>
  row('ends', `unknown ${cause}`, `unknown ${cause}`, 'available/unreachable')
const inWords = 'not available'

const meanings: Record<keyof typeof result, Meaning> = {
  // The sandbox's false success has no data, and a creation that is not shown is not believed.
  completed: silent,
  completed_pending: row('stays', 'accepted', 'accepted', 'unreachable'),
  no_messages: silent,
  message_to_ack: silent,
  ending_session: ended('silence'),
  unknown_command: refused('bad_request'),
  syntax_error: refused('bad_request', inWords),
  use_error: lost('log in again', 'not_sent'),
  parameter_missing: refused('bad_request'),
  value_range_error: row('stays', 'refused fee_mismatch', 'refused bad_request', inWords),
  value_syntax_error: refused('bad_request', inWords),
  unimplemented_version: refused('unsupported'),
  unimplemented_command: refused('unsupported'),
  unimplemented_option: refused('unsupported'),
  unimplemented_extension: refused('unsupported'),
  billing_failure: uncertain('registry_credit'),
  not_eligible_for_renewal: refused('status'),
  not_eligible_for_transfer: refused('status'),
  authentication_error: lost('log in again', 'authentication'),
  authorization_error: refused('not_ours'),
  invalid_auth_info: refused('bad_auth_code'),
  pending_transfer: refused('pending_transfer'),
  not_pending_transfer: refused('status'),
  exists: refused('exists'),
  absent: refused('absent'),
  status_prohibits: refused('status'),
  association_prohibits: refused('status'),
  value_policy: refused('policy', inWords),
  unimplemented_service: refused('unsupported'),
  data_policy: refused('policy'),
  command_failed: uncertain('server_failed'),
  command_failed_closing: ended('server_failed'),
  authentication_error_closing: lost('pause', 'authentication'),
  session_limit_closing: lost('pause', 'session_limit'),
}

let sequence = 0

function words(outcome: Outcome<unknown>): string {
  if (outcome.kind === 'refused') return `refused ${outcome.reason}`
  return outcome.kind === 'unknown' ? `unknown ${outcome.cause}` : outcome.kind
}

type Sent = { command: string; send: (registry: Registry, domain: string) => Promise<string> }
const kinds: Record<'order' | 'change' | 'check', Sent> = {
  order: {
    command: 'domain:create',
    send: async (registry, domain) => {
      const terms = { domain, period_years: 1, nameservers: [], registrant: null, contacts: [] }
      const fee = { currency: 'USD', amount: '9.59' }
      const bought = { ...terms, auth_info: 'aB3-random-secret', fee }
      return words(await registry.register(bought, attempt()))
    },
  },
  change: {
    command: 'domain:update',
    send: async (registry) => {
      const lock = { add: ['clientHold'], remove: [] }
      const unlock = { add: [], remove: ['clientHold'] }
      const done = await registry.update({ domain: held, statuses: lock }, attempt())
      if (done.kind === 'done') await registry.update({ domain: held, statuses: unlock }, attempt())
      return words(done)
    },
  },
  check: {
    command: 'domain:check',
    send: async (registry, domain) => {
      const [checked] = await registry.check([domain], { priority: 'normal', fees: true })
      assert.ok(checked)
      if (checked.unreachable) return 'unreachable'
      return checked.available ? 'available' : 'not available'
    },
  },
}

const held = 'codes-held.com'

/** Two sessions are open. */
async function opened(): Promise<Registry> {
  const registry = open(profileOf(sandbox, 'thin'))
  for (let round = 0; round < 10 && registry.health().sessions < 2; round += 1)
    await Promise.all(Array.from({ length: 4 }, () => registry.read(held, 'normal')))
  assert.equal(registry.health().sessions, 2)
  return registry
}

const logIns = () => sandbox.counters().thin.sessions.opened

async function withSessions(use: (registry: Registry) => Promise<void>): Promise<void> {
  const registry = await opened()
  try {
    await use(registry)
  } finally {
    await registry.close()
  }
}

/** The consequence for the session, as far as log-ins and sessions show it. */
function fateOf(registry: Registry, logged_in: number): Session {
  const { sessions, circuit_open } = registry.health()
  if (circuit_open) return 'pause'
  if (logged_in > 0) return 'log in again'
  return sessions === 2 ? 'stays' : 'ends'
}

test('every code is in the table', () => {
  assert.deepEqual(Object.keys(meanings).sort(), Object.keys(result).sort())
})

test('buys the name that is changed', async () => {
  const registry = open(profileOf(sandbox, 'thin'))
  assert.equal(await kinds.order.send(registry, held), 'done')
  await registry.close()
})

for (const [name, meaning] of Object.entries(meanings)) {
  const code = Object.entries(result).find(([key]) => key === name)?.[1] ?? assert.fail()
  test(`${code} ${name}: ${meaning.order}, and the session: ${meaning.session}`, async () => {
    for (const kind of ['order', 'change', 'check'] as const) {
      const { command, send } = kinds[kind]
      const [last, first = last] = meaning[kind].split('/').reverse()
      for (const times of [1, null])
        await withSessions(async (registry) => {
          sequence += 1
          const before_it = logIns()
          sandbox.setFault({ name: 'answer', command, code, times, registry: 'thin' })
          const seen = await send(registry, `codes-${sequence}.com`)
          sandbox.clearFaults()
          const at = `${code} to ${command}, ${times === 1 ? 'once' : 'always'}`
          assert.equal(seen, times === 1 ? first : last, at)
          // A read that is sent again may open a session to replace one that was ended.
          const again = kind === 'check' && meaning.session === 'ends'
          if (times === null || again) return
          assert.equal(fateOf(registry, logIns() - before_it), meaning.session, at)
        })
    }
  })
}

// The table of codes (epp 5.3), row by row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EppError } from '../../epp/errors.ts'
import type { Reply } from '../../epp/reply.ts'
import { result } from '../../epp/results.ts'
import { reasonOf } from './checked.ts'
import { type Meaning, outcomeOfError, outcomeOfReply } from './outcome.ts'

const plain: Meaning = { priced: false, foreign: false }
const empty = { queue: null, data: [], extensions: [], cl_trid: 'c-1', raw: Buffer.alloc(0) }

function said(code: number, meaning = plain): string {
  const reply: Reply = { ...empty, code, message: 'm', sv_trid: 's' }
  const outcome = outcomeOfReply(reply, meaning)
  if (!outcome) return 'success'
  if (outcome.kind === 'refused') {
    assert.equal(outcome.code, code)
    return outcome.reason
  }
  return outcome.kind === 'unknown' ? `unknown ${outcome.cause}` : outcome.kind
}

const table: Record<string, number[]> = {
  success: [1000, 1300, 1301, 1500],
  accepted: [1001],
  bad_request: [2000, 2001, 2002, 2003, 2004, 2005],
  unsupported: [2100, 2101, 2102, 2103, 2307],
  'unknown registry_credit': [2104],
  status: [2105, 2106, 2301, 2304, 2305],
  'unknown authentication': [2200, 2501],
  not_ours: [2201],
  bad_auth_code: [2202],
  pending_transfer: [2300],
  exists: [2302],
  absent: [2303],
  policy: [2306, 2308],
  'unknown server_failed': [2400, 2500, 1002, 2999],
  'unknown session_limit': [2502],
}

test('every code of RFC 5730 has its outcome, and only a final one is a refusal', () => {
  const seen = new Set<number>()
  for (const [expected, codes] of Object.entries(table)) {
    for (const code of codes) {
      assert.equal(said(code), expected, String(code))
      seen.add(code)
    }
  }
  for (const code of Object.values(result)) assert.ok(seen.has(code), `${code} is in the table`)
})

test('2003 and 2004 on a priced command are about the fee; 2201 to a transfer in is a rule', () => {
  assert.equal(said(2003, { priced: true, foreign: false }), 'fee_required')
  assert.equal(said(2004, { priced: true, foreign: false }), 'fee_mismatch')
  assert.equal(said(2005, { priced: true, foreign: false }), 'bad_request')
  assert.equal(said(2201, { priced: true, foreign: true }), 'policy')
})

test('a failed exchange is silence once a byte may have left, else it says why none did', () => {
  const cause = (error: EppError) => {
    const outcome = outcomeOfError(error)
    return outcome.kind === 'unknown' && outcome.cause
  }
  for (const failure of ['closed', 'timeout', 'garbage', 'mismatch'] as const) {
    assert.equal(cause(new EppError(failure, '', { sent: 'maybe_sent' })), 'silence')
  }
  assert.equal(cause(new EppError('closed', '')), 'not_sent')
  assert.equal(cause(new EppError('shut_down', '')), 'not_sent')
  assert.equal(cause(new EppError('circuit_open', '')), 'unreachable')
  assert.equal(cause(new EppError('overloaded', '')), 'unreachable')
  assert.equal(cause(new EppError('authentication', '')), 'authentication')
  assert.equal(cause(new EppError('session_limit', '')), 'session_limit')
})

test("the registries' words for a taken name become ours, or nothing", () => {
  assert.equal(reasonOf('In use'), 'registered')
  assert.equal(reasonOf('Domain exists'), 'registered')
  assert.equal(reasonOf('Already registered'), 'registered')
  assert.equal(reasonOf('Reserved name'), 'reserved')
  assert.equal(reasonOf('Not allowed'), 'reserved')
  assert.equal(reasonOf('Blocked by a GlobalBlock service'), 'reserved')
  assert.equal(reasonOf('Premium names require EPP ext.'), 'premium')
  assert.equal(reasonOf('Zajęte'), null)
  assert.equal(reasonOf(null), null)
})

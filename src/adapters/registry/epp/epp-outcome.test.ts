// Result codes (RFC 5730 section 3) and their outcomes, row by row.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EppError } from '../../../epp/errors.ts'
import type { Reply } from '../../../epp/replies/reply.ts'
import { result } from '../../../epp/replies/result-codes.ts'
import { reasonOf } from '../availability-check.ts'
import { type Meaning, outcomeOfError, outcomeOfReply } from './epp-connection.ts'

const plain: Meaning = { priced: false, foreign: false }
const empty = {
  queue: null,
  blamed: [],
  data: [],
  extensions: [],
  cl_trid: 'c-1',
  read: 'strict' as const,
  seems_about: null,
  raw: Buffer.alloc(0),
}

function said(code: number, meaning = plain, more: Partial<Reply> = {}): string {
  const reply: Reply = { ...empty, code, message: 'm', sv_trid: 's', ...more }
  const outcome = outcomeOfReply(reply, meaning)
  if (!outcome) return 'success'
  if (outcome.kind === 'refused') {
    assert.equal(outcome.code, code)
    return outcome.reason
  }
  return outcome.kind === 'unknown' ? `unknown ${outcome.cause}` : outcome.kind
}

const table: Record<string, number[]> = {
  success: [1000, 1300, 1301],
  accepted: [1001],
  bad_request: [2000, 2001, 2003, 2004, 2005],
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
  'unknown not_sent': [2002],
  'unknown silence': [1500],
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

const priced: Meaning = { priced: true, foreign: false }
const element = (uri: string, local: string) => ({
  uri,
  local,
  attributes: {},
  children: [],
  text: '',
})
const fee = 'urn:ietf:params:xml:ns:epp:fee-1.0'
const domain = 'urn:ietf:params:xml:ns:domain-1.0'

const blames: [code: number, message: string, reason: string][] = [
  [2003, 'Required parameter missing', 'bad_request'],
  [2003, 'Required parameter missing: fees must be acknowledged: 150.00 USD', 'fee_required'],
  [2003, 'Required parameter missing: Premium names need the fee extension', 'fee_required'],
  [2003, 'Required parameter missing: a contact of type admin is required', 'bad_request'],
  [2003, 'Required parameter missing: registrant is required', 'bad_request'],
  [2004, 'Parameter value range error', 'fee_mismatch'],
  [2004, 'Parameter value range error: the fee is 9.59 USD', 'fee_mismatch'],
  [2004, 'Parameter value range error: at most 10 years', 'bad_request'],
  [2004, 'Parameter value range error: period', 'bad_request'],
  [2004, 'Parameter value range error: curExpDate is not the expiry date', 'expiry_mismatch'],
  [2005, 'Parameter value syntax error: the fee is no amount', 'bad_request'],
  [2306, 'Parameter value policy error', 'policy'],
  [2306, 'Parameter value policy error: the registrant may not buy at this price', 'policy'],
]

test('classifies a refusal as about the fee only where the registry says so and the command has a fee', () => {
  for (const [code, message, reason] of blames) {
    assert.equal(said(code, priced, { message }), reason, message)
    const unpriced = reason.startsWith('fee') ? 'bad_request' : reason
    assert.equal(said(code, plain, { message }), unpriced, `no fee sent: ${message}`)
  }
  const on = (uri: string, local: string) => ({ blamed: [element(uri, local)] })
  assert.equal(said(2003, priced, on(fee, 'fee')), 'fee_required')
  assert.equal(said(2003, priced, on(domain, 'contact')), 'bad_request')
  assert.equal(said(2004, priced, on(domain, 'period')), 'bad_request')
  assert.equal(said(2004, priced, on(domain, 'curExpDate')), 'expiry_mismatch')
  const both = { ...on(domain, 'name'), message: 'Parameter value range error: wrong fee' }
  assert.equal(said(2004, priced, both), 'fee_mismatch')
})

test('classifies 2201 to a transfer in as a policy', () => {
  assert.equal(said(2201, { priced: true, foreign: true }), 'policy')
})

test('a failed exchange is silence once a byte may have been sent, else it has its own cause', () => {
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

test("maps the registries' texts for a taken name to our reasons, or to none", () => {
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

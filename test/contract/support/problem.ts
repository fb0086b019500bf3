// The form of every refusal (RFC 9457).
import assert from 'node:assert/strict'
import { operations } from '../../../src/catalog.ts'
import { declaredFaults } from '../../../src/kit/fault.ts'
import { compile, type Validator } from '../../../src/kit/schema.ts'
import { commonFaults } from '../../../src/surfaces/pipeline/faults.ts'
import type { Answer } from '../../support/service.ts'

const nextActions = [
  'fix_request',
  'authenticate',
  'add_scope',
  'add_funds',
  'verify_email',
  'confirm_price',
  'wait_and_retry',
  'read_back',
  'ask_owner',
  'choose_alternative',
  'contact_support',
  'none',
]
const core = 'code detail next_action request_id retryable status title type'.split(' ')
const declared = new Map(declaredFaults().map((one) => [one.code, one]))
const shapes = new Map<string, Validator<unknown>>()

/**
 * A problem such as "402 insufficient_funds"; `at` names the operation that must declare the code.
 */
export function assertProblem(answer: Answer, expected: string, at?: string): void {
  const { body, headers } = answer
  const [text, code = ''] = expected.split(' ')
  const status = Number(text)
  assert.deepEqual([answer.status, body.code], [status, code], `${at ?? ''} ${answer.text}`)
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
  for (const field of core) assert.ok(field in body, `${field} is missing: ${answer.text}`)
  for (const field of ['type', 'title', 'detail', 'code'])
    assert.ok(typeof body[field] === 'string' && body[field] !== '', `${field}: ${answer.text}`)
  assert.ok(URL.canParse(body.type), body.type)
  assert.equal(body.status, status)
  assert.equal(typeof body.retryable, 'boolean')
  assert.equal(body.request_id, headers.get('x-request-id'))
  assert.deepEqual(Object.keys(body.next_action).sort(), ['hint', 'type', 'url'])
  assert.ok(nextActions.includes(body.next_action.type), body.next_action.type)
  assert.equal(typeof body.next_action.hint, 'string')
  assert.ok(body.next_action.url === null || URL.canParse(body.next_action.url))
  assert.ok(declared.has(code), `${code} is declared nowhere`)
  assertFacts(code, body)
  if (status === 429 || status >= 502) assert.match(headers.get('retry-after') ?? '', /^[0-9]+$/)
  if (status === 401) {
    const challenge = headers.get('www-authenticate') ?? ''
    const scheme = code === 'customer_tool_key_invalid' ? 'CustomerToolReadKey' : 'Bearer'
    assert.ok(challenge.startsWith(`${scheme} realm=`), challenge)
    const challengeError = /error="(\w+)"/.exec(challenge)?.[1]
    assert.equal(challengeError, body.code === 'invalid_token' ? 'invalid_token' : undefined)
  }
  assertPlain(answer.text)
  if (at !== undefined) assertDeclared(at, code)
}

/** Facts are declared with their code and match their schemas, because an agent acts on them. */
function assertFacts(code: string, body: Record<string, unknown>): void {
  const facts = declared.get(code)?.facts ?? {}
  for (const [name, value] of Object.entries(body)) {
    if (core.includes(name) || name === 'retry_after_s') continue
    const schema = facts[name]
    assert.ok(schema, `${code} does not declare ${name}`)
    const key = `${code}.${name}`
    const shape = shapes.get(key) ?? compile(schema)
    shapes.set(key, shape)
    assert.doesNotThrow(() => shape.parse(value), `${key}: ${JSON.stringify(value)}`)
  }
}

/** An operation only answers codes that it lists, or that any operation may answer. */
function assertDeclared(at: string, code: string): void {
  const operation = operations.find((one) => one.at === at)
  const codes = [...(operation?.fails ?? []), ...commonFaults].map((fault) => fault.code)
  assert.ok(codes.includes(code), `${at} does not declare ${code}`)
}

/** A caller must see no stack, no query and no file of ours. */
export function assertPlain(text: string): void {
  assert.doesNotMatch(text, /node_modules|\.ts:[0-9]|\bat [\w.]+ \(|select .* from |ECONN/i)
}

/**
 * A 422 is exactly {"detail": [{loc, msg, type}...]}, with these places ("body.domains.0
 * string_type").
 */
export function assertInvalid(answer: Answer, places: readonly string[]): void {
  assert.equal(answer.status, 422, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(answer.body), ['detail'])
  const details: { loc: (string | number)[]; msg: string; type: string }[] = answer.body.detail
  for (const detail of details) {
    assert.deepEqual(Object.keys(detail).sort(), ['loc', 'msg', 'type'])
    assert.ok(['body', 'query', 'path', 'header'].includes(String(detail.loc[0])), answer.text)
    assert.ok(detail.msg.length > 3 && /^[a-z_]+$/.test(detail.type), answer.text)
  }
  const found = details.map(({ loc, type }) => `${loc.join('.')} ${type}`)
  assert.deepEqual(found.sort(), [...places].sort())
  assertPlain(answer.text)
}

/**
 * The call is for the key that made the object, or its owner; another key of the account is
 * refused.
 */
const refusalToOthers: Readonly<Record<string, string>> = {
  'POST /v1/customers/{customer_id}/api-keys/{api_key_id}/rotate': '403 api_key_not_own',
  'POST /v1/webhooks/{id}/secret/rotate': '403 webhook_not_own',
  'POST /v1/domains/{domain}/changes/{change_id}/confirm': '403 dns_change_not_own',
}

/** Asserts the refusal, if it is one of those. */
export function isRefusedToOthers(at: string, answer: Answer): boolean {
  const refusal = refusalToOthers[at]
  if (refusal !== undefined) assertProblem(answer, refusal, at)
  return refusal !== undefined
}

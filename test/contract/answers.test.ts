// Successful responses of every operation: its own schema, the contract's fields, and the
// headers of all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { scopes } from '../../src/app.ts'
import { operations } from '../../src/catalog.ts'
import { fileContent } from '../../src/replies/download.ts'
import { eventStreamContent } from '../../src/replies/event-stream.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { type Answer, startService } from '../support/service.ts'
import { storedSecrets } from './support/customer-tool/stored-secrets.ts'
import { examples, send } from './support/examples.ts'
import { keyOf, must, openFixture } from './support/fixture.ts'
import { shapes } from './support/shapes.ts'
import { unconfigured } from './support/unconfigured.ts'

const registrar = await startService()
const fixture = await openFixture(registrar)
const ajv = new Ajv2020({ allErrors: true, strict: false })
// ajv-formats is CommonJS: under "nodenext" its default export is typed as the module.
addFormats.default(ajv)

/** All responses so far. */
const texts = new Map<string, string>()

/** The response to an operation's example, from a caller with permission. */
async function answerOf(at: string): Promise<Answer> {
  const one = examples[at]
  assert.ok(one, `${at} has no example`)
  const example = await one.make(fixture)
  const token = one.access === 'operator' ? registrar.operatorKey : (example.session ?? fixture.key)
  const answer = await send(fixture, at, { example, token })
  texts.set(at, answer.text)
  return answer
}

function assertFits(at: string, schema: object, body: unknown): void {
  const validate = ajv.compile(schema)
  assert.ok(validate(body), `${at}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(body)}`)
}

/** The same schema, in which no object takes a field that it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, closed(one)]))
  return 'properties' in schema ? { additionalProperties: false, ...inner } : inner
}

const configured = operations.filter(({ at }) => !unconfigured.has(at))

for (const { at, gives, downloads, status = 200 } of configured)
  test(`${at} answers by its own schema and by the contract`, async () => {
    const answer = await answerOf(at)
    assert.equal(answer.status, status, answer.text)
    const isStream = gives === eventStreamContent
    assertHeaders(answer, isStream ? 'no-store, no-transform' : 'no-store')
    if (status === 204) {
      assert.equal(answer.text, '')
      return
    }
    const shape = shapes[at]
    assert.ok(shape, `${at} has no shape in shapes.ts`)
    const isFile = gives === fileContent || isStream
    assert.equal(
      answer.headers.get('content-type')?.split(';')[0],
      isFile ? downloads : 'application/json',
    )
    const body = isFile ? answer.text : answer.body
    assertFits(at, Object(closed(JSON.parse(JSON.stringify(gives)))), body)
    assertFits(at, shape, body)
    // The digest of a change of records covers the data that the caller sees beside it.
    const rest = answer.text.replace(/"digest":"[0-9a-f]{64}","warnings"/, '')
    assert.doesNotMatch(rest, /key_hash|auth_info|fingerprint|lease_token|digest/)
  })

function assertHeaders({ headers }: Answer, cache_control: string): void {
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  assert.match(headers.get('ratelimit') ?? '', /^"\w+";r=[0-9]+;t=[0-9]+/)
  assert.match(headers.get('ratelimit-policy') ?? '', /^"\w+";q=[0-9]+;w=[0-9]+/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), cache_control)
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('server'), null)
  assert.equal(headers.get('x-powered-by'), null)
}

test('no two requests have one id', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => registrar.request('GET', '/v1/health')),
  )
  assert.equal(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size, 20)
  const headers = { 'x-request-id': 'chosen-by-the-caller' }
  const chosen = await registrar.request('GET', '/v1/health', { headers })
  assert.notEqual(chosen.headers.get('x-request-id'), 'chosen-by-the-caller')
})

test('a key is shown once, and a list shows only how it begins', async () => {
  const made = await keyOf(fixture, ['domains:read'])
  const path = `/v1/customers/${fixture.id}/api-keys`
  const { body, text } = await must(registrar.request('GET', path, { token: fixture.key }))
  assert.ok(!text.includes(made.api_key))
  const listed = body.find(({ id }: { id: number }) => id === made.id)
  assert.ok(made.api_key.startsWith(listed.key_prefix))
  assert.ok(listed.key_prefix.length <= 16)
})

test('every change is in the audit log, with actor, action and result', async () => {
  const path = `/v1/customers/${fixture.id}/audit-logs?limit=500`
  const { body } = await must(registrar.request('GET', path, { token: fixture.key }))
  const actions = new Set(body.audit_logs.map(({ action }: { action: string }) => action))
  // These are about accounts that the callers name themselves, as the comments at their code
  // explain.
  const resets = ['request_password_reset', 'confirm_password_reset']
  const others = [...resets, 'sign_up', 'resend_sign_up', 'verify_sign_up']
  // An event is audited by its effect, and its own tests provoke it.
  const throughProviders = ['finish_sso', 'mail_sso_link_code']
  // In the log of the account that it closes.
  const operators = ['log_in_operator', 'close_account']
  const webhooks = ['receive_processor_event', 'receive_gateway_webhook']
  const changes = configured.filter(
    ({ effect, who, name }) =>
      effect !== 'none' &&
      !['service', 'customer_tool'].includes(who.about) &&
      ![...others, ...throughProviders, ...webhooks, ...operators].includes(name),
  )
  for (const { name } of changes) assert.ok(actions.has(name), `${name} left no row`)
})

test('the log of the service never holds a key, a token or a query string', async () => {
  const wrong = `ar_test_${'Z'.repeat(40)}`
  await registrar.request('GET', '/v1/account', { token: wrong })
  await registrar.request('GET', `/v1/account?access_token=${wrong}`)
  await registrar.request('POST', '/v1/customers', { token: fixture.key, body: { email: wrong } })
  const full = await keyOf(fixture, scopes)
  await must(registrar.request('GET', '/v1/account', { token: full.api_key }))
  const logs = registrar.logs.join('\n')
  assert.ok(registrar.logs.length > operations.length, 'requests are logged')
  for (const secret of [fixture.key, full.api_key, registrar.operatorKey, wrong])
    assert.ok(!logs.includes(secret) && !logs.includes(secret.slice(9)), 'a secret is in the log')
  for (const { password } of Object.values(registrar.sandbox.registries))
    assert.ok(!logs.includes(password), "a registry's password is in the log")
  assert.doesNotMatch(logs, /ar_test_[0-9A-Za-z]{20}|"level":(50|60)/)
})

test('no digest, code or sealed value that is stored is in a response or in the log', async () => {
  const secrets = await storedSecrets(registrar)
  const columns = new Set(secrets.values())
  assert.ok(columns.size > 15, [...columns].join(', '))
  const places = new Map([...texts, ['the log', registrar.logs.join('')]])
  assert.ok(places.size > 150, String(places.size))
  const leaks = [...places].flatMap(([place, text]) =>
    [...secrets].filter(([secret]) => text.includes(secret)).map(([, column]) => [place, column]),
  )
  // A receipt contains the SHA-256 of its request on purpose.
  assert.deepEqual(leaks, [['GET /v1/operations/{id}/receipt', 'orders.digest']])
  const [row] = await rowsIn(registrar)('select key_hash from api_keys limit 1')
  assert.ok(secrets.has(row.key_hash.toString('hex')), 'a digest that is stored is looked for')
})

/** The effects of the examples on the account, by family. */
const eventTypes = {
  domain:
    'registered renewed restored updated locked unlocked protected unprotected dns_record_set ' +
    'auth_code_read auth_code_replaced reserve_changed',
  order: 'placed failed refunded',
  transfer: 'requested cancelled away_requested away_approved away_rejected',
  balance: 'adjusted reserve_changed',
  payment: 'credited reversed',
  invoice: 'created paid',
  api_key: 'created updated rotated revoked',
  contact: 'created updated deleted',
  support: 'message_sent message_received',
  webhook: 'created updated test deleted',
}

test('changes of each family are events of the account', async () => {
  const seen = new Set<string>()
  const wanted = Object.entries(eventTypes).flatMap(([family, words]) =>
    words.split(' ').map((word) => `${family}.${word}`),
  )
  let cursor = ''
  const missing = () => wanted.filter((type) => !seen.has(type))
  // The newest are derived a moment after their effects: each request waits for them.
  for (let page = 0; page < 40 && missing().length > 0; page += 1) {
    const path = `/v1/events?limit=500&wait=1${cursor}`
    const { body } = await must(registrar.request('GET', path, { token: fixture.key }))
    for (const { type } of body.events) seen.add(type)
    cursor = `&cursor=${body.next_cursor}`
  }
  assert.deepEqual(missing(), [])
})

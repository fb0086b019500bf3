// Authorization of every operation: called by each kind of caller that may and that may not.
import assert from 'node:assert/strict'
import { before, describe, it, test } from 'node:test'
import pg from 'pg'
import { holdsScope, scopes } from '../../src/app.ts'
import { operations } from '../../src/catalog.ts'
import { newSecret } from '../../src/kit/random.ts'
import { publicUrls } from '../../src/origins.ts'
import { customerToolKey } from '../support/node.ts'
import { type Answer, sharedService } from '../support/service.ts'
import { recentSessionOf, sessionOf } from '../support/sign-in.ts'
import { type Case, examples, ownedIds, send } from './support/examples.ts'
import { type Example, type Fixture, keyOf, must, openFixture } from './support/fixture.ts'
import { assertProblem, isRefusedToOthers } from './support/problem.ts'
import { unconfigured } from './support/unconfigured.ts'

const registrar = await sharedService()
const { dashboard_url } = publicUrls(registrar.service.settings)
const [owner, other, sleeper] = await Promise.all([
  openFixture(registrar),
  openFixture(registrar),
  registrar.customer({ scopes: [...scopes] }),
])
const unknown = newSecret('ar_test_').value
const revoked = await keyOf(owner, scopes)
const suspended: Fixture = { ...owner, ...sleeper }

before(async () => {
  const path = `/v1/customers/${owner.id}/api-keys/${revoked.id}/revoke`
  await must(registrar.request('POST', path, { token: registrar.operatorKey }))
  const client = new pg.Client(registrar.service.settings.database_url ?? '')
  await client.connect()
  await client.query("update customers set status = 'suspended' where id = $1", [sleeper.id])
  await client.end()
})

const successOf = (at: string) => operations.find((one) => one.at === at)?.status ?? 200
const expectSuccess = (at: string, answer: Answer) =>
  unconfigured.has(at)
    ? assert.deepEqual([answer.status, answer.body.code], [503, 'not_configured'], at)
    : assert.equal(answer.status, successOf(at), `${at} ${answer.text}`)

test('the scopes are those of the contract', () => {
  const words =
    'account:read account:write contacts:read contacts:write domains:read domains:write ' +
    'dns:write domains:purchase domains:transfer billing:read billing:write keys:read keys:write ' +
    'audit:read support:read support:write'
  assert.deepEqual([...scopes], words.split(' '))
})

test('every operation has an example, and every example an operation', () => {
  assert.deepEqual(Object.keys(examples).sort(), operations.map(({ at }) => at).sort())
})

// An account scans one domain at a time.
for (const [at, one] of Object.entries(examples))
  describe(at, { concurrency: !at.endsWith('/records/scan') }, () => {
    const calls = callsOf(at, one)
    if (one.access === 'tool') return callsOfTheTool(at, one, calls)
    callsWithoutAKey(at, one, calls)
    if (one.operator && at.includes('{customer_id}')) callsAboutAbsentCustomer(at, calls)
    callsWithASession(at, one, calls)
    if (one.access === 'operator') callsOfOperators(at, calls)
    else if (one.access === 'session') callsInPerson(at, one, calls)
    else if (one.access === 'token') callsOfAnyToken(at, calls)
    else if (one.access !== 'public') callsOfCustomers(at, one, calls)
  })

type Calls = {
  call: (token?: string) => Promise<Answer>
  /** The example of calls that are refused, which is made once because they leave it as it was. */
  example: () => Promise<Example>
  refused: (token?: string) => Promise<Answer>
}

function callsOf(at: string, one: Case): Calls {
  let made: Promise<Example> | undefined
  const example = () => {
    made ??= Promise.resolve(one.make(owner))
    return made
  }
  const withToken = (example: Example, token?: string) =>
    send(owner, at, { example, ...(token === undefined ? {} : { token }) })
  return {
    example,
    call: async (token) => withToken(await one.make(owner), token),
    refused: async (token) => withToken(await example(), token),
  }
}

function callsOfTheTool(at: string, one: Case, { call }: Calls): void {
  const sent = async (headers: Record<string, string>, token?: string) =>
    send(owner, at, {
      example: { ...(await one.make(owner)), headers },
      ...(token === undefined ? {} : { token }),
    })

  it('takes the key of the customer tool, and a token beside it does not matter', async () => {
    expectSuccess(at, await call())
    expectSuccess(at, await call(unknown))
  })
  it('is closed to every token, and to a key that is missing or wrong', async () => {
    const session = await sessionOf(registrar, owner)
    for (const token of [registrar.operatorKey, owner.key, session, unknown, customerToolKey])
      assertProblem(await sent({}, token), '401 customer_tool_key_invalid', at)
    for (const key of ['', 'x', `${customerToolKey}x`, customerToolKey.slice(1), owner.key])
      assertProblem(await sent({ 'x-customer-tool-key': key }), '401 customer_tool_key_invalid', at)
    assertProblem(await sent({}), '401 customer_tool_key_invalid', at)
  })
  it('takes the key in its header alone', async () => {
    const query = { 'X-Customer-Tool-Key': customerToolKey, access_token: customerToolKey }
    const example = { ...(await one.make(owner)), headers: {}, query }
    assertProblem(await send(owner, at, { example }), '401 customer_tool_key_invalid', at)
    const cookie = `X-Customer-Tool-Key=${customerToolKey}`
    assertProblem(await sent({ cookie }), '401 customer_tool_key_invalid', at)
  })
}

test('the key of the customer tool opens nothing else', async () => {
  const headers = { 'x-customer-tool-key': customerToolKey }
  const others = Object.entries(examples).filter(([, { access }]) => !/public|tool/.test(access))
  assert.ok(others.length > 80, `${others.length} operations`)
  for (const [at] of others) {
    const [method = '', path = ''] = at.split(' ')
    const url = path.replaceAll(/\{\w+\}/g, owner.id)
    const alone = await registrar.request(method, url, { headers })
    assertProblem(alone, '401 unauthenticated', at)
    const asToken = await registrar.request(method, url, { token: customerToolKey })
    assertProblem(asToken, '401 invalid_token', at)
  }
})

function callsWithoutAKey(at: string, one: Case, { call, refused }: Calls): void {
  it('distinguishes a missing token from an invalid one', async () => {
    if (one.access === 'public') expectSuccess(at, await call())
    else assertProblem(await refused(), '401 unauthenticated', at)
  })
  it('refuses tokens that are malformed, unknown or revoked, also where none is needed', async () => {
    const none = ['ar_test_short', 'x', `op_${'u'.repeat(40)}`, `ses_${'u'.repeat(40)}`]
    const wrong = [...none, unknown, newSecret('ses_').value, revoked.api_key]
    for (const answer of await Promise.all(wrong.map((token) => refused(token))))
      assertProblem(answer, '401 invalid_token', at)
  })
  it('serves an operator where it may, and says why not where it may not', async () => {
    const token = registrar.operatorKey
    if (one.operator) expectSuccess(at, await call(token))
    else assertProblem(await refused(token), '403 customer_required', at)
  })
}

function callsAboutAbsentCustomer(at: string, { example: shared }: Calls): void {
  it('is 404 for an operator and an absent customer', async () => {
    const example = await shared()
    const path = { ...example.path, customer_id: `cus_${'0'.repeat(26)}` }
    const token = registrar.operatorKey
    const answer = await send(owner, at, { example: { ...example, path }, token })
    assert.equal(answer.status, 404, answer.text)
  })
}

function callsWithASession(at: string, one: Case, { example: shared }: Calls): void {
  it('serves the owner with a session, wherever a customer is served', async () => {
    const example = one.access === 'operator' ? await shared() : await one.make(owner)
    const token = example.session ?? (await recentSessionOf(registrar, owner))
    const answer = await send(owner, at, { example, token })
    if (one.access === 'operator') assertProblem(answer, '403 operator_only', at)
    else expectSuccess(at, answer)
  })
}

function callsInPerson(at: string, one: Case, { refused, example: shared }: Calls): void {
  it('is closed to keys of any scope', async () => {
    assertProblem(await refused(owner.key), '403 session_required', at)
  })

  it("is 404 for another customer's, and does not reveal that it exists", async () => {
    const example = await shared()
    if (!example.path) return
    const token = await sessionOf(registrar, other)
    const theirs = await send(owner, at, { example, token })
    const id = /^[a-z]{3}_/.exec(String(example.path.id))?.[0].padEnd(30, '0') ?? 2 ** 40
    const path = { id, domain: 'not.com' }
    const absent = await send(owner, at, { example: { ...example, path }, token })
    assert.equal(theirs.status, 404, theirs.text)
    assert.deepEqual(comparable(theirs), comparable(absent), 'foreign and absent look alike')
  })

  it('stays open to a suspended owner, who keeps others out with it', async () => {
    const ofDomain = at.includes('{domain}')
    const example = await one.make(ofDomain ? owner : suspended)
    const token = ofDomain ? await recentSessionOf(registrar, suspended) : (example.session ?? '')
    const answer = await send(suspended, at, { example, token })
    if (ofDomain) assertProblem(answer, '404 domain_not_found', at)
    else expectSuccess(at, answer)
  })
}

function callsOfOperators(at: string, { refused }: Calls): void {
  it('is closed to customers, whatever their scopes', async () => {
    assertProblem(await refused(owner.key), '403 operator_only', at)
    assertProblem(await refused(suspended.key), '403 operator_only', at)
  })
}

function callsOfAnyToken(at: string, { call }: Calls): void {
  it('needs a valid token, and no scope', async () => {
    expectSuccess(at, await call((await keyOf(owner, [])).api_key))
    expectSuccess(at, await call(suspended.key))
    const answer = await call(other.key)
    expectSuccess(at, answer)
    assert.ok(!answer.text.includes(owner.id) && !answer.text.includes(other.id))
  })
}

function callsOfCustomers(at: string, one: Case, calls: Calls): void {
  const { call, refused, example: shared } = calls

  it('needs its scope, and no more than that', async () => {
    const [only, rest] = await Promise.all([
      keyOf(owner, [one.access, ...(one.beside ?? [])]),
      keyOf(
        owner,
        scopes.filter((scope) => !holdsScope(new Set([scope]), one.access)),
      ),
    ])
    const served = await call(only.api_key)
    if (!isRefusedToOthers(at, served)) expectSuccess(at, served)
    const answer = await refused(rest.api_key)
    assertProblem(answer, '403 insufficient_scope', at)
    assert.equal(answer.body.required_scope, one.access)
    const { type, hint, url } = answer.body.next_action
    assert.deepEqual([type, url], ['add_scope', `${dashboard_url}/api-keys`])
    assert.match(hint, /create another one .*with the scope/)
    const challenge = answer.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /error="insufficient_scope"/)
    assert.ok(challenge.includes(`scope="${one.access}"`), challenge)
  })

  it("is 404 for another customer's, and does not reveal that it exists", async () => {
    const example = await (at.includes('{') ? shared() : one.make(owner))
    const theirs = await send(owner, at, { example, token: other.key })
    if (at.includes('{')) assert.equal(theirs.status, 404, theirs.text)
    else assert.ok(!theirs.text.includes(owner.id) && !theirs.text.includes(owner.domain))
    if (!ownedIds.some((name) => example.path && name in example.path)) return
    const mixed = mixedUp(example)
    const answer = await send(owner, at, { example: mixed, token: other.key })
    assert.equal(answer.status, 404, `${JSON.stringify(mixed.path)} ${answer.text}`)
    const absent = await send(owner, at, { example: unheardOf(mixed), token: other.key })
    assert.deepEqual(comparable(answer), comparable(absent), 'foreign and absent look alike')
  })

  it('lets a suspended customer read, and change nothing', async () => {
    const own = at.includes('{customer_id}')
    const fixture: Fixture = { ...owner, ...suspended }
    const example = await one.make(own && !/\{(?!customer_id)/.test(at) ? fixture : owner)
    const answer = await send(owner, at, {
      example: { ...example, ...pathOf(example, own) },
      token: suspended.key,
    })
    if (open_while_suspended.has(at)) expectSuccess(at, answer)
    else if (one.changes || !at.startsWith('GET'))
      assertProblem(answer, '403 account_suspended', at)
    else assert.ok([200, 404].includes(answer.status), answer.text)
  })
}

/** A suspended account may ask why. */
const open_while_suspended = new Set([
  'POST /v1/support/messages',
  'POST /v1/support/messages/read',
])

function pathOf(example: Example, own: boolean): Example {
  return own ? { path: { ...example.path, customer_id: suspended.id } } : {}
}

/** The other customer's own customer_id, if there is one, with the owner's other ids. */
function mixedUp(example: Example): Example {
  const own = example.path && 'customer_id' in example.path
  return own ? { ...example, path: { ...example.path, customer_id: other.id } } : example
}

/** The same request with an id that does not exist. */
function unheardOf(example: Example): Example {
  const path = { ...example.path }
  for (const name of ownedIds)
    if (name in path)
      path[name] =
        name === 'domain'
          ? 'not-registered-here.com'
          : /^[a-z]{3}_/.test(String(path[name]))
            ? `${String(path[name]).slice(0, 4)}${'0'.repeat(26)}`
            : name === 'id'
              ? `ord_${'0'.repeat(26)}`
              : 2 ** 40
  return { ...example, path }
}

const comparable = ({ status, body: { request_id: _, ...rest } }: Answer) => ({ status, ...rest })

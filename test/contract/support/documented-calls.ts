// The documented example of an operation against a running service: the curl sample is sent, with
// its identifiers and secrets replaced by those of the fixture.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from '../../../src/app.ts'
import {
  curlSample,
  exampleOf,
  type RecordedExample,
  toolArguments,
} from '../../../src/surfaces/documents/site/code-samples.ts'
import { customerToolKey } from '../../support/node.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { type Case, examples } from './examples.ts'
import { type Example, type Fixture, must, until } from './fixture.ts'
import { fixedValues } from './recordings/fixed-values.ts'
import { type CurlCall, curlCall } from './shell-words.ts'

/** Their values belong to the fixture; all others are sent as they are documented. */
const fixture_fields = ['domain', 'domains', 'auth_code', 'expected_expiry']
/** The same applies if the example is not that of a tool. */
const fixture_secrets = [
  ...['token', 'email', 'password', 'current_password', 'new_password', 'credential', 'ticket'],
  ...['signup_id', 'state', 'code', 'iss', 'customer_id', 'processor_checkout_session_id'],
  ...['payment_id', 'reversal_id', 'operation_id', 'adjustment_id', 'refund_id'],
  ...['checkout_id', 'operator_key', 'endpoint', 'keys'],
]

type Documented = { example: RecordedExample; live: Example; token: string }
type Sent = { status: number; body: unknown; text: string }

/** A fresh valid call, and the example that documents it. */
export async function documentedCall(fixture: Fixture, operation: Operation): Promise<Documented> {
  const { live, token } = await liveCall(fixture, operation)
  const example = exampleOf(operation)
  if (example === undefined) throw new Error(`${operation.name} is not recorded`)
  return { example, live, token }
}

async function liveCall({ registrar, ...fixture }: Fixture, { at }: Operation) {
  const one = examples[at]
  if (one === undefined) throw new Error(`${at} has no example`)
  const live = await one.make({ registrar, ...fixture })
  const token = credentialOf(one, live.session ?? fixture.key, registrar.operatorKey)
  if (!at.endsWith('/renew')) return { live, token }
  const path = `/v1/domains/${live.path?.domain}`
  const { body } = await must(registrar.request('GET', path, { token }))
  return { live: { ...live, body: { ...live.body, expected_expiry: body.expiry } }, token }
}

function credentialOf({ access }: Case, own: string, operator: string): string {
  if (access === 'tool') return customerToolKey
  return access === 'operator' ? operator : own
}

/** Parses the curl sample, and sends it. */
export async function sendDocumented(
  { registrar }: Fixture,
  operation: Operation,
  { example, live, token }: Documented,
): Promise<Sent> {
  const variables = {
    API_KEY: token,
    SESSION: token,
    OPERATOR_KEY: token,
    CUSTOMER_TOOL_KEY: token,
    COOKIE: live.headers?.cookie ?? '',
    CUSTOMER_ID: String(live.path?.customer_id),
  }
  const call = curlCall(curlSample(operation, example, registrar.url), variables)
  const { url, body } = withFixture(call, operation, live)
  const answered = fetch(url, {
    method: call.method,
    redirect: 'manual',
    // A signed body cannot be documented: it is another each time.
    ...(operation.raw_body
      ? { headers: { ...live.headers }, body: JSON.stringify(live.body) }
      : {
          headers: withPrecondition(call.headers, live),
          ...(body === undefined ? {} : { body }),
        }),
  })
  if (live.awaited && url.searchParams.has('wait')) await untilAnswered(answered, live.awaited)
  const response = await answered
  const text = await textOf(response)
  // The documentation shows no file: an invoice's PDF has no body here.
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined }
}

/**
 * Makes the event that the call waits for, and makes it again if it came before the call waited.
 */
async function untilAnswered(answered: Promise<unknown>, make: () => Promise<unknown>) {
  const ended = answered.then(() => true)
  do await make()
  while (!(await Promise.race([ended, sleep(500, false)])))
}

/** The text of a response, or the first octets of a stream of events, which has no end. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  for await (const chunk of response.body ?? []) return Buffer.from(chunk).toString()
  return ''
}

function withFixture({ url, body }: CurlCall, operation: Operation, live: Example) {
  const { path, name } = operation
  const ofFixture = (field: string, documented: unknown, own: Record<string, unknown>) => {
    const replaced = [...fixture_fields, ...(hasTools(operation) ? [] : fixture_secrets)]
    return replaced.includes(field) && Object.hasOwn(own, field) ? own[field] : documented
  }
  const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  if (!pattern.test(url.pathname)) throw new Error(`${url.pathname} is not ${path}`)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field) =>
    encodeURIComponent(live.path?.[field] ?? ''),
  )
  const target = new URL(filled, url)
  for (const [field, value] of url.searchParams)
    target.searchParams.append(field, String(ofFixture(field, value, live.query ?? {})))
  if (body === undefined) return { url: target, body }
  const fields: Record<string, unknown> = JSON.parse(body)
  const sent = Object.entries(fields).map(([field, value]) => [
    field,
    ofFixture(field, value, live.body ?? {}),
  ])
  if (sent.length === 0) throw new Error(`${name}: an empty body`)
  return { url: target, body: JSON.stringify(Object.fromEntries(sent)) }
}

/**
 * Sends the call in the form of the contract's example and of the tool's, and returns the example
 * to document.
 */
export async function recordExample(
  fixture: Fixture,
  operation: Operation,
): Promise<RecordedExample> {
  const { live, token } = await liveCall(fixture, operation)
  const request = requestOf(fixture, operation, live)
  await untilIdle(fixture)
  const sent_at = Date.now()
  const sent = await sendDocumented(fixture, operation, { example: { request }, live, token })
  if (sent.status !== (operation.status ?? 200)) throw new Error(`${sent.status}: ${sent.text}`)
  const answer = sent.body === undefined ? {} : { answer: renamed(fixture, shortened(sent.body)) }
  const recorded = { name: operation.name, sent_at }
  const fixed = fixedValues({ request, ...answer }, recorded)
  // The examples of tools are the same each time.
  const { body, query } = request
  const given = { ...(body && { body }), ...(query && { query }) }
  return hasTools(operation) ? { ...fixed, request: { ...fixed.request, ...given } } : fixed
}

/** Until no task is due: the answer is the same, however fast the jobs of the service are. */
function untilIdle({ registrar }: Fixture): Promise<void> {
  const query = rowsIn(registrar)
  return until(async () => {
    const due = await query(
      `select kind from tasks
        where dead_at is null and run_at <= clock_timestamp() and kind <> 'example' limit 1`,
    )
    return due.length === 0
  })
}

/** Uses the entity tag of the call's own zone in place of the documented one. */
function withPrecondition(headers: ConstructorParameters<typeof Headers>[0], live: Example) {
  const sent = new Headers(headers)
  const own = live.headers?.['if-match']
  if (own !== undefined) sent.set('if-match', own)
  return sent
}

function ifMatch(tag: string | undefined) {
  return tag === undefined ? {} : { headers: { 'If-Match': tag } }
}

function hasTools({ tools = [] }: Operation): boolean {
  return tools.length > 0
}

function requestOf(fixture: Fixture, operation: Operation, live: Example) {
  const { headers: _cookie, session: _session, ...fieldsOfLive } = live
  const shown = renamed(fixture, fieldsOfLive)
  const cookie = live.headers?.cookie === undefined ? {} : { cookie: true as const }
  // If there are several tools, the last one is taken: set_auto_renew, which can be tried without
  // harm.
  const { idempotency_key, ...tool } = { ...toolArguments(operation, operation.tools?.at(-1)) }
  const own = Object.entries(tool).filter(([field]) => shown.path?.[field] === undefined)
  const fields = Object.fromEntries(own)
  const isBody = !['GET', 'DELETE'].includes(operation.method)
  const isShown = isBody && !operation.raw_body
  const body = isShown ? (hasTools(operation) ? fields : { ...shown.body }) : {}
  const query = isBody ? shown.query : texts({ ...shown.query, ...fields })
  return {
    ...(shown.path === undefined ? {} : { path: shown.path }),
    ...(query === undefined || Object.keys(query).length === 0 ? {} : { query }),
    ...(idempotency_key === undefined
      ? { ...pageOnly(live.headers?.['x-session']), ...ifMatch(live.headers?.['if-match']) }
      : { headers: { 'Idempotency-Key': String(idempotency_key) } }),
    ...(Object.keys(body).length === 0 ? {} : { body }),
    ...cookie,
  }
}

/** The header fields that a browser adds to a request of our own page. */
function pageOnly(x_session: string | undefined) {
  if (x_session !== 'operator') return {}
  return { headers: { 'X-Session': x_session, 'Sec-Fetch-Site': 'same-origin' } }
}

function texts(fields: Record<string, unknown>): Record<string, string | string[]> {
  const text = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value))
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]))
}

/** Puts a public name in place of each one of the test's, and shows no secret. */
function renamed<T>({ registrar, email }: Fixture, value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(registrar.url, 'https://registrar.example')
    .replaceAll(email, 'ada@example.net')
    .replaceAll(/[\w-]+-[0-9a-f]{6}-\d+@/g, 'ada@')
    .replaceAll(/[a-z-]+-[0-9a-f]{6}-\d+\./g, 'my-agent.')
    .replaceAll(/([a-z-]+)-[0-9a-f]{6}-\d+/g, '$1-1')
    .replaceAll(/http:..127\.0\.0\.1:\d+\/login/g, 'https://github.com/login')
    .replaceAll(/http:..127\.0\.0\.1:\d+\/c\//g, 'https://checkout.stripe.com/c/')
    .replaceAll(/http%3A%2F%2Flocalhost%3A\d+/g, 'https%3A%2F%2Fregistrar.example')
    .replaceAll(',"transports":["internal"]}}', '}}')
    .replaceAll(/\bwhsec_[\w+/]+=*/g, 'whsec_...')
    .replaceAll(/\b((?:ar_test|emt|op|pwt|ses|sgt|slk|sst|stk)_)[0-9A-Za-z-]{30,}/g, '$1...')
    .replaceAll(/\b([a-z]{2,4})([_-])[0-9a-z]{26}\b/g, '$1$201kc8v3w6qf9t2x5y7z8a4b3c2')
    .replaceAll(/"Customer \d+"/g, '"Ada Lovelace"')
  return JSON.parse(text)
}

const shown_items = 2

/** Long lists are cut, because only the fields of an item matter. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, shown_items).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]))
}

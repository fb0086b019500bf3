// Fuzzing of every parameter of every operation with text that databases, decoders and parsers
// cannot hold: whichever principal sends it, the answer is a client error or a success, never a
// 5xx. Each operation is asked by one or two of the principals a day.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '../../../src/catalog.ts'
import { fieldsOf } from '../../../src/surfaces/pipeline/validate.ts'
import { sampleOf } from '../../shards/sampling.ts'
import { type Answer, sharedService } from '../../support/service.ts'
import { sessionOf } from '../../support/sign-in.ts'
import { examples } from '../support/examples.ts'
import { type Example, openFixture } from '../support/fixture.ts'
import { assertInvalid, assertPlain, assertProblem } from '../support/problem.ts'
import { unconfigured } from '../support/unconfigured.ts'
import { encoded, octets, odd, refused, shapesOf } from './hostile-texts.ts'

type Method = (typeof operations)[number]
type Sent = {
  query?: string
  body?: unknown
  headers?: Record<string, string>
  /** A field of the body has the hostile value. */
  fields?: true
}

const at_once = 16
const registrar = await sharedService()
const fixture = await openFixture(registrar)
const principals: Record<string, () => Promise<Record<string, string>>> = {
  'no credential': async () => ({}),
  'an API key': async () => ({ authorization: `Bearer ${fixture.key}` }),
  'a session': async () => ({ authorization: `Bearer ${await sessionOf(registrar, fixture)}` }),
  'an operator key': async () => ({ authorization: `Bearer ${registrar.operatorKey}` }),
  'a customer-tool key': async () => ({ 'x-customer-tool-key': 'k'.repeat(40) }),
}

for (const [turn, operation] of operations.entries())
  describe(operation.at, () => {
    for (const [name, credential] of sampleOf(Object.entries(principals), 3, turn))
      test(`answers ${name} without a 5xx`, async () => {
        const example = (await examples[operation.at]?.make(fixture)) ?? {}
        const headers = await credential()
        const found: string[] = []
        const all = requestsOf(operation, example)
        // Without one of our principals, the body is read as JSON, and no field of it is looked at.
        const seen = 'authorization' in headers ? all : all.filter(([, , sent]) => !sent.fields)
        const send = async ([what, path, sent]: Request) => {
          const merged = { ...headers, ...sent.headers }
          const answer = await ask(operation.method, path, { ...sent, headers: merged })
          const isMissing = unconfigured.has(operation.at) && answer.body.code === 'not_configured'
          if (answer.status >= 500 && !isMissing) found.push(`${what}: ${answer.text}`)
          assertPlain(answer.text)
        }
        // More requests at once would wait for connections to the database, and would be 503 on a
        // slow machine.
        for (let from = 0; from < seen.length; from += at_once)
          await Promise.all(seen.slice(from, from + at_once).map(send))
        assert.deepEqual(found, [])
      })
  })

test('an identifier that is no text is 422 in its place, with what else is wrong', async () => {
  const path = `/v1/customers/a%00b/audit-logs?limit=0`
  const answer = await registrar.request('GET', path, { token: registrar.operatorKey })
  assertInvalid(answer, ['path.customer_id string_unicode', 'query.limit greater_than_equal'])
  const known = await registrar.request('GET', path, { token: fixture.key })
  assertProblem(known, '404 customer_not_found')
})

type Request = [what: string, path: string, sent: Sent]

function requestsOf(operation: Method, example: Example): Request[] {
  const usual = pathOf(operation.path, example.path ?? {})
  const query = new URLSearchParams(example.query).toString()
  const { body } = example
  const fields = [...fieldsOf(operation)]
  const all: Request[] = []
  for (const [field, { location, schema }] of fields)
    if (location === 'path')
      for (const [what, value] of Object.entries(encoded)) {
        const path = pathOf(operation.path, example.path ?? {}, { [field]: value })
        all.push([`${field} ${what}`, path, { query, body }])
      }
    else if (location === 'query')
      for (const [what, value] of Object.entries(encoded))
        all.push([`${field} ${what}`, usual, { query: `${query}&${field}=${value}`, body }])
    else if (location === 'header')
      for (const [what, value] of Object.entries(octets)) {
        const headers = { [field.replaceAll('_', '-')]: value }
        all.push([`${field} ${what}`, usual, { query, body, headers }])
      }
    else
      for (const [what, value] of Object.entries(odd))
        for (const given of shapesOf(schema, value))
          all.push([
            `${field} ${what}`,
            usual,
            { query, body: { ...body, [field]: given }, fields: true },
          ])
  return [...all, ...strange(usual, query, body)]
}

/** Names in the query that no operation has, and values that no field of any body has. */
function strange(path: string, query: string, body: Example['body']): Request[] {
  const names = Object.entries(encoded).map(
    ([what, name]): Request => [`a query name of ${what}`, path, { query: `${name}=1`, body }],
  )
  const bodies = Object.entries(refused).flatMap(([what, text]): Request[] => [
    [`a body name of ${what}`, path, { query, body: { ...body, [text]: 1 } }],
    [`a body value of ${what}`, path, { query, body: { ...body, any: [{ deep: text }] } }],
  ])
  return [...names, ...bodies]
}

function pathOf(pattern: string, given: object, raw: Record<string, string> = {}): string {
  const values = new Map(Object.entries(given))
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name) => {
    return raw[name] ?? encodeURIComponent(String(values.get(name)))
  })
}

async function ask(method: string, path: string, sent: Sent): Promise<Answer> {
  const { query = '', body, headers = {} } = sent
  const bodiless = method === 'GET' || method === 'HEAD'
  return registrar.request(method, query === '' ? path : `${path}?${query}`, {
    headers,
    ...(body === undefined || bodiless ? {} : { body }),
  })
}

const surroundings = [
  'authorization',
  'user-agent',
  'x-agent-id',
  'accept',
  'content-type',
] as const
describe('header fields around the request', () => {
  for (const field of [...surroundings, 'x-forwarded-for', 'origin', 'x-customer-tool-key'])
    test(`${field} is no 5xx`, async () => {
      for (const [what, value] of Object.entries(octets))
        for (const [method, path] of [
          ['GET', '/v1/account'],
          ['POST', '/v1/domains/check'],
          ['POST', '/mcp'],
          ['POST', '/oauth/token'],
          ['POST', '/oauth/register'],
          ['GET', '/oauth/authorize'],
        ] as const) {
          const own = field === 'authorization' ? `Bearer ${value}` : value
          const headers = { authorization: `Bearer ${fixture.key}`, [field]: own }
          const answer = await ask(method, path, { headers, body: {} })
          assert.ok(answer.status < 500, `${method} ${path} ${what}: ${answer.text}`)
        }
    })
})

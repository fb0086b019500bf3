// Responses of the OpenAPI document: what the pipeline refuses with stands in it once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../../catalog.ts'
import { commonFaults } from '../../pipeline/faults.ts'
import { openApiDocument } from '../openapi.ts'
import { faultsOf } from '../operation-docs.ts'

const base_url = 'https://registrar.example'
const roots = { base_url, mcp_url: base_url, environment: 'sandbox' } as const
type Response = {
  $ref?: string
  description?: string
  content?: Record<string, { schema: { $ref?: string; allOf?: [object, CodesPart] } }>
}
type CodesPart = { properties: { code: { enum: string[] } } }
type Parts = { schemas: Record<string, object>; responses: Record<string, Response> }

const served = JSON.parse(JSON.stringify(openApiDocument(operations, roots)))
const forSdk = JSON.parse(JSON.stringify(openApiDocument(operations, roots, { sentences: false })))
const codes: readonly string[] = commonFaults.map(({ code }) => code)

/** The responses of each operation, as the document has them. */
function responsesIn(document: { paths: Record<string, Record<string, object>> }) {
  return operations.map((operation) => {
    const entry = document.paths[operation.path]?.[operation.method.toLowerCase()]
    const responses: Record<string, Response> = Object(entry).responses
    return { operation, responses }
  })
}

function codesOf(response: Response, { schemas, responses }: Parts): string[] {
  const name = response.$ref?.split('/').at(-1)
  const { content } = name === undefined ? response : (responses[name] ?? {})
  const schema = content?.['application/problem+json']?.schema
  const placed = schema?.$ref?.split('/').at(-1)
  const whole: typeof schema = placed === undefined ? schema : Object(schemas[placed])
  return whole?.allOf?.[1].properties.code.enum ?? []
}

test('every operation has exactly the codes of its faults', () => {
  for (const { operation, responses } of responsesIn(served)) {
    const declared = Object.values(responses).flatMap((one) => codesOf(one, served.components))
    const wanted = faultsOf(operation).map(({ code }) => code)
    assert.deepEqual(declared.sort(), wanted.sort(), operation.name)
  }
})

test('a refusal by the pipeline alone is written once, and pointed at', () => {
  let pointed = 0
  for (const { operation, responses } of responsesIn(served))
    for (const [status, response] of Object.entries(responses)) {
      const own = codesOf(response, served.components)
      const isShared = status === '422' || (own.length > 0 && own.every((c) => codes.includes(c)))
      assert.equal(response.$ref !== undefined, isShared, `${operation.name} ${status}`)
      pointed += isShared ? 1 : 0
    }
  const written = Object.keys(served.components.responses).length
  assert.ok(pointed > 20 * written, `${pointed} pointers to ${written}`)
})

test('the copy for clients says nothing in words that is the same for each operation', () => {
  for (const [name, { description }] of Object.entries<Response>(forSdk.components.responses))
    assert.equal(description, '', name)
  const words = responsesIn(forSdk).flatMap(({ responses }) =>
    Object.values(responses).map(({ description = '' }) => description),
  )
  for (const code of codes) assert.ok(!words.some((one) => one.includes(`\`${code}\``)), code)
  assert.ok(words.some((one) => one.includes('`domain_not_supported`')))
  assert.match(served.components.responses.RateLimited.description, /^`rate_limited`: Too many/)
})

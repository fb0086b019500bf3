// Responses of the OpenAPI document: what the pipeline refuses with stands in it once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../../catalog.ts'
import { faultsOf } from '../../descriptions/operation-docs.ts'
import { commonFaults } from '../../pipeline/faults.ts'
import { openApiDocument } from '../openapi.ts'

const base_url = 'https://registrar.example'
const roots = { base_url, mcp_url: base_url, environment: 'sandbox' } as const
type Response = { $ref?: string; description?: string; content?: Record<string, { schema: Part }> }
type Part = {
  $ref?: string
  anyOf?: Part[]
  allOf?: Part[]
  properties?: { code?: { enum?: string[] } }
}
type Parts = { schemas: Record<string, Part>; responses: Record<string, Response> }

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

function codesOf(response: Response, parts: Parts): string[] {
  const name = response.$ref?.split('/').at(-1)
  const { content } = name === undefined ? response : (parts.responses[name] ?? {})
  return codesIn(content?.['application/problem+json']?.schema ?? {}, parts)
}

function codesIn({ $ref, anyOf = [], allOf = [], properties }: Part, parts: Parts): string[] {
  const named = parts.schemas[$ref?.split('/').at(-1) ?? '']
  const inner = [...anyOf, ...allOf, ...(named ? [named] : [])]
  return [...(properties?.code?.enum ?? []), ...inner.flatMap((one) => codesIn(one, parts))]
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

test('a code with facts has a schema with exactly these', () => {
  const usual = Object.keys(served.components.schemas.Problem.properties)
  const reached = new Set(operations.flatMap(faultsOf))
  const factual = [...reached].filter(({ facts }) => Object.keys(facts).length > 0)
  assert.ok(factual.length > 50, `${factual.length} codes`)
  for (const { code, facts } of factual) {
    const name = code.replaceAll(/(^|_)([a-z0-9])/g, (...found) => `${found[2]}`.toUpperCase())
    const [base, own] = served.components.schemas[`${name}Problem`].allOf
    assert.deepEqual(base, { $ref: '#/components/schemas/Problem' })
    assert.deepEqual(own.properties.code, { type: 'string', enum: [code] })
    assert.deepEqual(Object.keys(own.properties), ['code', ...Object.keys(facts)])
    assert.deepEqual(
      Object.keys(facts).filter((fact) => usual.includes(fact)),
      [],
    )
  }
})

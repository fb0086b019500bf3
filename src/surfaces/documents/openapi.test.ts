// The OpenAPI document of the whole catalog: valid by OpenAPI 3.1, complete, and always the same.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import Type from 'typebox'
import { anyone, customerTool, type Operation, operation, ownerOf, scopes } from '../../app.ts'
import { operations } from '../../catalog.ts'
import { fault } from '../../kit/fault.ts'
import { describedAreas } from '../descriptions/area-descriptions.ts'
import { openApiDocument } from './openapi.ts'

const roots = {
  base_url: 'https://registrar.example',
  mcp_url: 'https://mcp.example',
  environment: 'production',
} as const

/** The document as it travels. */
function written(of: readonly Operation[]) {
  return JSON.parse(JSON.stringify(openApiDocument(of, roots)))
}

const document = written(operations)

/** A response, where it stands for itself or is pointed at. */
function resolved(response: { $ref?: string } | undefined): unknown {
  const name = response?.$ref?.split('/').at(-1)
  return name === undefined ? response : document.components.responses[name]
}

const teapot = fault('openapi_test_teapot', 'conflict', { sentence: 'No tea.', hint: 'Coffee.' })
const cup = Type.Object({ size: Type.Integer() }, { title: 'Cup' })
const pour = operation({
  name: 'pour_tea',
  does: 'Pour tea.',
  at: 'POST /v1/customers/{customer_id}/tea',
  area: 'Tea',
  who: ownerOf('domains:write'),
  takes: Type.Object(
    {
      customer_id: Type.String({ description: 'Whose.' }),
      idempotency_key: Type.Optional(Type.String({ maxLength: 255 })),
      cups: Type.Array(cup),
      milk: Type.Optional({ ...Type.Boolean(), default: false }),
    },
    { title: 'PourTeaRequest' },
  ),
  in: { idempotency_key: 'header' },
  gives: Type.Object({ cup }, { title: 'TeaResponse' }),
  status: 201,
  fails: [teapot],
  effect: 'own',
  tools: [
    {
      group: 'registration',
      title: 'Pour',
      examples: [{ cups: [{ size: 2 }] }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  run: async () => ({ cup: { size: 1 } }),
})

describe('the OpenAPI document of the catalog', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    assert.equal(valid, true, JSON.stringify(errors, null, 1))
    assert.equal(validator.version, '3.1')
    assert.equal(document.info.version, '0.1.0')
  })

  it('has every operation, named as it is', () => {
    const entries = Object.values(document.paths).flatMap((path) => Object.values(Object(path)))
    const names = entries.map((entry) => Object(entry).operationId)
    assert.deepEqual(names.toSorted(), operations.map(({ name }) => name).toSorted())
  })

  it('has only references that resolve', () => {
    const pointers = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)
    const found = [...pointers]
    assert.ok(found.length > operations.length)
    for (const [, kind = '', name = ''] of found)
      assert.ok(document.components[kind][name], `${kind}/${name}`)
  })

  it('is the same each time', () => {
    assert.equal(JSON.stringify(written(operations)), JSON.stringify(document))
  })

  it('names the OAuth endpoints, and the operations of each scope', () => {
    const { flows, ...oauth2 } = document.components.securitySchemes.oauth2
    const metadata = 'https://registrar.example/.well-known/oauth-authorization-server'
    assert.equal(oauth2['x-oauth2-metadata-url'], metadata)
    assert.equal(flows.authorizationCode.tokenUrl, 'https://registrar.example/oauth/token')
    assert.deepEqual(Object.keys(flows.authorizationCode.scopes), [...scopes])
    assert.match(flows.authorizationCode.scopes['domains:purchase'], /^Buy .* \(register_domain, /)
  })

  it('lets only bearer keys in where operators alone may go', () => {
    const { security } = document.paths['/v1/customers'].post
    assert.deepEqual(security, [{ bearer: [] }])
  })

  it('describes the session cookie, with the port in its name in the sandbox', () => {
    const nameIn = (base_url: string, environment: 'sandbox' | 'production') => {
      const written = openApiDocument([], { base_url, mcp_url: base_url, environment })
      const { type, in: place, name } = Object(written.components.securitySchemes).session
      return [type, place, name]
    }
    const scheme = ['apiKey', 'cookie']
    const sandbox = nameIn('http://127.0.0.1:8080', 'sandbox')
    assert.deepEqual(sandbox, [...scheme, '__Host-session-8080'])
    const secure = nameIn('https://a.example', 'sandbox')
    assert.deepEqual(secure, [...scheme, '__Host-session-443'])
    const production = nameIn('https://a.example:8443', 'production')
    assert.deepEqual(production, [...scheme, '__Host-session'])
  })

  it('takes its addresses from the settings', () => {
    assert.equal(document.servers[0].url, 'https://registrar.example')
    assert.match(document.info.description, /https:\/\/mcp\.example\/mcp/)
  })
})

describe('the OpenAPI document, for readers without the code,', () => {
  it('has a sentence on each area', () => {
    const tags: { name: string; description?: string }[] = document.tags
    assert.deepEqual(
      tags.filter(({ description }) => description === undefined),
      [],
    )
    assert.deepEqual(tags.map(({ name }) => name).toSorted(), describedAreas.toSorted())
  })

  it('has customer_not_found wherever an operator can name an absent customer', () => {
    const entries = Object.entries(document.paths).filter(([path]) =>
      path.includes('{customer_id}'),
    )
    const lacking = entries.flatMap(([, methods]) =>
      Object.values(Object(methods)).flatMap((entry) => {
        const { operationId, responses, security } = Object(entry)
        const isTool = 'CustomerToolReadKey' in security[0]
        const refusals = JSON.stringify(resolved(responses['404']) ?? null)
        return isTool || refusals.includes('`customer_not_found`') ? [] : [operationId]
      }),
    )
    assert.ok(entries.length > 20)
    assert.deepEqual(lacking, [])
  })
})

describe('the entry of an operation', () => {
  const { paths, components } = written([pour])
  const entry = paths['/v1/customers/{customer_id}/tea'].post

  it('has each field at its location', () => {
    assert.deepEqual(entry.parameters, [
      {
        name: 'customer_id',
        in: 'path',
        required: true,
        description: 'Whose.',
        schema: { type: 'string' },
      },
      { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 } },
    ])
    assert.deepEqual(entry.requestBody, {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/PourTeaRequest' },
          example: { cups: [{ size: 2 }] },
        },
      },
    })
    assert.deepEqual(components.schemas.PourTeaRequest, {
      type: 'object',
      properties: {
        cups: { type: 'array', items: { $ref: '#/components/schemas/Cup' } },
        milk: { type: 'boolean', default: false },
      },
      required: ['cups'],
      additionalProperties: false,
    })
  })

  it('has its scope, its tools and every refusal by status', () => {
    const scopes = ['domains:write']
    const security = [{ bearer: [] }, { oauth2: scopes }, { session: [] }]
    assert.deepEqual(entry.security, security)
    assert.deepEqual(entry['x-mcp-tools'], ['pour_tea'])
    const statuses = ['201', '401', '403', '404', '409', '413', '415', '422', '429', '500', '503']
    assert.deepEqual(Object.keys(entry.responses), statuses)
    const conflict = entry.responses['409'].content['application/problem+json'].schema
    assert.deepEqual(conflict.allOf[1].properties.code.enum, ['openapi_test_teapot'])
    const limited = { $ref: '#/components/responses/RateLimited' }
    assert.deepEqual(entry.responses['429'], limited)
    assert.ok('Retry-After' in components.responses.RateLimited.headers)
    assert.ok(!('Retry-After' in entry.responses['409'].headers))
  })

  it('has no body where the answer has none, and needs no token where anyone may', () => {
    const { paths } = written([{ ...pour, who: anyone(), status: 204 }])
    const open = paths['/v1/customers/{customer_id}/tea'].post
    assert.equal(open.responses['204'].content, undefined)
    assert.deepEqual(open.security, [{}, { bearer: [] }, { oauth2: [] }, { session: [] }])
  })

  it('of the customer tool takes the key of that tool', () => {
    const tool = operation({
      name: 'list_tool_customers',
      does: 'List.',
      at: 'GET /v1/customer-tool/customers',
      area: 'Customer tool',
      who: customerTool(),
      takes: Type.Object({}),
      gives: Type.Object({}),
      fails: [],
      effect: 'none',
      run: async () => ({}),
    })
    const { get } = written([tool]).paths['/v1/customer-tool/customers']
    assert.deepEqual(get.security, [{ CustomerToolReadKey: [] }])
  })

  it('is refused where two different schemas have one title', () => {
    const other = { ...pour, at: 'x', gives: Type.Object({}, { title: 'Cup' }) }
    assert.throws(() => openApiDocument([pour, other], roots), /titled "Cup"/)
  })
})

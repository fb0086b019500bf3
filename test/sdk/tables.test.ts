// Tables of the SDK against the OpenAPI document of a running service.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { errorClass } from '../../sdk/client/errors.ts'
import { takesKey } from '../../sdk/client/idempotency.ts'
import { createRegistrarClient, paginate, RegistrarError } from '../../sdk/index.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const { body: document } = await registrar.request('GET', '/openapi.json')
type Operation = { at: string; path: string; id: string; definition: Record<string, unknown> }
const all: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(Object(methods)).map(([method, definition]) => ({
    at: method.toUpperCase(),
    path,
    id: Object(definition).operationId,
    definition: Object(definition),
  })),
)

/** Their entries are named in the call: `paginate(list, options, 'entries')`. */
const severalArrays = ['get_runway', 'export_audit_logs']

function takes(operation: Operation, name: string): boolean {
  const parameters: { name: string }[] = Object(operation.definition.parameters ?? [])
  return parameters.some((one) => one.name.toLowerCase() === name)
}

it('sends a key to each operation that takes one, and to no other', () => {
  const keyed = all.filter((one) => takes(one, 'idempotency-key'))
  assert.ok(keyed.length >= 6)
  assert.deepEqual(
    all.filter((one) => takesKey(one.at, one.path)).map(({ id }) => id),
    keyed.map(({ id }) => id),
  )
})

it('has a class for each declared code of each operation', () => {
  const text = JSON.stringify(document)
  let codes = 0
  for (const { definition } of all)
    for (const [status, response] of Object.entries(Object(definition.responses))) {
      if (!/^[45]\d\d$/.test(status)) continue
      const shared =
        String(Object(response).$ref ?? '')
          .split('/')
          .at(-1) ?? ''
      const written = shared === '' ? response : document.components.responses[shared]
      const declared = JSON.stringify(written).matchAll(/`([a-z0-9_]+)`: /g)
      for (const [, code] of declared) {
        codes += 1
        const found = errorClass(Number(status), code)
        assert.notEqual(found, RegistrarError, `${status} ${code}`)
        assert.ok(found.prototype instanceof RegistrarError, `${status} ${code}`)
      }
    }
  assert.ok(codes > 500, `${codes} codes of ${text.length} characters`)
})

it('paginates each operation that takes a cursor', async () => {
  const seen: string[] = []
  const send = (async (request: Request) => {
    const cursor = new URL(request.url).searchParams.get('cursor')
    seen.push(`${cursor}`)
    const next_cursor = cursor === null ? 'second' : null
    return Response.json({ entries: [`after ${cursor}`], next_cursor, has_more: cursor === null })
  }) satisfies (request: Request) => Promise<Response>
  const client = createRegistrarClient({
    baseUrl: 'http://127.0.0.1',
    token: 't',
    fetch: (input) => send(new Request(input)),
  })
  const lists = all.filter((one) => takes(one, 'cursor'))
  assert.ok(lists.length >= 20)
  for (const { id, definition } of lists) {
    const arrays = severalArrays.includes(id) ? 2 : 1
    assert.equal(arraysOf(definition), arrays, `${id} has a cursor and its entries`)
    const name = id.replaceAll(/_([a-z0-9])/g, (_, initial: string) => initial.toUpperCase())
    const list = Object(client)[name]
    assert.equal(typeof list, 'function', name)
    seen.length = 0
    const entries: unknown[] = []
    const path = new Proxy({}, { get: () => 'x', ownKeys: () => [] })
    for await (const entry of paginate(list, { path })) entries.push(entry)
    assert.deepEqual(
      [entries, seen],
      [
        ['after null', 'after second'],
        ['null', 'second'],
      ],
      name,
    )
  }
})

/** The arrays of a page by its schema, or 0 if it has no cursor for the next one. */
function arraysOf(definition: Record<string, unknown>): number {
  const ok = Object(Object(definition.responses)['200']).content
  const schema = Object(Object(Object.values(ok ?? {})[0]).schema)
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? ''
  const { properties } = Object(schema.$ref ? document.components.schemas[name] : schema)
  const given = Object(properties)
  if (!given.next_cursor) return 0
  return Object.values(given).filter((one) => Object(one).type === 'array').length
}

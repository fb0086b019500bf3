// Every optional field of every operation and tool: null, where its schema has none, counts as left
// out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomerCaller, Operation } from '../../../src/app.ts'
import { operations } from '../../../src/catalog.ts'
import { argumentsOf } from '../../../src/surfaces/mcp/json-rpc.ts'
import { toolsOf } from '../../../src/surfaces/mcp/tools.ts'
import { fieldsOf, InvalidRequest, parserOf } from '../../../src/surfaces/pipeline/validate.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  items?: Schema
}
/** The names down to an optional field, and the object that has null there alone. */
type Path = { names: string[]; value: Record<string, unknown> }

function optionalFields(schema: Schema): Path[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = [field, ...(field.anyOf ?? [])].find((one) => one.properties)
    const deep = inner ? optionalFields(inner) : []
    const below = deep.map(({ names, value }) => ({
      names: [name, ...names],
      value: { [name]: value },
    }))
    return required.includes(name) ? below : [{ names: [name], value: { [name]: null } }, ...below]
  })
}

/**
 * The lines of a 422 about the field; those about others, which are left out here, do not count.
 */
function complaints(parse: () => unknown, names: string[]): unknown[] {
  try {
    parse()
    return []
  } catch (error) {
    assert.ok(error instanceof InvalidRequest, String(error))
    return error.details.filter(({ loc }) => names.every((name, i) => loc[i + 1] === name))
  }
}

function check(operation: Operation, through: 'rest' | 'mcp'): number {
  const parser = parserOf(operation)
  const locations = fieldsOf(operation)
  let seen = 0
  for (const { names, value } of optionalFields(operation.takes)) {
    // Texts of a path, a query and a header have no null.
    if (through === 'rest' && locations.get(names[0] ?? '')?.location !== 'body') continue
    const parse = () =>
      through === 'mcp'
        ? parser.fromArguments(value)
        : parser.fromRest({ path: {}, query: {}, header: {}, body: value })
    assert.deepEqual(complaints(parse, names), [], `${operation.name}: ${names.join('.')}`)
    seen += 1
  }
  return seen
}

test('over REST', () => {
  const seen = operations.map((operation) => check(operation, 'rest'))
  assert.ok(seen.reduce((sum, one) => sum + one) > 40, String(seen))
})

test('over MCP, also the customer that a tool may leave out', () => {
  const tools = [...toolsOf(operations).byName]
  const seen = tools.map(([, operation]) => check(operation, 'mcp'))
  assert.ok(seen.reduce((sum, one) => sum + one) > 60, String(seen))
  const contacts = tools.find(([name]) => name === 'list_contacts')?.[1]
  assert.ok(contacts)
  const caller: CustomerCaller = {
    kind: 'api_key',
    limits: null,
    suspended: false,
    key_id: 1n,
    customer_id: 'cus_1',
    label: 'a key',
    scopes: new Set(),
  }
  const read = argumentsOf({ operation: contacts, args: { customer_id: null } }, caller)
  assert.equal(read.pathCustomer, 'cus_1')
})

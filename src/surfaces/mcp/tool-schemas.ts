// The schemas of tools, as JSON Schema that clients of both eras take. Each shape is written out
// once.
import type { Tool } from '@modelcontextprotocol/server'
import type { Operation } from '../../app.ts'
import { plain, type Schema } from '../descriptions/operation-docs.ts'
import { concernsOwnAccount } from './json-rpc.ts'

// The input schema has no "$schema", because draft 2020-12 is the protocol's default, and
// validators of older clients refuse its name.
export function inputSchema(operation: Operation): Tool['inputSchema'] {
  const { properties = {}, required = [] } = plain(operation.takes)
  const closed = { type: 'object', additionalProperties: false } as const
  if (!concernsOwnAccount(operation)) return { ...closed, properties: json(properties), required }
  const { customer_id, ...fields } = properties
  return {
    ...closed,
    properties: json({
      ...fields,
      customer_id: { ...customer_id, description: 'Leave it out for your own account.' },
    }),
    required: required.filter((name) => name !== 'customer_id'),
  }
}

/**
 * Output schemas of tools in the order of their list. The first tool that returns a shape with a
 * title writes it out. After that, its title or the name of that tool stands for it, because
 * language models read the list, and each token costs.
 */
export class OutputSchemas {
  readonly #written = new Map<string, string>()
  /** Objects of several fields, with the tool that has written them out. */
  readonly #roots: { tool: string; properties: Record<string, Schema> }[] = []

  /**
   * The schema of a tool's output, or undefined if the tool answers nothing. `structuredContent` is
   * an object, so a list is its `items`.
   */
  of(operation: Operation, tool: string): Tool['outputSchema'] {
    if (operation.status === 204) return undefined
    const { type, ...schema } = plain(operation.gives)
    if (type !== 'object' && type !== 'array')
      throw new Error(`Operation "${operation.name}" has a tool, but gives neither object nor list`)
    const root = type === 'object' ? schema : { properties: { items: { ...schema, type } } }
    const { title = '', properties = {}, required = ['items'] } = root
    const first = this.#written.get(title)
    if (first) return { type: 'object', description: `As ${first} answers it.` }
    if (title !== '') this.#written.set(title, tool)
    const base = this.#roots.find((one) => has(properties, one.properties))
    this.#roots.push({ tool, properties })
    const fields = Object.entries(properties)
      .filter(([name]) => !base || !Object.hasOwn(base.properties, name))
      .map(([name, field]) => [name, this.#once(field, tool)])
    const written = json(Object.fromEntries(fields))
    if (!base) return { type: 'object', properties: written, required }
    const description = `As ${base.tool} answers it, with these fields beside.`
    return { type: 'object', description, properties: written, additionalProperties: true }
  }

  #once(schema: Schema, tool: string): object {
    const { title, type } = schema
    const optional = besidesNull(schema)
    if (optional) {
      const options = optional.enum && { enum: [...optional.enum, null] }
      return { ...this.#once(optional, tool), type: [optional.type, 'null'], ...options }
    }
    if (title !== undefined && this.#written.has(title))
      return type === undefined ? { title } : { title, type }
    if (title !== undefined) this.#written.set(title, tool)
    // These are for validators. The description of a field, and its value, show a reader as much.
    const { pattern, format, required, minimum, additionalProperties, ...words } = schema
    const { properties, items, anyOf } = words
    const fields = Object.entries(properties ?? {})
    return {
      ...words,
      ...(typeof additionalProperties === 'object' && { additionalProperties }),
      ...(properties && {
        properties: Object.fromEntries(fields.map(([name, one]) => [name, this.#once(one, tool)])),
      }),
      ...(items && { items: this.#once(items, tool) }),
      ...(anyOf && { anyOf: anyOf.map((one) => this.#once(one, tool)) }),
    }
  }
}

const several = 5

/** Whether the first has all fields of the second and more, so that it need not repeat them. */
function has(properties: Record<string, Schema>, fewer: Record<string, Schema>): boolean {
  const names = Object.keys(fewer)
  const isSame = (name: string) => JSON.stringify(properties[name]) === JSON.stringify(fewer[name])
  return names.length >= several && names.every(isSame)
}

/**
 * The schema in a choice of one or null, because a type that may be null says the same in half the
 * space.
 */
function besidesNull({ anyOf: [one, none, ...more] = [], ...beside }: Schema): Schema | undefined {
  if (one?.type === undefined || none?.type !== 'null' || more.length > 0) return undefined
  return { ...beside, ...one }
}

/** The SDK's type of a schema is any JSON. */
function json(schemas: Record<string, unknown>) {
  return JSON.parse(JSON.stringify(schemas))
}

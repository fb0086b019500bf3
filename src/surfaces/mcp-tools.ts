// The tools that MCP clients see: one for each tool of the catalog's operations, rendered once.
import type { Tool } from '@modelcontextprotocol/server'
import { type Operation, type Scope, scopes, type ToolDefinition } from '../app.ts'
import { propertiesOf } from './parse.ts'

export type Tools = {
  /** Those that need no token first, else in the catalog's order. */
  list: Tool[]
  byName: ReadonlyMap<string, Operation>
  /** What a client should ask for in order to use every tool. */
  scopes: readonly Scope[]
}

/**
 * Throws when two tools have one name, or one answers what MCP cannot carry: a mistake of the
 * catalog.
 */
export function toolsOf(operations: readonly Operation[]): Tools {
  const list: Tool[] = []
  const byName = new Map<string, Operation>()
  const needed = new Set<Scope>()
  for (const operation of operations)
    for (const definition of operation.tools ?? []) {
      const narrowed = narrowedTo(operation, definition)
      const tool = toolOf(narrowed, definition)
      if (byName.has(tool.name)) throw new Error(`Two tools are named "${tool.name}"`)
      byName.set(tool.name, narrowed)
      list.push(tool)
      if (operation.who.scope) needed.add(operation.who.scope)
    }
  const isPublic = ({ name }: Tool) => byName.get(name)?.who.about === 'anyone'
  list.sort((a, b) => Number(isPublic(b)) - Number(isPublic(a)))
  return { list, byName, scopes: scopes.filter((scope) => needed.has(scope)) }
}

/** The operation as one of its tools knows it: with that tool's fields alone. */
function narrowedTo(operation: Operation, { needs, takes = [], name }: ToolDefinition): Operation {
  if (!needs) return operation
  const all = propertiesOf(operation.takes)
  const unknown = [...needs, ...takes].find((field) => !Object.hasOwn(all, field))
  if (unknown) throw new Error(`Tool "${name}" has a field that is not there: "${unknown}"`)
  const fields = Object.entries(all).filter(([field]) => [...needs, ...takes].includes(field))
  // Its title is the name of the whole request.
  const own = { title: undefined, properties: Object.fromEntries(fields), required: [...needs] }
  return { ...operation, takes: { ...operation.takes, ...own } }
}

function toolOf(operation: Operation, definition: ToolDefinition): Tool {
  const { title, destructive, idempotent, open_world, does } = definition
  const output = outputSchema(operation)
  return {
    name: definition.name ?? operation.name,
    title,
    description: does ?? [operation.does, operation.more].filter(Boolean).join(' '),
    inputSchema: inputSchema(operation),
    ...(output ? { outputSchema: output } : {}),
    annotations: {
      title,
      readOnlyHint: operation.effect === 'none',
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: open_world,
    },
  }
}

/** Whether the customer of the path may be left out: MCP takes the caller's own account then. */
export function isAboutOwnAccount(operation: Operation): boolean {
  return operation.who.about === 'customer' && 'customer_id' in propertiesOf(operation.takes)
}

// No "$schema": draft 2020-12 is the protocol's default, and validators of older clients refuse its
// name.
function inputSchema(operation: Operation): Tool['inputSchema'] {
  const { type: _object, ...schema } = plain(operation.takes)
  if (!isAboutOwnAccount(operation))
    return { ...schema, type: 'object', additionalProperties: false }
  const { customer_id, ...properties } = schema.properties
  const required: string[] = schema.required ?? []
  return {
    ...schema,
    type: 'object',
    additionalProperties: false,
    properties: {
      ...properties,
      customer_id: { ...customer_id, description: 'A customer; your own account if left out.' },
    },
    required: required.filter((name) => name !== 'customer_id'),
  }
}

/** `structuredContent` must be an object, so a list travels as `items`. */
function outputSchema(operation: Operation): Tool['outputSchema'] {
  if (operation.status === 204) return undefined
  const { type, ...schema } = plain(operation.gives)
  if (type === 'object') return { ...schema, type }
  if (type !== 'array')
    throw new Error(`Operation "${operation.name}" has a tool, but gives neither object nor list`)
  return {
    type: 'object',
    properties: { items: { ...schema, type } },
    required: ['items'],
  }
}

/** The output in the shape of `outputSchema`. */
export function structuredOf(output: unknown): Record<string, unknown> {
  return Array.isArray(output) ? { items: output } : Object(output ?? {})
}

function plain(schema: object) {
  return JSON.parse(JSON.stringify(schema))
}

// The tools that MCP clients see. There is one for each tool of the catalog's operations, and it is
// rendered once.
import type { Tool } from '@modelcontextprotocol/server'
import {
  type Operation,
  type Scope,
  scopes,
  type ToolDefinition,
  toolGroups,
  type Who,
} from '../../app.ts'
import { propertiesOf } from '../pipeline/validate.ts'
import { inputSchema, OutputSchemas } from './tool-schemas.ts'

export type Tools = {
  /** The tools by group, and within a group in the catalog's order. */
  list: Tool[]
  /**
   * The operations as their tools know them, with that tool's fields and the callers that MCP
   * admits.
   */
  byName: ReadonlyMap<string, Operation>
  /** The scopes that a client needs for all tools. */
  scopes: readonly Scope[]
}

type Entry = { operation: Operation; definition: ToolDefinition; name: string }

/**
 * Throws when two tools have one name, or one answers in a form that MCP cannot carry, which is a
 * mistake of the catalog.
 */
export function toolsOf(operations: readonly Operation[]): Tools {
  const entries = operations.flatMap((operation) => (operation.tools ?? []).map(entryOf(operation)))
  const place = ({ definition }: Entry) => toolGroups.indexOf(definition.group)
  entries.sort((a, b) => place(a) - place(b))
  const byName = new Map(entries.map(({ name, operation }) => [name, operation]))
  const twice = entries.find(({ name, operation }) => byName.get(name) !== operation)
  if (twice) throw new Error(`Two tools are named "${twice.name}"`)
  const outputs = new OutputSchemas()
  const needed = new Set(entries.map(({ operation }) => operation.who.scope))
  return {
    list: entries.map((entry) => toolOf(entry, outputs)),
    byName,
    scopes: scopes.filter((scope) => needed.has(scope)),
  }
}

function entryOf(operation: Operation): (definition: ToolDefinition) => Entry {
  return (definition) => ({
    operation: {
      ...operation,
      who: whoOf(operation, definition),
      takes: takenBy(operation, definition),
    },
    definition,
    name: definition.name ?? operation.name,
  })
}

function whoOf({ who }: Operation, { token }: ToolDefinition): Who {
  return token && who.about === 'anyone' ? { ...who, about: 'known' } : who
}

/** The fields of that tool alone. */
function takenBy(operation: Operation, definition: ToolDefinition): Operation['takes'] {
  const { needs, takes = [], name } = definition
  if (!needs) return operation.takes
  const all = propertiesOf(operation.takes)
  const unknown = [...needs, ...takes].find((field) => !Object.hasOwn(all, field))
  if (unknown) throw new Error(`Tool "${name}" has a field that is not there: "${unknown}"`)
  const fields = Object.entries(all).filter(([field]) => [...needs, ...takes].includes(field))
  // Its title is the name of the whole request.
  const own = { title: undefined, properties: Object.fromEntries(fields), required: [...needs] }
  return { ...operation.takes, ...own }
}

function toolOf({ operation, definition, name }: Entry, outputs: OutputSchemas): Tool {
  const { title, destructive, idempotent, open_world } = definition
  const output = outputs.of(operation, name)
  return {
    name,
    title,
    description: descriptionOf(operation, definition),
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

function descriptionOf({ does, more }: Operation, definition: ToolDefinition): string {
  const words = definition.does ?? [does, more].filter(Boolean).join(' ')
  const examples = definition.examples.map((one) => JSON.stringify(one))
  return `${words} ${examples.length > 1 ? 'Examples' : 'Example'}: ${examples.join(' or ')}`
}

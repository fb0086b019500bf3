// The documents in Markdown, which are made of the catalog: resources of the MCP server. docs/ has
// only their indexes.
import type { Operation } from '../../app.ts'
import { type FaultType, kinds } from '../../kit/fault.ts'
import { linesOf } from './fields.ts'
import { byArea, faultsOf, plain, tokenOf, toolNames } from './operation-docs.ts'

/** Every operation, by area. */
export function operationsPage(of: readonly Operation[]): string {
  const sections = byArea(of).flatMap(([area, own]) => [
    `## ${area}`,
    '',
    '| Method and path | Operation | What it does | MCP tool | Token | Errors of its own |',
    '|---|---|---|---|---|---|',
    ...own.map(rowOf),
    '',
  ])
  return [
    '# Operations',
    '',
    'Any operation may also return the errors of the pipeline (401, 403, 404, 413, 415, 422, 429,',
    '500, 503): see [errors.md](errors.md). `/openapi.json` has every field.',
    '',
    ...sections,
  ].join('\n')
}

function rowOf(operation: Operation): string {
  const { method, path, name, does, fails } = operation
  const errors = fails.map(({ code }) => `[\`${code}\`](errors.md#${code})`)
  const tools = toolNames(operation).map((tool) => `\`${tool}\``)
  const cells = [
    `\`${method} ${path}\``,
    `\`${name}\``,
    does,
    tools.join(', '),
    tokenOf(operation),
    errors.join(', '),
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

/** A text as a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** Every error with its next step, its facts and its operations. */
export function errorsPage(faults: readonly FaultType[], of: readonly Operation[]): string {
  return [
    '# Errors',
    '',
    'A refusal is `application/problem+json` with `code`, `retryable` and `next_action`.',
    'A request that violates its schema is 422 with `{"detail": [{"loc", "msg", "type"}]}`,',
    'of at most 100 problems, and has no code.',
    '',
    ...faults.flatMap((fault) => sectionOf(fault, of)),
  ].join('\n')
}

function sectionOf(fault: FaultType, of: readonly Operation[]): string[] {
  const { code, kind, sentence, hint, next, retryable } = fault
  const users = usersOf(fault, of)
  return [
    `## ${code}`,
    '',
    `**${kinds[kind].status} ${kinds[kind].title}.** ${sentence}`,
    '',
    `- Next action: \`${next}\`. ${hint}`,
    `- The same request may work later: ${retryable ? 'yes' : 'no'}.`,
    `- Operations: ${users}.`,
    ...factLines(fault),
    '',
  ]
}

/** The facts that an answer may have beside the usual fields. */
function factLines({ facts }: FaultType): string[] {
  return Object.entries(facts).flatMap(([name, schema]) =>
    linesOf(name, plain(schema), false)
      .slice(0, 1)
      .map(({ type, description }) => {
        const words = description === '' ? '' : `: ${description}`
        return `- Fact \`${name}\` (${type})${words}`
      }),
  )
}

/** The operations that may answer it, in words. */
function usersOf(fault: FaultType, of: readonly Operation[]): string {
  const users = of.filter((operation) => faultsOf(operation).includes(fault))
  if (users.length === 0) return 'none; returned before an operation is reached'
  if (users.length === of.length) return 'all'
  const many = 12
  if (users.length > many) return `${users.length} of ${of.length}, see OpenAPI`
  return users.map(({ name }) => `\`${name}\``).join(', ')
}

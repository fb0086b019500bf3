// The indexes in docs/: a row for each operation and each error, without what the service's own
// site at /docs shows of them.
import type { Operation } from '../../app.ts'
import { type FaultType, kinds } from '../../kit/fault.ts'
import { cell } from './markdown.ts'
import { faultsOf, toolNames } from './operation-docs.ts'

/** The text of docs/operations.md. */
export function operationTable(of: readonly Operation[]): string {
  return [
    '# Operations',
    '',
    'This is an index. `/docs/operations` of a running service shows what each operation does and',
    'its token, fields, examples and errors. The MCP resource `registrar://docs/operations.md` has',
    'a row for each, with its tools, token and errors. A tool is named here only if its name is',
    'not that of the operation.',
    '',
    'The audit row of a change is stored in the same transaction (`transaction`), or the operation',
    'stores its rows itself (`own`). Any other operation only reads: it leaves a row only if an',
    'operator reads the data of one customer, or if a caller is denied.',
    '',
    '| Operation | Method and path | Audit row |',
    '|---|---|---|',
    ...of.map(operationRow),
    '',
  ].join('\n')
}

function operationRow(operation: Operation): string {
  const { name, method, path, effect } = operation
  const others = toolNames(operation).filter((tool) => tool !== name)
  const tools = others.length === 0 ? '' : ` (MCP: ${others.map(code).join(', ')})`
  return row(`${code(name)}${tools}`, code(`${method} ${path}`), effect === 'none' ? '' : effect)
}

/** The text of docs/errors.md. `of` are the operations that may return the errors. */
export function errorTable(faults: readonly FaultType[], of: readonly Operation[]): string {
  const used = new Set(of.flatMap(faultsOf))
  const early = faults.filter((fault) => !used.has(fault)).map((fault) => code(fault.code))
  return [
    '# Errors',
    '',
    'This is an index. `/docs/errors` of a running service shows the next step, the facts and the',
    'operations of each error. The MCP resource `registrar://docs/errors.md` has the whole text.',
    '',
    'A request that violates its schema is 422 with `{"detail": [{"loc", "msg", "type"}]}`, of at',
    'most 100 problems, and has no code.',
    '',
    `These are returned before an operation is reached: ${early.join(', ')}.`,
    '',
    '| Code | Status | Meaning |',
    '|---|---|---|',
    ...faults.map((one) => row(code(one.code), String(kinds[one.kind].status), one.sentence)),
    '',
  ].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}

function row(...cells: string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`
}

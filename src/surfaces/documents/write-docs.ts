// Writes docs/operations.md, docs/errors.md, docs/buying.md and the methods in sdk/README.md.
// bin/check compares them, and bin/check --write renews them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { operations } from '../../catalog.ts'
import { declaredFaults } from '../../kit/fault.ts'
import { buyingPage } from '../descriptions/guide.ts'
import { errorTable, operationTable } from '../descriptions/markdown-tables.ts'
import { withMethods } from './sdk-readme.ts'
// Declares the faults of the surfaces themselves.
import '../mcp/endpoint.ts'
import '../rest/server.ts'

const made = '<!-- Made from the definitions by write-docs.ts; bin/check --write renews it. -->'
const root = join(import.meta.dirname, '../../..')

/** The text of each file that it writes, by its path. */
export const written: Readonly<Record<string, () => string>> = {
  'docs/operations.md': () => `${made}\n\n${operationTable(operations)}`,
  'docs/errors.md': () => `${made}\n\n${errorTable(declaredFaults(), operations)}`,
  'docs/buying.md': buyingPage,
  'sdk/README.md': () => withMethods(readFileSync(join(root, 'sdk/README.md'), 'utf8'), operations),
}

function main(): void {
  for (const [path, text] of Object.entries(written)) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text())
  }
}

if (import.meta.main) main()

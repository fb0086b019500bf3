// The documents in Markdown: complete in full for MCP, and as an index in docs/.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../catalog.ts'
import { declaredFaults } from '../../kit/fault.ts'
import { errorsPage, operationsPage } from './markdown.ts'
import { errorTable, operationTable } from './markdown-tables.ts'
import { toolNames } from './operation-docs.ts'

const faults = declaredFaults()

describe('the documents in Markdown', () => {
  it('name every operation and every error in full', () => {
    const page = operationsPage(operations)
    for (const { name } of operations) assert.ok(page.includes(`| \`${name}\` |`), name)
    const all = errorsPage(faults, operations)
    for (const { code } of faults) assert.ok(all.includes(`\n## ${code}\n`), code)
  })

  it('have in docs/ a row for each, in which every tool and route is found', () => {
    const rowsOf = (page: string) => page.split('\n').filter((line) => line.startsWith('| `'))
    const rows = rowsOf(operationTable(operations))
    assert.equal(rows.length, operations.length)
    for (const operation of operations) {
      const { name, method, path } = operation
      const own = rows.find((row) => row.startsWith(`| \`${name}\``)) ?? ''
      for (const text of [`${method} ${path}`, ...toolNames(operation)])
        assert.ok(own.includes(`\`${text}\``), `${name}: ${text}`)
    }
    const codes = rowsOf(errorTable(faults, operations)).map((row) => row.split('`')[1])
    assert.deepEqual(
      codes,
      faults.map(({ code }) => code),
    )
  })
})

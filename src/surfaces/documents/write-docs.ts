// Writes docs/operations.md, docs/errors.md, docs/buying.md and the methods in sdk/README.md, or
// with --check fails when they are out of date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { operations } from '../../catalog.ts'
import { declaredFaults } from '../../kit/fault.ts'
import { buyingPage } from '../descriptions/guide.ts'
import { errorsPage, operationsPage } from '../descriptions/markdown.ts'
import { withMethods } from './sdk-readme.ts'
// Declares the faults of the surfaces themselves.
import '../mcp/endpoint.ts'
import '../rest/server.ts'

const made = '<!-- Made from the definitions by write-docs.ts; bin/check --write renews it. -->'
const root = join(import.meta.dirname, '../../..')

function main(check: boolean): number {
  const pages: [string, string][] = [
    ['docs/operations.md', `${made}\n\n${operationsPage(operations)}`],
    ['docs/errors.md', `${made}\n\n${errorsPage(declaredFaults(), operations)}`],
    ['docs/buying.md', buyingPage()],
    ['sdk/README.md', withMethods(readFileSync(join(root, 'sdk/README.md'), 'utf8'), operations)],
  ]
  let stale = 0
  for (const [path, text] of pages) {
    const file = join(root, path)
    if (!check) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    } else if (read(file) !== text) {
      process.stderr.write(`${path} is out of date: run bin/check --write\n`)
      stale += 1
    }
  }
  return stale === 0 ? 0 : 1
}

/** The text of a file, or undefined where there is none yet. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

if (import.meta.main) process.exitCode = main(process.argv.includes('--check'))

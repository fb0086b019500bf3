// Migration files: numbered folders of SQL, and the header lines of the first file.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MigrationError } from '../postgres/errors.ts'

export type Migration = {
  number: number
  name: string
  /** `up.sql`, or the files of a folder without one, run in the order of their names. */
  parts: { file: string; sql: string }[]
  sha256: string
  /**
   * The statements of a file with `-- no transaction`, each run separately, or null if all run in
   * one transaction.
   */
  apart: string[] | null
  /**
   * The oldest version (the number of its newest migration) that works on the schema after this
   * migration, by `-- compatible from: NNNN`. Null if it is not stated, so that no older version
   * does.
   */
  compatible_from: number | null
}

export const own_migrations = join(import.meta.dirname, '../migrations')

/**
 * The migrations of a folder, in order. Throws MigrationError when a name or a number does not
 * fit.
 */
export async function readMigrations(folder: string = own_migrations): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const read = await Promise.all(names.sort().map((name) => readMigration(folder, name)))
  const migrations = read.filter((one) => one !== null)
  for (const [i, one] of migrations.entries()) {
    const before = migrations[i - 1]
    if (before?.number === one.number)
      throw new MigrationError(`Migrations ${before.name} and ${one.name} have the same number.`)
  }
  return migrations
}

async function readMigration(folder: string, name: string): Promise<Migration | null> {
  // Git leaves empty folders behind when it goes to another version.
  if ((await readdir(join(folder, name))).length === 0) return null
  const number = Number(/^(\d{4})-[a-z0-9-]+$/.exec(name)?.[1])
  if (Number.isNaN(number))
    throw new MigrationError(`Migration folder "${name}" must be named like 0007-holdings.`)
  const parts = await readParts(join(folder, name), name)
  const sql = parts.map((part) => part.sql).join('')
  const sha256 = createHash('sha256').update(sql).digest('hex')
  const header = /^(?:--.*\n|\s*\n)*/.exec(sql)?.[0] ?? ''
  const compatible_from = compatibleFrom(header, { name, number })
  const apart = /^-- no transaction$/m.test(header) ? statementsApart(sql, name) : null
  return { number, name, parts, sha256, apart, compatible_from }
}

async function readParts(folder: string, name: string): Promise<Migration['parts']> {
  const there = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const files = there.includes('up.sql') || there.length === 0 ? ['up.sql'] : there
  return await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8').catch((cause: unknown) => {
        throw new MigrationError(`Migration ${name} has no readable ${file}.`, cause)
      })
      // Git on Windows may have turned the line ends, which is no change.
      return { file, sql: text.replaceAll('\r\n', '\n') }
    }),
  )
}

function compatibleFrom(header: string, { name, number }: { name: string; number: number }) {
  const stated = /^-- compatible from: (.*)$/m.exec(header)?.[1]
  if (stated === undefined) return null
  if (!/^\d{4}$/.test(stated))
    throw new MigrationError(`Migration ${name} is compatible from "${stated}", not a number NNNN.`)
  if (Number(stated) > number)
    throw new MigrationError(
      `Migration ${name} is compatible from ${stated}, which comes after it.`,
    )
  return Number(stated)
}

const indexBuild =
  /^create (?:unique )?index concurrently (?:if not exists )?([a-z_][a-z0-9_]*) on /i
const indexDrop = /^drop index concurrently if exists [a-z_][a-z0-9_]*$/i

/** The name of the index that the statement builds; null for one that builds none. */
export function builtIndex(statement: string): string | null {
  return indexBuild.exec(statement)?.[1] ?? null
}

/**
 * Allows only statements that may be run again after an interruption. They contain no semicolon, so
 * a semicolon divides them.
 */
function statementsApart(sql: string, name: string): string[] {
  const statements = sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((one) => one.trim().replaceAll(/\s+/g, ' '))
    .filter((one) => one !== '')
  const other = statements.find((one) => builtIndex(one) === null && !indexDrop.test(one))
  if (other !== undefined)
    throw new MigrationError(
      `Migration ${name} runs without a transaction, where only "create index concurrently ... ` +
        `on" and "drop index concurrently if exists" are allowed, not: ${other.slice(0, 60)}`,
    )
  return statements
}

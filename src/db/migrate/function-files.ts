// Repeatable files of SQL functions and triggers: applied again whenever their text changes.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import pg from 'pg'
import { DatabaseUnavailable, kindOfError, MigrationError, messageOf } from '../postgres/errors.ts'

export type FunctionFile = {
  name: string
  sql: string
  sha256: string
  /** True for `-- before migrations`, since migrations call its functions. */
  early: boolean
  /** The functions that it creates. */
  functions: string[]
}

export const own_functions = join(import.meta.dirname, '../functions')

/**
 * The function files of a folder and those below it, by name. Throws MigrationError when a
 * statement does not fit.
 */
export async function readFunctionFiles(folder: string): Promise<FunctionFile[]> {
  const found = await readdir(folder, { recursive: true })
  const files = found.filter((name) => name.endsWith('.sql'))
  const names = files.map((name) => name.split(sep).join('/')).sort()
  return await Promise.all(names.map((name) => readFunctionFile(folder, name)))
}

async function readFunctionFile(folder: string, name: string): Promise<FunctionFile> {
  const text = await readFile(join(folder, name), 'utf8')
  // Git on Windows may have turned the line ends, which is no change.
  const sql = text.replaceAll('\r\n', '\n')
  const statements = statementsOf(sql)
  const other = statements.find((one) => !repeatable.test(one))
  if (other !== undefined)
    throw new MigrationError(
      `Function file ${name} may hold only "create or replace function", "create or replace ` +
        'trigger", "drop trigger if exists" and "create constraint trigger", not: ' +
        other.slice(0, 60),
    )
  const functions = functionsOf(statements, name)
  const header = /^(?:--.*\n)*/.exec(sql)?.[0] ?? ''
  const early = /^-- before migrations$/m.test(header)
  return { name, sql, sha256: createHash('sha256').update(sql).digest('hex'), early, functions }
}

// A constraint trigger cannot be replaced.
const repeatable =
  /^(?:create or replace (?:function|trigger)|drop trigger if exists|create constraint trigger) /
const created = /^create or replace function ([a-z_][a-z0-9_]*) ?\(/

/** The names of functions, by which signatures are compared. */
function functionsOf(statements: string[], file: string): string[] {
  return statements
    .filter((one) => one.startsWith('create or replace function '))
    .map((one) => {
      const name = created.exec(one)?.[1]
      if (name !== undefined) return name
      throw new MigrationError(
        `Function file ${file} must name a function in lower snake case, without schema: ` +
          one.slice(0, 60),
      )
    })
}

/** Its statements without comment lines, on one line each; bodies stand between `$$`. */
function statementsOf(sql: string): string[] {
  return sql
    .split('$$')
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(/^\s*--.*$/gm, '') : ''))
    .join('')
    .split(';')
    .map((one) => one.trim().replaceAll(/\s+/g, ' '))
    .filter((one) => one !== '')
}

type Signature = { name: string; signature: string }

async function signaturesOf(client: pg.Client, names: string[]): Promise<Map<string, string>> {
  const { rows } = await client.query<Signature>(
    `select proname as name,
            string_agg(format('(%s) returns %s', pg_get_function_arguments(oid),
                              pg_get_function_result(oid)), ' and ' order by oid) as signature
       from pg_proc where pronamespace = 'public'::regnamespace and proname = any ($1)
      group by proname`,
    [names],
  )
  return new Map(rows.map(({ name, signature }) => [name, signature]))
}

/**
 * Applies the files whose text differs from the database's, in one transaction. Throws
 * MigrationError for a function whose signature would change: an older node still calls it.
 */
export async function applyFunctionFiles(
  client: pg.Client,
  files: FunctionFile[],
  version: number,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_functions',
  )
  const known = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  const changed = files.filter(({ name, sha256 }) => known.get(name) !== sha256)
  if (changed.length === 0) return []
  const names = changed.flatMap(({ functions }) => functions)
  await client.query('begin')
  try {
    // A function may call one of a later file.
    await client.query('set local check_function_bodies = off')
    const before = await signaturesOf(client, names)
    for (const file of changed) await applyOne(client, file, version)
    refuseOtherSignatures(before, await signaturesOf(client, names))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  return changed.map(({ name }) => name)
}

async function applyOne(client: pg.Client, file: FunctionFile, version: number): Promise<void> {
  try {
    await client.query(file.sql)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    // A trigger waits for the writers of its table.
    if (kindOfError(error) === 'retry')
      throw new DatabaseUnavailable(
        `Function file ${file.name} waited too long, and changed nothing: ${messageOf(error)}`,
        error,
      )
    const line =
      error.position === undefined
        ? ''
        : `:${file.sql.slice(0, Number(error.position)).split('\n').length}`
    throw new MigrationError(`Function file ${file.name}${line} failed: ${messageOf(error)}`, error)
  }
  await client.query(
    `insert into schema_functions as f (name, sha256, version) values ($1, $2, $3)
     on conflict (name) do update
       set sha256 = excluded.sha256, version = excluded.version, applied_at = now()`,
    [file.name, file.sha256, version],
  )
}

function refuseOtherSignatures(before: Map<string, string>, after: Map<string, string>): void {
  for (const [name, signature] of before) {
    if (after.get(name) !== signature)
      throw new MigrationError(
        `Function ${name}${signature} would become ${after.get(name)}. Nodes of the version ` +
          'before still call it: give the new one another name.',
      )
  }
}

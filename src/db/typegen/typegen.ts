// Writes statements.gen.ts and docs/database.md from the database itself, or with --check fails
// when they are out of date.
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../embedded/index.ts'
import { migrate } from '../migrate/migrate.ts'
import { clientConfig } from '../postgres/connection-config.ts'
import { declaredStatements } from '../statement.ts'
import { databaseDocument } from './database-document.ts'
import { type Described, describeAll, type Field, type StatementError } from './describe.ts'
import { valueTypes } from './value-types.ts'

const source = join(import.meta.dirname, '../..')
const root = join(source, '..')
const generated = join(import.meta.dirname, '../statements.gen.ts')
const document = join(root, 'docs/database.md')

const head = `// Made by typegen/typegen.ts from the database itself: bin/check --write renews it.
import type {
${valueTypes.map((name) => `  ${name},\n`).join('')}} from '../kit/random.ts'
import type { Json, Jsonb } from './postgres/column-types.ts'

export type { Json, Jsonb }

/** The parameters and the row of every statement, by its name. */
export interface Statements {`

const none = 'Record<string, never>'

function typed({ name, type, nullable }: Field): string {
  const key = /^[a-z_][a-z0-9_]*$/i.test(name) ? name : JSON.stringify(name)
  return `${key}: ${type}${nullable ? ' | null' : ''}`
}

/** The generated file's text: the same statements give the same octets. */
export function render(described: readonly Described[]): string {
  const entries = described.map(({ name, params, row }) => {
    const fields = row.map((field) => `      ${typed(field)}\n`)
    const type = fields.length === 0 ? none : `{\n${fields.join('')}    }`
    const named = params.length === 0 ? none : `{ ${params.map(typed).join('; ')} }`
    return `  ${name}: {\n    params: ${named}\n    row: ${type}\n  }\n`
  })
  return `${head}\n${entries.join('')}}\n`
}

/** The position of the statement: path:line:column of its failing character, or of its name. */
export function placeOf(error: StatementError, files: ReadonlyMap<string, string>): string {
  const { name, source: text } = error.statement
  for (const [path, content] of files) {
    const named = content.indexOf(`'${name}'`)
    if (named < 0) continue
    const start = content.indexOf(text, named)
    const at = start < 0 || error.position === null ? named : start + error.position - 1
    const before = content.slice(0, at).split('\n')
    return `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
  }
  return name
}

/** The modules that declare statements, read and imported: importing them fills the registry. */
async function importStores(): Promise<Map<string, string>> {
  const paths = globSync(['**/*.sql.ts'], { cwd: source }).sort()
  for (const path of paths) await import(join(source, path))
  const shown = (path: string) => relative(root, join(source, path))
  return new Map(paths.map((path) => [shown(path), readFileSync(join(source, path), 'utf8')]))
}

/** Runs the work on a migrated scratch database that is gone afterwards. */
async function onScratchDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-typegen-'))
  chmodSync(folder, 0o711)
  const server = await startEmbedded({ data_dir: folder, fast: true, log: { info: say } })
  try {
    await migrate({ url: server.url })
    const client = new pg.Client(clientConfig(server.url))
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

async function main(check: boolean): Promise<number> {
  const files = await importStores()
  const { described, errors, page } = await onScratchDatabase(async (client) => ({
    ...(await describeAll(client, declaredStatements())),
    page: await databaseDocument(client),
  }))
  for (const error of errors)
    say(`${placeOf(error, files)} statement "${error.statement.name}": ${error.message}`)
  const stale = [
    { path: generated, text: render(described) },
    { path: document, text: page },
  ].filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
  for (const { path, text } of stale) {
    if (check) say(`${relative(root, path)} is out of date: run bin/check --write`)
    else writeFileSync(path, text)
  }
  return errors.length > 0 || (check && stale.length > 0) ? 1 : 0
}

if (import.meta.main) process.exitCode = await main(process.argv.includes('--check'))

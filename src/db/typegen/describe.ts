// Describes a statement without running it: Parse and Describe over the wire, then
// the catalog.
import pg from 'pg'
import { sourcePosition } from '../named-parameters.ts'
import { columnTypes } from '../postgres/column-types.ts'
import type { Declared } from '../statement.ts'
import { typeOfColumn, typeOfParameter } from './value-types.ts'

export type Field = { name: string; type: string; nullable: boolean }
export type Described = { name: string; params: Field[]; row: Field[] }

/** A statement that cannot be typed. `position` counts characters of its source from 1. */
export class StatementError extends Error {
  readonly statement: Declared
  readonly position: number | null

  constructor(statement: Declared, problem: string, position: number | null = null) {
    super(problem)
    this.name = 'StatementError'
    this.statement = statement
    this.position = position
  }
}

type Column = { name: string; type_oid: number; table_oid: number; column_number: number }
type Raw = { params: number[]; columns: Column[] }

/** One Parse, Describe and Sync; pg calls the handlers as for a query of its own. */
class Description implements pg.Submittable {
  #text: string
  #settle: (error: Error | null, raw: Raw) => void
  #raw: Raw = { params: [], columns: [] }

  constructor(text: string, settle: (error: Error | null, raw: Raw) => void) {
    this.#text = text
    this.#settle = settle
  }

  submit(connection: pg.Connection): void {
    connection.once('parameterDescription', (message: { dataTypeIDs: number[] }) => {
      this.#raw.params = message.dataTypeIDs
    })
    connection.parse({ name: '', text: this.#text, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    this.#raw.columns = message.fields.map((field) => ({
      name: field.name,
      type_oid: field.dataTypeID,
      table_oid: field.tableID,
      column_number: field.columnID,
    }))
  }

  handleError(error: Error): void {
    this.#settle(error, this.#raw)
  }

  handleReadyForQuery(): void {
    this.#settle(null, this.#raw)
  }
}

function rawDescription(client: pg.Client, text: string): Promise<Raw> {
  return new Promise((done, failed) => {
    client.query(new Description(text, (error, raw) => (error ? failed(error) : done(raw))))
  })
}

type Catalog = {
  types: Map<number, TypeRow>
  not_null: Set<string>
  /** `table.column` by the table's oid and the column's number. */
  columns: Map<string, string>
}
type TypeRow = { oid: number; name: string; kind: string; base: number; element: number }

/** The types that this database adds to the built-in ones, and the columns that are never null. */
async function readCatalog(client: pg.Client): Promise<Catalog> {
  const types = await client.query<TypeRow>(
    `select oid, typname as name, typtype as kind, typbasetype as base,
       case when typcategory = 'A' then typelem else 0 end as element from pg_type`,
  )
  const columns = await client.query<{ key: string; name: string; attnotnull: boolean }>(
    `select attrelid || '.' || attnum as key, c.relname || '.' || attname as name, attnotnull
       from pg_attribute join pg_class c on c.oid = attrelid where attnum > 0`,
  )
  return {
    types: new Map(types.rows.map((row) => [row.oid, row])),
    not_null: new Set(columns.rows.filter((row) => row.attnotnull).map((row) => row.key)),
    columns: new Map(columns.rows.map((row) => [row.key, row.name])),
  }
}

const byOid = new Map(columnTypes.map((type) => [type.oid, type]))
const byArrayOid = new Map(columnTypes.map((type) => [type.array_oid, type]))

/** The TypeScript type, or null when the parsers of column-types.ts do not know it. */
function typeNamed(catalog: Catalog, oid: number, side: 'column' | 'parameter'): string | null {
  const of = (type: (typeof columnTypes)[number]) =>
    side === 'parameter' ? (type.parameter ?? type.column) : type.column
  const plain = byOid.get(oid)
  if (plain) return of(plain)
  const list = oid === 0 ? undefined : byArrayOid.get(oid)
  // Nulls may go in (unnest of columns), but the parser refuses those that come out.
  if (list) return side === 'column' ? `${of(list)}[]` : `readonly (${of(list)} | null)[]`
  const row = catalog.types.get(oid)
  if (row?.kind === 'd') return typeNamed(catalog, row.base, side)
  // Enums and citext come as text; parameters go as text.
  return row?.kind === 'e' || row?.name === 'citext' ? 'string' : null
}

function noType(catalog: Catalog, oid: number, what: string): string {
  const name = catalog.types.get(oid)?.name ?? String(oid)
  return `${what} has type ${name}, which column-types.ts does not map: cast it`
}

// Behind an outer join or a grouping set a column may be null whatever its table says.
const loosens = /\b(left|right|full)\s+(outer\s+)?join\b|\b(rollup|cube|grouping\s+sets)\b/i

function describeRow(statement: Declared, catalog: Catalog, columns: Column[]): Field[] {
  const named = new Set(statement.options.not_null ?? [])
  const loose = loosens.test(statement.text)
  const row = columns.map(({ name, type_oid, table_oid, column_number }): Field => {
    const type = typeNamed(catalog, type_oid, 'column')
    if (type === null)
      throw new StatementError(statement, noType(catalog, type_oid, `Column "${name}"`))
    const column = `${table_oid}.${column_number}`
    const plain = !loose && catalog.not_null.has(column)
    const value = typeOfColumn(type, name, catalog.columns.get(column))
    return { name, type: value, nullable: !(plain || named.has(name)) }
  })
  const names = row.map((field) => field.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new StatementError(statement, `Two columns are named "${twice}"`)
  if (names.includes('?column?'))
    throw new StatementError(statement, 'A column has no name: give it one with "as"')
  const unknown = [...named].find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new StatementError(statement, `not_null names "${unknown}", which it does not answer`)
  return row
}

function describeParams(statement: Declared, catalog: Catalog, oids: number[]): Field[] {
  const { params, options } = statement
  const unknown = options.nullable?.find((name) => !params.includes(name))
  if (unknown !== undefined)
    throw new StatementError(statement, `nullable names :${unknown}, which it does not have`)
  return params.map((name, i) => {
    const oid = oids[i] ?? 0
    const type = typeNamed(catalog, oid, 'parameter')
    if (type === null)
      throw new StatementError(statement, noType(catalog, oid, `Parameter :${name}`))
    const nullable = options.nullable?.includes(name) ?? false
    return { name, type: typeOfParameter(type, name, statement.name), nullable }
  })
}

async function describe(client: pg.Client, statement: Declared, catalog: Catalog) {
  const { params, columns } = await rawDescription(client, statement.text).catch(
    (error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error
      const position =
        error.position === undefined
          ? null
          : sourcePosition(statement.source, Number(error.position))
      const hint = error.hint === undefined ? '' : ` (${error.hint})`
      throw new StatementError(statement, `${error.message}${hint}`, position)
    },
  )
  return {
    name: statement.name,
    params: describeParams(statement, catalog, params),
    row: describeRow(statement, catalog, columns),
  }
}

/**
 * Describes each statement on a migrated database; what cannot be typed comes back as errors, not
 * thrown.
 */
export async function describeAll(
  client: pg.Client,
  statements: readonly Declared[],
): Promise<{ described: Described[]; errors: StatementError[] }> {
  const catalog = await readCatalog(client)
  const described: Described[] = []
  const errors: StatementError[] = []
  for (const statement of statements) {
    try {
      described.push(await describe(client, statement, catalog))
    } catch (error) {
      if (!(error instanceof StatementError)) throw error
      errors.push(error)
    }
  }
  return { described, errors }
}

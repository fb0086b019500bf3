// A statement: SQL with a name, so that the server prepares it once per connection and its types
// can be generated.
import { type Numbered, numberParameters } from './named-parameters.ts'
import type { Statements } from './statements.gen.ts'

export { type Json, json } from './postgres/column-types.ts'

export type StatementName = keyof Statements
/** The parameters of a statement, by name. */
export type Params<N extends StatementName> = Statements[N]['params']
/** The rest of a call after the statement: its parameters, or nothing if it has none. */
export type Arguments<N extends StatementName> =
  Params<N> extends Record<string, never> ? [] : [params: Params<N>]
/** One row that a statement returns. */
export type Row<N extends StatementName> = Statements[N]['row']

export type StatementOptions = {
  /**
   * Expressions (counts, sums, calls) and columns behind an outer join that are nevertheless never
   * null.
   */
  not_null?: readonly string[]
  /** The parameters that may be null. */
  nullable?: readonly string[]
  /** True for a select that calls a function which writes, so that it goes to the pool at once. */
  writes?: true
}

export type Statement<N extends StatementName = StatementName> = {
  readonly name: N
  /** The text as PostgreSQL takes it, with `$1, $2, ...`. */
  readonly text: string
  /** The names of `$1, $2, ...`. */
  readonly params: readonly string[]
  /** Whether it may run on a read-only connection that others share. */
  readonly reads: boolean
}

export type Declared = {
  name: string
  /** The text as it was written, with `:name`. */
  source: string
  text: string
  params: readonly string[]
  options: StatementOptions
}
const declared = new Map<string, Declared>()

// A statement that is wrongly classified as a reading does no harm: the reader's connection is
// read-only and refuses it, and the pool takes over (database.ts). Advisory locks and sequences
// belong to a session, so they never go
// to a shared one.
const writes =
  /\b(insert|update|delete|merge|nextval|setval|set_config|share|pg_notify)\b|advisory/i

/**
 * Declares a statement once: `statement('domains_read', 'select ... where name = :name')`.
 * The name is lower snake case and begins with the noun. `bin/check --write` renews its types in
 * statements.gen.ts from the database itself.
 */
export function statement<const N extends StatementName>(
  name: N,
  source: string,
  options: StatementOptions = {},
): Statement<N> {
  if (declared.has(name)) throw new Error(`Statement "${name}" is declared twice`)
  // PostgreSQL cuts names at 63 octets, so two longer ones could meet.
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name))
    throw new Error(`Statement "${name}" needs a name in lower snake case, at most 63 characters`)
  const { text, params } = numbered(name, source)
  declared.set(name, { name, source, text, params, options })
  const selects = /^\s*(select|with|values)\b/i.test(text)
  return { name, text, params, reads: selects && !options.writes && !writes.test(text) }
}

function numbered(name: string, source: string): Numbered {
  try {
    return numberParameters(source)
  } catch (error) {
    throw new Error(`Statement "${name}": ${error instanceof Error ? error.message : error}`)
  }
}

/** A list of columns, each of a table's alias: `columns('id, name', 'd')` is `d.id, d.name`. */
export function columns(list: string, alias: string): string {
  return list.replaceAll(/\w+/g, `${alias}.$&`)
}

/** The end of a lease that is taken or renewed now, by the database's clock. */
export const leaseEnd = "clock_timestamp() + :lease_ms::int * interval '1 millisecond'"

/** Every statement of the modules loaded so far, by name. */
export function declaredStatements(): Declared[] {
  return [...declared.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

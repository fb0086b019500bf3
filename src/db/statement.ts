// A statement: SQL with a name, so that the server prepares it once a connection and its types can
// be generated.
import type { Statements } from './statements.gen.ts'

export { type Json, Jsonb, json } from './typegen/column-types.ts'

export type StatementName = keyof Statements
/** The parameters `$1, $2, ...` of a statement, in order. */
export type Params<N extends StatementName> = Statements[N]['params']
/** One row that a statement answers. */
export type Row<N extends StatementName> = Statements[N]['row']

export type StatementOptions = {
  /**
   * Expressions (counts, sums, calls) and columns behind an outer join that are never null all the
   * same.
   */
  not_null?: readonly string[]
  /** Numbers of the parameters that may be null: `[2]` is `$2`. */
  nullable?: readonly number[]
  /** A select that calls a function which writes: it goes to the pool at once. */
  writes?: true
}

export type Statement<N extends StatementName = StatementName> = {
  readonly name: N
  readonly text: string
  /** Whether it may run on a read-only connection that others share. */
  readonly reads: boolean
}

export type Declared = { name: string; text: string; options: StatementOptions }
const declared = new Map<string, Declared>()

// Wrongly sorted as a reading is no harm: the reader's connection is read-only, refuses, and the
// pool takes over (database.ts). Advisory locks and sequences belong to a session, so they never go
// to a shared one.
const writes =
  /\b(insert|update|delete|merge|nextval|setval|set_config|share|pg_notify)\b|advisory/i

/**
 * Declares a statement once: `statement('domains_read', 'select ... where name = $1')`. The name
 * is lower snake case and begins with the noun. `bin/check --write` renews its types in
 * statements.gen.ts from the database itself.
 */
export function statement<const N extends StatementName>(
  name: N,
  text: string,
  options: StatementOptions = {},
): Statement<N> {
  if (declared.has(name)) throw new Error(`Statement "${name}" is declared twice`)
  // PostgreSQL cuts names at 63 octets, so two longer ones could meet.
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name))
    throw new Error(`Statement "${name}" needs a name in lower snake case, at most 63 characters`)
  declared.set(name, { name, text, options })
  const selects = /^\s*(select|with|values)\b/i.test(text)
  return { name, text, reads: selects && !options.writes && !writes.test(text) }
}

/** Every statement of the modules loaded so far, by name. */
export function declaredStatements(): Declared[] {
  return [...declared.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

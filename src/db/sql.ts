// Typed statements over one way to send them: a connection, a pool, or a transaction.
import type pg from 'pg'
import { activeSpan, traced, type Work } from '../kit/telemetry.ts'
import type { Arguments, Declared, Row, Statement, StatementName } from './statement.ts'

/** Where statements are run: the database itself, or one transaction of it. */
export type Sql = {
  /** All rows. */
  run<N extends StatementName>(statement: Statement<N>, ...params: Arguments<N>): Promise<Row<N>[]>
  /** The one row; an Error when there is none or more. */
  one<N extends StatementName>(statement: Statement<N>, ...params: Arguments<N>): Promise<Row<N>>
  /** The one row or none; an Error when there are more. */
  maybe<N extends StatementName>(
    statement: Statement<N>,
    ...params: Arguments<N>
  ): Promise<Row<N> | undefined>
  /** How many rows it changed, or answered. */
  count<N extends StatementName>(statement: Statement<N>, ...params: Arguments<N>): Promise<number>
}

export type Query = <N extends StatementName>(
  statement: Statement<N>,
  ...params: Arguments<N>
) => Promise<pg.QueryResult<Row<N>>>

const postgresql = { 'db.system.name': 'postgresql' }
const transactionWork = (): Work => ({
  name: 'transaction',
  kind: 'internal',
  attributes: postgresql,
})

/** Each statement by its name: neither its text nor its parameters. */
function tracedQuery<T>({ name }: Pick<Statement, 'name'>, run: () => Promise<T>): Promise<T> {
  if (!activeSpan()) return run()
  const attributes = { ...postgresql, 'db.query.summary': name }
  return traced(() => ({ name, kind: 'client', attributes }), run)
}

/**
 * Runs the work of a transaction, and notes its trace for what it enqueues, also by a trigger: the
 * setting is the default of `tasks.traceparent`.
 */
export async function tracedTransaction<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
): Promise<T> {
  return await traced(transactionWork, async (span) => {
    if (span) await client.query(`set local agent_registrar.traceparent = '${span.traceparent}'`)
    return await work()
  })
}

/** The four ways to run a statement, over one way to send it. */
export function sqlOver(send: Query): Sql {
  const query: Query = (statement, ...params) =>
    tracedQuery(statement, () => send(statement, ...params))
  const atMostOne = <N extends StatementName>(statement: Statement<N>, rows: Row<N>[]) => {
    if (rows.length > 1)
      throw new Error(`Statement "${statement.name}" answered ${rows.length} rows, not one`)
    return rows[0]
  }
  return {
    run: async (statement, ...params) => (await query(statement, ...params)).rows,
    count: async (statement, ...params) => (await query(statement, ...params)).rowCount ?? 0,
    maybe: async (statement, ...params) =>
      atMostOne(statement, (await query(statement, ...params)).rows),
    one: async (statement, ...params) => {
      const row = atMostOne(statement, (await query(statement, ...params)).rows)
      if (row === undefined) throw new Error(`Statement "${statement.name}" answered no row`)
      return row
    },
  }
}

/** The values of `$1, $2, ...`, read by their names. */
export function valuesOf(
  { name, params }: Pick<Declared, 'name' | 'params'>,
  given: Readonly<Record<string, unknown>> = {},
): unknown[] {
  return params.map((param) => {
    const value = given[param]
    if (value === undefined) throw new Error(`Statement "${name}" got no value for :${param}`)
    return value
  })
}

/** As pg sends it. */
export const named = <N extends StatementName>(
  statement: Statement<N>,
  ...[params]: Arguments<N>
) => {
  return { name: statement.name, text: statement.text, values: valuesOf(statement, params) }
}

/**
 * Statements of one transaction; after its end they are refused, as the connection is another's by
 * then.
 */
export function sqlWhile(client: pg.ClientBase, open: () => boolean): Sql {
  return sqlOver(
    async <N extends StatementName>(statement: Statement<N>, ...params: Arguments<N>) => {
      if (open()) return await client.query<Row<N>>(named(statement, ...params))
      throw new Error(`Statement "${statement.name}" came after its transaction`)
    },
  )
}

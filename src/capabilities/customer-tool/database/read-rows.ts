// Reads the rows of a table or view, without the columns that hold secrets: GET
// /v1/customer-tool/database/tables/{table_name}/rows.
import Type from 'typebox'
import { customerTool, operation } from '../../../app.ts'
import { type RowOrder, rowQuery } from '../../../db/inspection/row-query.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { limitField } from '../../../lists/paging.ts'
import { schemaNotFound, tableNotFound } from '../faults.ts'
import { inspect, inspectionFaults, noteReading } from '../inspect.ts'
import { offsetField, pageOf } from '../offsets.ts'
import { describeTable, type InspectedColumn, primaryKeyOf } from './read-tables.ts'
import { databaseRows, schemaField, tableField } from './table-schemas.ts'

export const readDatabaseRows = operation({
  name: 'read_database_rows',
  does: 'Read rows of a table or view; columns with secrets are left out.',
  more:
    'The primary key follows the columns of order_by, so that pages are stable; a table without ' +
    'one is ordered by all of its columns. A value is text, or null: nothing is rounded.',
  at: 'GET /v1/customer-tool/database/tables/{table_name}/rows',
  area: 'Customer tool',
  who: customerTool(),
  takes: Type.Object({
    table_name: tableField,
    schema: schemaField,
    limit: limitField({ default: 100 }),
    offset: offsetField,
    order_by: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 32,
        description:
          'Columns to order by, the first one first; "-name" is descending. The rows are ' +
          'ordered by the primary key if it is left out.',
      }),
    ),
  }),
  gives: databaseRows,
  fails: [...inspectionFaults, schemaNotFound, tableNotFound],
  effect: 'own',
  target: ({ table_name, schema, ...asked }) => ({
    target_type: 'table',
    target: `${schema}.${table_name}`,
    metadata: { asked },
  }),
  async run({ table_name, schema, limit, offset, order_by = [] }, call, app) {
    const { columns, order, rows } = await inspect(app, async (sql) => {
      const described = await describeTable(sql, { schema, table: table_name })
      const order = rowOrder(described.columns, order_by)
      const shown = described.columns.filter(({ hidden }) => !hidden)
      const query = rowQuery({
        ...{ schema, table: described.table.name, order },
        columns: shown.map(({ name }) => name),
        ...{ limit: BigInt(limit) + 1n, offset: BigInt(offset) },
      })
      return { columns: described.columns, order, rows: await sql.texts(query) }
    })
    const { page, next_offset } = pageOf(rows, { limit, offset })
    const shown = columns.filter(({ hidden }) => !hidden)
    const metadata = { asked: { order_by, limit, offset }, rows: page.length }
    const target = `${schema}.${table_name}`
    await noteReading(app, call, { target_type: 'table', target, metadata })
    return {
      schema,
      table: table_name,
      columns: shown.map(({ name, type }) => ({ name, type })),
      hidden_columns: columns.filter(({ hidden }) => hidden).map(({ name }) => name),
      order_by: order.map(({ column, descending }) => (descending ? `-${column}` : column)),
      rows: page.map((row) =>
        Object.fromEntries(shown.map(({ name }, i) => [name, row[i] ?? null])),
      ),
      ...{ limit, next_offset },
    }
  },
})

/**
 * The columns asked for, then those that make the order total. Throws InvalidInput for a name that
 * is none of the readable columns, is there twice, or is of a type without an order.
 */
function rowOrder(
  columns: readonly InspectedColumn[],
  asked: readonly string[],
): readonly RowOrder[] {
  const named = asked.map((text): RowOrder => {
    const descending = text.startsWith('-')
    return { column: descending ? text.slice(1) : text, descending }
  })
  const problems = named.flatMap(({ column }, i) => {
    const msg = problemOf(columns, column) ?? (isAgain(named, i) ? 'Column is a duplicate' : null)
    return msg === null ? [] : [{ path: ['order_by', i], msg, type: 'value_error' }]
  })
  if (problems.length > 0) throw new InvalidInput(problems)
  const rest = totalOrder(columns).filter(({ name }) => !named.some((one) => one.column === name))
  return [...named, ...rest.map(({ name }) => ({ column: name, descending: false }))]
}

function problemOf(columns: readonly InspectedColumn[], name: string): string | null {
  const column = columns.find((one) => one.name === name)
  if (!column) return 'Input should be a column of the table, or "-" and a column'
  if (column.hidden) return 'Column holds a secret, and cannot be read'
  return column.sortable ? null : `Column of type ${column.type} has no order`
}

const isAgain = (named: readonly RowOrder[], i: number) =>
  named.findIndex(({ column }) => column === named[i]?.column) < i

/** The primary key where all of it can be read, else every column that can be ordered by. */
function totalOrder(columns: readonly InspectedColumn[]): readonly InspectedColumn[] {
  const key = primaryKeyOf(columns)
  const isReadable = key.length > 0 && key.every(({ hidden }) => !hidden)
  return isReadable ? key : columns.filter(({ hidden, sortable }) => !hidden && sortable)
}

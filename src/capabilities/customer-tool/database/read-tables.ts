// Reads the schemas, the tables of one, and one table with its columns and indexes: GET
// /v1/customer-tool/database/schemas and /tables.
import Type from 'typebox'
import { customerTool, operation } from '../../../app.ts'
import {
  inspectedColumns,
  inspectedIndexes,
  inspectedSchemas,
  inspectedTable,
  inspectedTables,
} from '../../../db/inspection/catalog.sql.ts'
import type { InspectionSql } from '../../../db/inspection/inspection.ts'
import type { Row } from '../../../db/statement.ts'
import { wordOf } from '../../../kit/schema.ts'
import { schemaNotFound, tableNotFound } from '../faults.ts'
import { inspect, inspectionFaults, noteReading } from '../inspect.ts'
import {
  databaseSchemas,
  databaseTable,
  databaseTables,
  schemaField,
  tableField,
} from './table-schemas.ts'

const area = 'Customer tool'
const tableKinds = ['table', 'partitioned_table', 'view', 'materialized_view'] as const

export const listDatabaseSchemas = operation({
  name: 'list_database_schemas',
  does: 'List the schemas of the database that can be inspected.',
  at: 'GET /v1/customer-tool/database/schemas',
  area,
  who: customerTool(),
  takes: Type.Object({}),
  gives: databaseSchemas,
  fails: inspectionFaults,
  effect: 'own',
  target: () => ({ target_type: 'schema', target: null }),
  async run(_input, call, app) {
    const schemas = await inspect(app, (sql) => sql.run(inspectedSchemas))
    await noteReading(app, call, { target_type: 'schema', target: null })
    return { schemas }
  },
})

export const listDatabaseTables = operation({
  name: 'list_database_tables',
  does: 'List the tables and views of a schema that can be inspected.',
  at: 'GET /v1/customer-tool/database/tables',
  area,
  who: customerTool(),
  takes: Type.Object({ schema: schemaField }),
  gives: databaseTables,
  fails: [...inspectionFaults, schemaNotFound],
  effect: 'own',
  target: ({ schema }) => ({ target_type: 'schema', target: schema }),
  async run({ schema }, call, app) {
    const tables = await inspect(app, async (sql) => {
      await requireSchema(sql, schema)
      return sql.run(inspectedTables, { schema })
    })
    await noteReading(app, call, { target_type: 'schema', target: schema })
    return {
      schema,
      tables: tables.map(({ kind, estimated_rows, ...table }) => ({
        ...table,
        kind: wordOf(tableKinds, kind),
        estimated_rows: numberOf(estimated_rows),
      })),
    }
  },
})

export const readDatabaseTable = operation({
  name: 'read_database_table',
  does: 'Read a table: its columns with their types, its indexes, about how many rows it has.',
  at: 'GET /v1/customer-tool/database/tables/{table_name}',
  area,
  who: customerTool(),
  takes: Type.Object({ table_name: tableField, schema: schemaField }),
  in: { schema: 'query' },
  gives: databaseTable,
  fails: [...inspectionFaults, schemaNotFound, tableNotFound],
  effect: 'own',
  target: (input) => ({ target_type: 'table', target: `${input.schema}.${input.table_name}` }),
  async run({ schema, table_name }, call, app) {
    const { table, columns, indexes } = await inspect(app, async (sql) => {
      const described = await describeTable(sql, { schema, table: table_name })
      const { oid } = described.table
      return { ...described, indexes: await sql.run(inspectedIndexes, { oid }) }
    })
    await noteReading(app, call, { target_type: 'table', target: `${schema}.${table_name}` })
    return {
      schema,
      name: table.name,
      kind: wordOf(tableKinds, table.kind),
      estimated_rows: numberOf(table.estimated_rows),
      partitions: table.partitions,
      description: table.description,
      primary_key: primaryKeyOf(columns).map(({ name }) => name),
      columns: columns.map(({ key_position: _position, sortable: _sortable, ...column }) => column),
      indexes: indexes.map(({ name, is_unique, is_primary, columns: of, condition }) => ({
        ...{ name, columns: of, condition },
        ...{ unique: is_unique, primary: is_primary },
      })),
    }
  },
})

const numberOf = (rows: bigint | null) => (rows === null ? null : Number(rows))

export type InspectedColumn = Row<'inspection_columns'>

/** The columns of the primary key in its order; empty where there is none. */
export function primaryKeyOf(columns: readonly InspectedColumn[]): InspectedColumn[] {
  const positionOf = ({ key_position }: InspectedColumn) => key_position ?? 0
  return columns
    .filter((column) => positionOf(column) > 0)
    .toSorted((a, b) => positionOf(a) - positionOf(b))
}

async function requireSchema(sql: InspectionSql, schema: string): Promise<void> {
  const schemas = await sql.run(inspectedSchemas)
  if (!schemas.some(({ name }) => name === schema)) throw schemaNotFound()
}

/** Throws schemaNotFound or tableNotFound: also for a table that may not be inspected. */
export async function describeTable(
  sql: InspectionSql,
  { schema, table: name }: { schema: string; table: string },
): Promise<{ table: Row<'inspection_table'>; columns: InspectedColumn[] }> {
  await requireSchema(sql, schema)
  const table = await sql.maybe(inspectedTable, { schema, name })
  if (!table) throw tableNotFound()
  return { table, columns: await sql.run(inspectedColumns, { oid: table.oid }) }
}

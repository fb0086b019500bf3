// Responses about the database, and the fields that name a table.
import Type from 'typebox'
import { mapOf, nullable, oneOf, withDefault } from '../../../kit/schema.ts'
import { nextOffset } from '../offsets.ts'

/** PostgreSQL's names have at most 63 octets; a longer one does not exist. */
const longest_name = 200

export const schemaField = withDefault(
  Type.String({ minLength: 1, maxLength: longest_name, description: 'The schema.' }),
  'public',
)
export const tableField = Type.String({
  minLength: 1,
  maxLength: longest_name,
  description: 'A table or view, as list_database_tables shows it.',
})

const description = nullable(Type.String({ description: 'The comment on it in the database.' }))
const kind = oneOf(['table', 'partitioned_table', 'view', 'materialized_view'])
const estimatedRows = nullable(
  Type.Integer({
    description:
      'The number of rows by the last count of the database, or null for a view and before ' +
      'the first count.',
  }),
)

export const databaseSchemas = Type.Object(
  {
    schemas: Type.Array(
      Type.Object({
        name: Type.String(),
        tables: Type.Integer({
          description: 'The number of tables and views that can be inspected.',
        }),
        description,
      }),
    ),
  },
  { title: 'DatabaseSchemas' },
)

export const databaseTables = Type.Object(
  {
    schema: Type.String(),
    tables: Type.Array(
      Type.Object({
        name: Type.String(),
        kind,
        estimated_rows: estimatedRows,
        shown_columns: Type.Integer({ description: 'The number of columns that can be read.' }),
        hidden_columns: Type.Integer({
          description: 'The number of columns with secrets, which cannot be read.',
        }),
        description,
      }),
    ),
  },
  { title: 'DatabaseTables' },
)

export const databaseTable = Type.Object(
  {
    schema: Type.String(),
    name: Type.String(),
    kind,
    estimated_rows: estimatedRows,
    partitions: nullable(
      Type.Integer({ description: 'The number of partitions of a partitioned table.' }),
    ),
    description,
    primary_key: Type.Array(Type.String(), {
      description: 'The columns of the primary key; empty if there is none.',
    }),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String({ description: "PostgreSQL's name of the type." }),
        nullable: Type.Boolean(),
        hidden: Type.Boolean({ description: 'True if it holds a secret and cannot be read.' }),
        description,
      }),
    ),
    indexes: Type.Array(
      Type.Object({
        name: Type.String(),
        columns: Type.Array(Type.String({ description: 'A column or an expression.' })),
        unique: Type.Boolean(),
        primary: Type.Boolean(),
        condition: nullable(Type.String({ description: 'The condition of a partial index.' })),
      }),
    ),
  },
  { title: 'DatabaseTable' },
)

export const databaseRows = Type.Object(
  {
    schema: Type.String(),
    table: Type.String(),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String({ description: "PostgreSQL's name of the type." }),
      }),
      { description: 'The columns of the rows, in their order in the table.' },
    ),
    hidden_columns: Type.Array(Type.String(), {
      description: 'Columns with secrets, which are not shown.',
    }),
    order_by: Type.Array(Type.String(), {
      description: 'The columns that the rows are ordered by.',
    }),
    rows: Type.Array(
      mapOf(
        nullable(Type.String()),
        "Each value as PostgreSQL's text of its type: times in UTC, intervals as in ISO 8601, " +
          'octets as \\x and hex.',
      ),
    ),
    limit: Type.Integer({ description: 'The limit of the request.' }),
    next_offset: nextOffset,
  },
  { title: 'DatabaseRows' },
)

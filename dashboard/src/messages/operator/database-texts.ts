// Texts of the pages of the database: its tables, and the rows of one.
import { operatorTexts } from './operator-texts.ts'

export const databaseTexts = {
  title: operatorTexts.pages.database,
  subtitle:
    'Read-only. Columns with secrets are left out; all that you read is recorded in the audit log.',
  filter: 'Find a table',
  none: { title: 'No such table', text: 'Try a shorter part of its name.' },
  headers: { table: 'Table', rows: 'Rows (estimate)', columns: 'Columns' },
  hidden: (count: number) => `${count} hidden`,
  kinds: {
    table: 'Table',
    partitioned_table: 'Partitioned',
    view: 'View',
    materialized_view: 'Materialized view',
  },
  unknown: '–',
  back: operatorTexts.pages.database,
  tabs: { label: 'Parts of the table', rows: 'Rows', columns: 'Columns', indexes: 'Indexes' },
  empty: { title: 'No rows', text: 'There is nothing here.' },
  pages: 'Pages',
  page: (from: number, to: number) => `Rows ${from} to ${to}`,
  previous: 'Previous',
  next: 'Next',
  rows: (table: string) => `Rows of ${table}`,
  whole: (column: string) => `${column}: all of it`,
  nullable: 'may be null',
  secret: 'Secret: not readable',
  primary: 'Primary key',
  unique: 'Unique',
  only: (condition: string) => `where ${condition}`,
  null: 'null',
} as const

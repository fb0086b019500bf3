// The customer tool: support staff search customers and read tables, and change nothing.
import { readCustomerProfile } from './customers/read-profile.ts'
import { searchCustomersOperation } from './customers/search-customers.ts'
import { readDatabaseRows } from './database/read-rows.ts'
import {
  listDatabaseSchemas,
  listDatabaseTables,
  readDatabaseTable,
} from './database/read-tables.ts'

export const operations = [
  searchCustomersOperation,
  readCustomerProfile,
  listDatabaseSchemas,
  listDatabaseTables,
  readDatabaseTable,
  readDatabaseRows,
]

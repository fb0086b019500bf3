// Faults of the customer tool; that of its key is the pipeline's.
import { fault } from '../../kit/fault.ts'

export const queryTimedOut = fault('query_timed_out', 'unavailable', {
  sentence: 'The query took longer than 2 seconds, or needed more than it may, and was ended.',
  hint:
    'Search by "email" or read the customer by id; read a smaller "limit" or "offset", or order ' +
    'by columns of an index; a lock or a busy database may be gone after Retry-After.',
})
export const schemaNotFound = fault('schema_not_found', 'absent', {
  sentence: 'There is no such schema, or it cannot be inspected.',
  hint: 'List the schemas for those that can be.',
})
export const tableNotFound = fault('table_not_found', 'absent', {
  sentence: 'There is no such table in this schema, or it cannot be inspected.',
  hint: 'List the tables; a partition is read through its table.',
})

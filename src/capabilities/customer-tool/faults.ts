// Faults of the customer tool; that of its key is the pipeline's.
import { fault } from '../../kit/fault.ts'

export const queryTimedOut = fault('query_timed_out', 'unavailable', {
  sentence:
    'The query took longer than 2 seconds or exceeded its resource limit, and was canceled.',
  hint:
    'Search by "email" or read the customer by id; read a smaller "limit" or "offset", or order ' +
    'by columns of an index; if a lock or load was the cause, try again after Retry-After.',
})
export const schemaNotFound = fault('schema_not_found', 'absent', {
  sentence: 'There is no such schema, or it cannot be inspected.',
  hint: 'List the schemas that can be inspected.',
})
export const tableNotFound = fault('table_not_found', 'absent', {
  sentence: 'There is no such table in this schema, or it cannot be inspected.',
  hint: 'List the tables; a partition is read through its table.',
})

// SQL of the partitions by time; the functions are the owner's (functions/partitions.sql).
import { statement } from './statement.ts'

export const partitionedTables = statement(
  'partitioned_tables',
  'select name from partitioned_tables order by name',
)

export const createPartition = statement(
  'partitions_create_next',
  'select partitions_create_next(:table::text) as name',
  { writes: true },
)

export const dropEmptyPartition = statement(
  'partitions_drop_empty',
  'select partitions_drop_empty(:table::text) as name',
  { writes: true },
)

export const partitionProblems = statement(
  'partitions_problems',
  'select parent, problem from partitions_problems()',
  { not_null: ['parent', 'problem'] },
)

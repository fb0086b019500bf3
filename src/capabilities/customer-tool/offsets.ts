// Paging by offset, to the last that PostgreSQL takes.
import Type, { type Static } from 'typebox'
import { int64, nullable, withDefault } from '../../kit/schema.ts'

export const offsetField = withDefault(
  int64({ minimum: 0, description: 'Rows to skip, up to 9223372036854775807.' }),
  0,
)

export const nextOffset = nullable(
  Type.Integer({ minimum: 1, description: 'The offset of the next page; null on the last.' }),
)

/** The page of rows that were read with one more than the limit. */
export function pageOf<R>(
  rows: readonly R[],
  { limit, offset }: { limit: number; offset: number | bigint },
): { page: R[]; next_offset: Static<typeof nextOffset> } {
  const isLast = rows.length <= limit
  return { page: rows.slice(0, limit), next_offset: isLast ? null : Number(offset) + limit }
}

// The time range of a page of the log: two bounds, both inclusive, either left out.
import Type from 'typebox'
import { FieldReader } from '../../../kit/field-reader.ts'
import { dateTime } from '../../../kit/schema.ts'

export const rangeFields = {
  from_timestamp: Type.Optional(dateTime('Only entries from then on.')),
  to_timestamp: Type.Optional(dateTime('Only entries until then.')),
}

type Given = { from_timestamp?: string | undefined; to_timestamp?: string | undefined }
export type TimeRange = { from: Date | null; to: Date | null }

/** 422 for a range that ends before it begins. */
export function readRange({ from_timestamp, to_timestamp }: Given): TimeRange {
  const reading = new FieldReader()
  const from = reading.moment('from_timestamp', from_timestamp)
  const to = reading.moment('to_timestamp', to_timestamp)
  if (from && to && from > to)
    reading.refuse(['from_timestamp'], 'Input should not be after to_timestamp', 'value_error')
  reading.finish()
  return { from, to }
}

// DNS records and their changes in the export of an account: values in presentation form.
import Type, { type Static } from 'typebox'
import { writeRdata } from '../../dns/rdata/rdata.ts'
import { typeName } from '../../dns/types.ts'
import { compile, nullable } from '../../kit/schema.ts'

const rdata = Type.Array(Type.String())
const recordSet = Type.Object({ type: Type.Integer(), rdata })
const withRecords = compile(Type.Object({ dns_records: Type.Array(recordSet) }))
const content = nullable(Type.Object({ ttl: Type.Integer(), rdata }))
const changedSet = Type.Object({
  host: Type.String(),
  type: Type.Integer(),
  before: content,
  after: content,
})
const withSets = compile(Type.Object({ sets: Type.Array(changedSet) }))

/** A domain with its record sets as one entry a value. */
export function domainWithRecords(row: unknown): object {
  const { dns_records } = withRecords.parse(row)
  return {
    ...Object(row),
    dns_records: dns_records.flatMap(({ type, rdata: values, ...rest }) =>
      values.map((value) => ({
        ...rest,
        type: typeName(type),
        value: writeRdata(type, Buffer.from(value, 'hex')),
      })),
    ),
  }
}

/** A change of records with its sets in words. */
export function readableChange(row: unknown): object {
  const { sets } = withSets.parse(row)
  return {
    ...Object(row),
    sets: sets.map(({ host, type, before, after }) => ({
      ...{ host, type: typeName(type) },
      before: readable(type, before),
      after: readable(type, after),
    })),
  }
}

function readable(type: number, set: Static<typeof content>) {
  if (!set) return null
  return { ttl: set.ttl, values: set.rdata.map((one) => writeRdata(type, Buffer.from(one, 'hex'))) }
}

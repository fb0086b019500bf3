// Test fixture: record sets of a zone, made from their presentation.
import { readRdata } from '../../../../dns/rdata/rdata.ts'
import { typeNumber } from '../../../../dns/types.ts'
import { type RecordSet, setKey, sortedRdata } from '../record-sets/record-set.ts'

export const domain = 'example.com'

/** "www A 192.0.2.1 | 192.0.2.2": a set with the usual TTL; without values it is to be deleted. */
export function recordSet(line: string, ttl = 3_600): RecordSet {
  const [host = '', name = '', ...rest] = line.split(' ')
  const type = typeNumber(name)
  if (type === undefined) throw new Error(`${name} is no type`)
  const values = rest
    .join(' ')
    .split(' | ')
    .filter((value) => value !== '')
  const rdata = values.map((value) => {
    const read = readRdata(type, value, { names: 'zone_file', origin: domain })
    if ('problem' in read) throw new Error(`${line}: ${read.problem}`)
    return read.rdata
  })
  return { host, type, ttl, rdata: sortedRdata(rdata) }
}

export function zoneSets(...lines: string[]): Map<string, RecordSet> {
  const sets = lines.map((line) => recordSet(line))
  return new Map(sets.map((one) => [setKey(one), one]))
}

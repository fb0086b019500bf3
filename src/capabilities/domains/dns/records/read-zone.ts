// The records of a holding, read as they are now.

import type { Sql } from '../../../../db/database.ts'
import type { DomainName } from '../../../../kit/random.ts'
import { domainNotFound } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { type RecordSet, setKey } from '../record-sets/record-set.ts'
import { type OpenChange, readOpenChanges } from '../unconfirmed/open-changes.ts'
import { readListedSets, readRecordSets, readRecordsHead } from './records.sql.ts'

export type RecordZone<Set extends RecordSet = RecordSet> = {
  domain: DomainName
  domain_id: bigint
  /** The serial, which grows with every change. */
  serial: number
  /** Whether all name servers of the domain are ours. */
  hosted: boolean
  /** The sets by setKey: the domain itself, then its hosts by their names from the end. */
  sets: ReadonlyMap<string, Set>
  /** The changes that wait for a confirmation, or for the owner to decide, oldest first. */
  open: readonly OpenChange[]
}
type Reader = Pick<Sql, 'maybe' | 'run'>
type Held = Pick<Holding, 'id' | 'name' | 'customer_id'>

/** Throws domainNotFound if the holding has ended since it was found. */
export async function readRecordZone(sql: Reader, holding: Held): Promise<RecordZone> {
  return zoneOf(sql, holding, sql.run(readRecordSets, placeOf(holding)))
}

/** The zone, with the time of the last change of each set. */
export async function readListedZone(
  sql: Reader,
  holding: Held,
): Promise<RecordZone<RecordSet & { updated_at: Date }>> {
  return zoneOf(sql, holding, sql.run(readListedSets, placeOf(holding)))
}

const placeOf = ({ id, customer_id }: Held) => ({ id, customer_id })

async function zoneOf<Set extends RecordSet>(
  sql: Reader,
  holding: Held,
  reading: Promise<Set[]>,
): Promise<RecordZone<Set>> {
  const [head, sets, open] = await Promise.all([
    sql.maybe(readRecordsHead, placeOf(holding)),
    reading,
    readOpenChanges(sql, holding.id),
  ])
  if (!head) throw domainNotFound()
  return {
    domain: holding.name,
    domain_id: head.domain_id,
    serial: Number(head.serial),
    hosted: head.hosted,
    sets: new Map(sets.map((one) => [setKey(one), one])),
    open,
  }
}

// The records of a holding, read as they are now.
import type { Sql } from '../../../../db/database.ts'
import { domainNotFound } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { type OpenChange, readOpenChanges } from '../unconfirmed/open-changes.ts'
import { type RecordSet, setKey } from './record-set.ts'
import { readRecordSets, readRecordsHead } from './records.sql.ts'

type StoredSet = RecordSet & { updated_at: Date }
export type RecordZone = {
  domain: string
  domain_id: bigint
  /** It grows with every change. */
  serial: number
  /** All name servers of the domain are ours. */
  hosted: boolean
  /** By setKey; the domain itself, then its hosts by their names from the end. */
  sets: ReadonlyMap<string, StoredSet>
  /** The changes that wait for a confirmation, or for the owner to decide, oldest first. */
  open: readonly OpenChange[]
}

/** Throws domainNotFound where the holding has ended since it was found. */
export async function readRecordZone(
  sql: Pick<Sql, 'maybe' | 'run'>,
  { id, name, customer_id }: Pick<Holding, 'id' | 'name' | 'customer_id'>,
): Promise<RecordZone> {
  const [head, rows, open] = await Promise.all([
    sql.maybe(readRecordsHead, { id, customer_id }),
    sql.run(readRecordSets, { id, customer_id }),
    readOpenChanges(sql, id),
  ])
  if (!head) throw domainNotFound()
  return {
    domain: name,
    domain_id: head.domain_id,
    serial: Number(head.serial),
    hosted: head.hosted,
    sets: new Map(rows.map((row) => [setKey(row), row])),
    open,
  }
}

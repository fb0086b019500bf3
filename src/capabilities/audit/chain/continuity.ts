// Continuity check: whether the chain in the database still has the newest link that this node
// noted. The sealer runs it before it seals anything on top.
import type { Sql } from '../../../db/database.ts'
import { headState } from './audit.sql.ts'
import type { Trusted } from './block.ts'
import type { Head } from './noted-head.ts'
import { supersededBy } from './restoration.ts'
import { readRestorations } from './restorations.sql.ts'

export type Continuity = {
  /** Why sealing is blocked; null when it is not. */
  problem: { subject: string; detail: string } | null
  /** Another node's alarm stops sealing as well. */
  alarmed: boolean
  /** Whether there may be rows to seal. */
  may: boolean
  newest: Head | null
}

/** Makes one statement in the usual case. */
export async function readContinuity(
  sql: Sql,
  { trusted, noted }: { trusted: () => Trusted; noted: Head | null },
): Promise<Continuity> {
  const { newest_number, newest_hash, noted_hash, era_known, alarmed, may } = await sql.one(
    headState,
    { noted_number: BigInt(noted?.number ?? 0) },
  )
  const newest =
    newest_number === null || newest_hash === null
      ? null
      : { number: String(newest_number), block_hash: newest_hash.toString('hex') }
  const found = noted_hash?.toString('hex') ?? null
  const state = { alarmed, may, newest }
  const problem = (subject: string, detail: string) => ({ ...state, problem: { subject, detail } })
  if (!era_known) return problem('era', 'The era of the newest block is missing in audit_eras.')
  if (noted === null || found === noted.block_hash) return { ...state, problem: null }
  const subject = `block ${noted.number} ${noted.block_hash}`
  if (found !== null)
    return problem(subject, `Block ${noted.number} is not the one that was noted under its number.`)
  if (supersededBy(noted, await readRestorations(sql), trusted()))
    return { ...state, problem: null }
  return problem(
    subject,
    `Block ${noted.number} was noted and is missing: the log was cut off, or an older copy of ` +
      'the database was restored. Put the newer one back, or accept this one permanently: ' +
      'bin/call accept-restored-audit --reason "..."',
  )
}

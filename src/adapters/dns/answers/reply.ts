// The content of an answer, before it is written.
import type { RecordSet } from '../port.ts'

/** A set with its owner name in wire form. */
export type OwnedSet = RecordSet & { name: Buffer }
export type Reply = {
  rcode: number
  authoritative: boolean
  answers: OwnedSet[]
  authorities: OwnedSet[]
  /** Addresses without which a referral is of no use: name servers below the delegation. */
  glue: OwnedSet[]
  /** Left out first where an answer does not fit. */
  additionals: OwnedSet[]
}

export function emptyReply(rcode: number): Reply {
  const none = { answers: [], authorities: [], glue: [], additionals: [] }
  return { rcode, authoritative: false, ...none }
}

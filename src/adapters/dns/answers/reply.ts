// The content of an answer, before it is written.
import type { RecordSet } from '../port.ts'

/** A set with its owner name in wire form. */
export type OwnedSet = RecordSet & { name: Buffer }
export type Reply = {
  rcode: number
  authoritative: boolean
  answers: OwnedSet[]
  authorities: OwnedSet[]
  /**
   * The addresses without which a referral is useless: those of name servers below the delegation.
   */
  glue: OwnedSet[]
  /** This data is left out first if an answer does not fit. */
  additionals: OwnedSet[]
}

export function emptyReply(rcode: number): Reply {
  const none = { answers: [], authorities: [], glue: [], additionals: [] }
  return { rcode, authoritative: false, ...none }
}

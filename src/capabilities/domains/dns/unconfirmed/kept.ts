// The reasons why an unconfirmed change stays although it was due to be reverted, so that the owner
// decides.
import { accountSuspended, insufficientScope } from '../../../../errors/faults.ts'
import { Fault } from '../../../../kit/fault.ts'
import { dnsRecordNotAllowed } from '../../../limits/index.ts'
import { domainNotFound } from '../../faults.ts'

export const keptReasons = [
  'maker_right_ended',
  'account_suspended',
  'domain_protected',
  'domain_locked',
  'new_password',
  'changed_since',
  'refused',
] as const
export type KeptReason = (typeof keptReasons)[number]

/** Thrown if the change was confirmed or reverted a moment ago. */
export class EndedBefore extends Error {}

/** Thrown if the change is not to be reverted. */
export class ChangeStays extends Error {
  readonly because: KeptReason

  constructor(because: KeptReason) {
    super(`The change stays: ${because}`)
    this.because = because
  }
}

/** The reason in a row; one that only a later version knows is shown as the general one. */
export function keptBecause(stored: string | null): KeptReason {
  return keptReasons.find((one) => one === stored) ?? 'refused'
}

const endedRights = [insufficientScope, dnsRecordNotAllowed, domainNotFound]

/** Undefined if the attempt failed for a cause that may pass, so that it is repeated. */
export function reasonOf(error: unknown): KeptReason | undefined {
  if (error instanceof ChangeStays) return error.because
  if (!(error instanceof Fault) || error.type.retryable) return undefined
  if (error.type === accountSuspended) return 'account_suspended'
  return endedRights.some((type) => type === error.type) ? 'maker_right_ended' : 'refused'
}

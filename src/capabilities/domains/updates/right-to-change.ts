// The right to one change of a domain, which is checked again right before each command and in the
// transaction that stores the change, because the registry may take seconds to answer (decision
// 94).
import type { Call, EffectOf } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import type { Fault } from '../../../kit/fault.ts'
import { approvalRequired } from '../../limits/index.ts'
import type { Holding } from '../holdings/domain-presenter.ts'

/** Throws the fault of a right that has ended. `sql` is the transaction that stores the change. */
export type RightToChange = (sql?: Sql, records?: EffectOf['records']) => Promise<void>

/** Thrown if the right to a command ended before it was sent. `cause` is the request's fault. */
export class RightEnded extends Error {
  constructor(cause: unknown) {
    super('The right to this command ended before it was sent', { cause })
  }
}

type Change = {
  holding: Pick<Holding, 'name' | 'protected'>
  /** Whether a key or an app needs approval for it on a protected domain. */
  guarded: boolean
  /**
   * Whether the caller needs no approval by the owner's limit of DNS records, which must still
   * hold.
   */
  records_free?: boolean
}

/** The right by which the pipeline would admit the call now, with the present protection. */
export function rightToChange(
  {
    caller,
    approval,
    assertStillAllowed,
  }: Pick<Call, 'caller' | 'approval' | 'assertStillAllowed'>,
  { holding, guarded, records_free = false }: Change,
): RightToChange {
  const { name: domain } = holding
  const isAgent = caller.kind === 'api_key' || caller.kind === 'oauth_client'
  // A change of a domain that was protected from the start was approved.
  const asks = guarded && isAgent && !approval && (!holding.protected || records_free)
  return async (sql, records) => {
    const effect = { domain, ...(sql && { sql }), ...(records && { records }) }
    const now = await assertStillAllowed(effect)
    if (asks && now.protected && !(records_free && now.records_free)) throw protectedMeanwhile()
  }
}

function protectedMeanwhile(): Fault {
  return approvalRequired({
    detail: 'The owner has protected the domain, or changed your limits, meanwhile.',
    hint: 'Send the request again: it then waits for the approval of the owner.',
    facts: { approval: null },
  })
}

// The right to confirm a change that waits, which its maker has, and the owner in a session.
import type { Call } from '../../../../app.ts'
import { fault } from '../../../../kit/fault.ts'
import { oneOf } from '../../../../kit/schema.ts'
import { isMaker } from './confirmation.ts'

export const dnsChangeEnded = fault('dns_change_ended', 'conflict', {
  sentence: 'The change does not wait for a confirmation.',
  hint: 'Read the domain: the change was or is being reverted, or was made without revert_after.',
  facts: { state: oneOf(['permanent', 'reverted'], { description: 'The state of the change.' }) },
})
export const dnsChangeNotOwn = fault('dns_change_not_own', 'forbidden', {
  sentence: 'Only the maker of the change, or the owner in a session, can confirm it.',
  hint: 'Ask the owner to confirm it on the page of the domain.',
})

type Confirmable = Parameters<typeof isMaker>[1] & { state: string; protected_since: boolean }

/**
 * Throws dnsChangeEnded for a change that was reverted, and dnsChangeNotOwn for a key or an app
 * that did not make it, or if the owner decides: a change that was kept, or that is of a domain
 * that the owner has protected since.
 */
export function requireConfirmable<C extends Confirmable>(
  confirmation: C | undefined,
  { caller }: Pick<Call, 'caller'>,
): asserts confirmation is C {
  if (!confirmation) throw dnsChangeEnded({ facts: { state: 'permanent' } })
  const { state, protected_since } = confirmation
  if (!isMaker(caller, confirmation)) throw dnsChangeNotOwn()
  if (state === 'reverted') throw dnsChangeEnded({ facts: { state } })
  if (caller.kind !== 'customer' && state !== 'confirmed' && (state === 'kept' || protected_since))
    throw dnsChangeNotOwn({ detail: 'The owner decides whether this change stays.' })
}

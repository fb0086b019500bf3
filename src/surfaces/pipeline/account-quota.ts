// The quota of an account beside that of each of its keys: keys are free to make, and would
// multiply what the service, or a registry, is asked (decision 86).
import type { Caller } from '../../app.ts'
import type { LimitState, Limits, Policy } from '../../rate-limits/leased-quotas.ts'

/**
 * Undefined for every caller but a key or an app. Sessions have a quota of their own, one for the
 * account, so that agents do not keep the owner out.
 */
function accountOf(caller: Caller): string | undefined {
  const isAgent = caller.kind === 'api_key' || caller.kind === 'oauth_client'
  return isAgent ? `account:${caller.customer_id}` : undefined
}

type Spent = { caller: Caller; units: number; states: LimitState[] }

/**
 * After the caller's own quota, so that one which has used that up takes nothing of the account's.
 * Its state is in the header fields where less is left than of the caller's own. Throws
 * rateLimited.
 */
export async function enforceOfAccount(
  limits: Limits,
  policy: Policy,
  { caller, units, states }: Spent,
): Promise<void> {
  const principal = accountOf(caller)
  if (principal === undefined) return
  const own = states.at(-1)
  const seen = [...states]
  await limits.enforce([policy], { key: { principal }, units, states: seen })
  const account = seen.at(-1)
  if (own && account && account.left < own.left) states.push(account)
}

// The quota of an account beside that of each of its keys. Keys are free to make, and would
// multiply the requests to the service or to a registry (decision 86).
import type { Caller } from '../../app.ts'
import type { LimitState, Limits, Policy } from '../../rate-limits/leased-quotas.ts'

/**
 * The account of a key or an app, and undefined for every other caller. Sessions have a quota of
 * their own, one for the account, so that agents do not keep the owner out.
 */
function accountOf(caller: Caller): string | undefined {
  const isAgent = caller.kind === 'api_key' || caller.kind === 'oauth_client'
  return isAgent ? `account:${caller.customer_id}` : undefined
}

type Spent = { caller: Caller; units: number; states: LimitState[] }

/**
 * Takes units after the caller's own quota, so that a caller which has used that up takes nothing
 * of the account's. Its state is in the header fields where less is left of it than of the caller's
 * own. Throws rateLimited.
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

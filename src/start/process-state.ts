// The state that a process keeps in memory: nothing that another node needs, and nothing that is
// lost with it (decision 35).
import type { App } from '../app.ts'
import { AuthenticationCache, LastUses } from '../capabilities/api-keys/index.ts'
import { newChainCheck } from '../capabilities/audit/index.ts'
import { newAvailabilityCache, openOrderBatcher } from '../capabilities/domains/index.ts'
import { PriceBook } from '../capabilities/pricing/index.ts'
import { PasswordHasher } from '../capabilities/sign-in/index.ts'
import { CheckoutLooks } from '../capabilities/top-ups/index.ts'

type ProcessState = Pick<
  App,
  | 'authentications'
  | 'availabilityCache'
  | 'chainCheck'
  | 'checkoutLooks'
  | 'grantUses'
  | 'keyUses'
  | 'orderBatcher'
  | 'passwordHasher'
  | 'priceBook'
  | 'sessionUses'
>

/** Once for each App. */
export function openProcessState(parts: Pick<App, 'db' | 'monotonic_ms'>): ProcessState {
  return {
    authentications: new AuthenticationCache(parts),
    availabilityCache: newAvailabilityCache(),
    chainCheck: newChainCheck(),
    checkoutLooks: new CheckoutLooks(parts),
    grantUses: new LastUses(),
    keyUses: new LastUses(),
    orderBatcher: openOrderBatcher(parts.db),
    passwordHasher: new PasswordHasher(),
    priceBook: new PriceBook(parts),
    sessionUses: new LastUses(),
  }
}

// The state that a process keeps in memory: nothing that another node needs, and nothing that is
// lost with it (decision 35).
import type { App } from '../app.ts'
import { AuthenticationCache, newLastUses } from '../capabilities/api-keys/index.ts'
import { newChainCheck } from '../capabilities/audit/index.ts'
import {
  newAvailabilityCache,
  openOrderBatcher,
  PollRounds,
} from '../capabilities/domains/index.ts'
import { EventWaits, WebhookSenders } from '../capabilities/events/index.ts'
import { PriceBook } from '../capabilities/pricing/index.ts'
import { PasswordHasher } from '../capabilities/sign-in/index.ts'
import { SupportStreams } from '../capabilities/support/index.ts'
import { CheckoutObservations } from '../capabilities/top-ups/index.ts'

type StateParts = Pick<App, 'chance' | 'clock' | 'db' | 'log' | 'monotonic_ms' | 'settings'>

type ProcessState = Pick<
  App,
  | 'authentications'
  | 'availabilityCache'
  | 'chainCheck'
  | 'checkoutObservations'
  | 'eventWaits'
  | 'lastUses'
  | 'orderBatcher'
  | 'passwordHasher'
  | 'pollRounds'
  | 'priceBook'
  | 'supportStreams'
  | 'webhookSenders'
>

/** Makes the state; call it once for each App. */
export function openProcessState(parts: StateParts): ProcessState {
  return {
    authentications: new AuthenticationCache(parts),
    availabilityCache: newAvailabilityCache(parts),
    chainCheck: newChainCheck(),
    checkoutObservations: new CheckoutObservations(parts),
    eventWaits: new EventWaits(parts),
    lastUses: newLastUses(),
    orderBatcher: openOrderBatcher(parts.db),
    passwordHasher: new PasswordHasher(),
    pollRounds: new PollRounds(),
    priceBook: new PriceBook(parts),
    supportStreams: new SupportStreams(parts),
    webhookSenders: new WebhookSenders(),
  }
}

// Term verification of an order's end: the pure rules of its kind, with the registries' time and
// the registry's own longest term.

import type { RegistryDomain } from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { registryOf } from '../../holdings/sync.ts'
import type { OpenOrder, Seen } from '../handlers/order-handler.ts'
import { saleOf } from '../handlers/order-handlers.ts'
import type { HoldingFacts } from '../order-batcher.ts'
import type { Bought } from './reconcile.ts'
import type { Term } from './term-verification.ts'

export type Shown = { bought: Bought; found?: RegistryDomain | undefined }

/** What a capture of what the registry shows would make of the term. */
export function termOf(app: App, order: OpenOrder, { bought, found }: Shown): Term {
  const max_term_years = registryOf(app, order.domain)?.profile.max_term_years ?? 10
  return saleOf(order.type).term(order, bought, {
    now: app.calendar.now(),
    first_sent_at: order.first_sent_at,
    max_term_years,
    found: found ?? bought.found,
  })
}

/** Why a reading that is to be captured does not fit; null: it fits, or is none. */
export function misfitOf(app: App, order: OpenOrder, { verdict, found }: Seen): string | null {
  if (verdict.do !== 'capture') return null
  return termOf(app, order, { bought: verdict.bought, found }).misfit
}

/** What becomes true of the holding by a capture. */
export function holdingAfter(app: App, order: OpenOrder, shown: Shown): HoldingFacts {
  const term = termOf(app, order, shown)
  const found = shown.found ?? shown.bought.found
  return saleOf(order.type).holding(order, shown.bought, { term, found })
}

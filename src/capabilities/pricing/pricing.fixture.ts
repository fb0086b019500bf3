// For tests of the pure rules: terms, and the registry of a TLD without a connection.

import type { EppProfile, Fees } from '../../adapters/registry/port.ts'
import type { Margin, TldTerms } from '../../adapters/registry/registries.ts'
import type { Currency } from '../../kit/money.ts'
import { type Action, priceTld, type TldPrice } from './price.ts'
import type { Basis } from './quote.ts'

export const eurRate = 920_000n

export function termsOf(margin: Margin, costs: TldTerms['costs'] = {}): TldTerms {
  const rates: [Currency, bigint][] = [
    ['USD', 1_000_000n],
    ['EUR', eurRate],
  ]
  return { currency: 'USD', margin, costs, rates: new Map(rates) }
}

const profile: EppProfile = {
  name: 'alpha',
  adapter: 'epp',
  tlds: ['com'],
  host: 'epp.example',
  port: 700,
  client_id: 'us',
  password: 'secret',
  tls: { ca_file: null, cert_file: null, key_file: null, servername: null },
  names_per_check: 10,
  sessions: 1,
  idle_s: 60,
  timeout_ms: 1000,
  contacts: 'optional',
  contact_roles: [],
  host_model: 'hostAttr',
  auth_info_on_create: 'random',
  fee: true,
  login_security: 'long_passwords',
  periods: { min: 1, max: 10 },
  max_term_years: 10,
  transfer_lock_days: 60,
  currency: 'USD',
  idn: {},
  transfer: { years: 1, send_period: true },
  expiry: 'shown',
  price_probes: {},
}

/** A seller on these terms. Pure rules only read the registry's profile. */
export function sourceOf(terms: TldTerms, own: Partial<EppProfile> = {}): Basis['source'] {
  return { registry: { profile: { ...profile, ...own } }, terms }
}

/** Fees as a registry reports them. */
export function fees(create: string | null, renew: string | null, currency = 'USD'): Fees {
  return { currency, create, renew, transfer: renew, restore: null }
}

type Costs = Record<'create' | 'renew' | 'transfer' | 'restore', string>

/** The basis of a quote after a sync in which the registry reported these costs. */
export function basisOf(currency: Currency, terms: TldTerms, costs: Costs): Basis {
  const reported = { currency: 'USD', ...costs }
  const { prices } = priceTld('com', { registry: 'alpha', terms, reported })
  const rows = prices.filter((price) => price.currency === currency)
  const byAction = new Map<Action, TldPrice>(rows.map((row) => [row.action, row]))
  return { currency, source: sourceOf(terms), prices: byAction }
}

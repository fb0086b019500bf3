// The catalog of the simulated Openprovider: prices in US cents, our account, settings.

export type Verb = 'create' | 'renew' | 'transfer' | 'restore'
type Prices = Record<Verb, number>

/** New gTLDs have a cheap first year and expensive renewals. */
export const PRICES: Record<string, Prices> = {
  shop: { create: 299, renew: 2999, transfer: 2999, restore: 8000 },
  online: { create: 399, renew: 2899, transfer: 2899, restore: 8000 },
  site: { create: 299, renew: 2699, transfer: 2699, restore: 8000 },
  store: { create: 399, renew: 4199, transfer: 4199, restore: 8000 },
}
export const CURRENCY = 'USD'
export const OPENING_CREDIT_CENTS = 100_000_000
export const USERNAME = 'reseller-a'
export const PASSWORD = 'sandbox-reseller-pw-01'
export const RESELLER_ID = 123_456

export const MAX_YEARS = 10
export const NAMES_PER_CHECK = 50
export const NAMESERVERS = { min: 2, max: 13 }

const day_ms = 86_400_000
/**
 * After expiry a name can be restored for the price of a renewal, and after deletion for that of a
 * restore.
 */
export const SOFT_QUARANTINE_MS = 30 * day_ms
export const QUARANTINE_MS = 30 * day_ms
export const TOKEN_MS = 2 * day_ms

/** Settings that can be changed at run time. */
export type Settings = {
  /** How long a registration stays REQ; with 0, it is ACT at once. */
  create_takes_ms: number
  /** How long a transfer stays REQ if it is not answered. */
  transfer_takes_ms: number
  /** How long a restore stays RRQ; with 0, it is ACT at once. */
  restore_takes_ms: number
}
export const DEFAULT_SETTINGS: Settings = {
  create_takes_ms: 0,
  transfer_takes_ms: 5 * day_ms,
  restore_takes_ms: 0,
}

/** Locked names at other registrars. */
export const TAKEN = [
  ...['google', 'amazon', 'apple', 'nike', 'lego'].flatMap((label) =>
    Object.keys(PRICES).map((tld) => `${label}.${tld}`),
  ),
  'about.online',
  'open.site',
]

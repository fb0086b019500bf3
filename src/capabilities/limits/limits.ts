// Limits of an API key or an OAuth grant as they are stored: read from requests, and shown.
import type { FieldReader } from '../../kit/field-reader.ts'
import { currencies, formatAmount, parseAmount } from '../../kit/money.ts'
import type { IdnExceptions } from '../../kit/net/host.ts'
import { wordOf } from '../../kit/schema.ts'
import {
  dnsBody,
  noDnsLimit,
  readDnsLimit,
  type StoredDnsLimit,
  storedDnsLimit,
} from './dns-fields.ts'
import { type LimitFields, type Limits, type SpendWindow, spendWindows } from './limit-fields.ts'
import { type LimitList, readList } from './limit-lists.ts'
import type { LimitsRow } from './limits.sql.ts'

/** The limits as they are stored, with amounts in minor units. */
export type StoredLimits = {
  spend_amount: bigint | null
  spend_currency: string | null
  spend_window: string | null
  price_amount: bigint | null
  price_currency: string | null
  approval_amount: bigint | null
  approval_currency: string | null
  /** Null means to refuse. */
  outside_allowed: string | null
  allowed_tlds: string[] | null
  allowed_domains: string[] | null
  allowed_ips: string[] | null
} & StoredDnsLimit

/** Where malformed limits are noted, and what names may have beside IDNA 2008. */
type LimitReading = {
  reader: FieldReader
  idn_exceptions?: IdnExceptions | undefined
  /** Whether its owner sets them in a session. */
  in_person: boolean
}

/** Notes every malformed limit with the reader. */
export function readLimits(reading: LimitReading, fields: LimitFields): StoredLimits {
  const { reader, idn_exceptions: exceptions } = reading
  const { spend_limit = null, max_price = null, approval_above = null } = fields
  const list = (field: LimitList) =>
    readList(reader, { field, given: fields[field] ?? null, exceptions })
  return {
    spend_amount: readAmount(reader, 'spend_limit', spend_limit),
    spend_currency: spend_limit && (spend_limit.currency ?? 'USD'),
    spend_window: spend_limit && (spend_limit.window ?? 'month'),
    price_amount: readAmount(reader, 'max_price', max_price),
    price_currency: max_price && (max_price.currency ?? 'USD'),
    approval_amount: readAmount(reader, 'approval_above', approval_above),
    approval_currency: approval_above && (approval_above.currency ?? 'USD'),
    outside_allowed: fields.outside_allowed === 'ask' ? 'ask' : null,
    allowed_tlds: list('allowed_tlds'),
    allowed_domains: list('allowed_domains'),
    allowed_ips: list('allowed_ips'),
    ...readDnsLimit(reading, fields.dns ?? null),
  }
}

/** A field that is left out stays as it is in `row`; null removes the limit. */
export function changedLimits(
  reading: LimitReading,
  row: LimitsRow | undefined,
  fields: LimitFields,
): StoredLimits {
  const old: StoredLimits = row ?? noLimits
  const given = readLimits(reading, fields)
  const spend = fields.spend_limit === undefined ? old : given
  const price = fields.max_price === undefined ? old : given
  const approval = fields.approval_above === undefined ? old : given
  return {
    spend_amount: spend.spend_amount,
    spend_currency: spend.spend_currency,
    spend_window: spend.spend_window,
    price_amount: price.price_amount,
    price_currency: price.price_currency,
    approval_amount: approval.approval_amount,
    approval_currency: approval.approval_currency,
    outside_allowed:
      fields.outside_allowed === undefined ? old.outside_allowed : given.outside_allowed,
    allowed_tlds: fields.allowed_tlds === undefined ? old.allowed_tlds : given.allowed_tlds,
    allowed_domains:
      fields.allowed_domains === undefined ? old.allowed_domains : given.allowed_domains,
    allowed_ips: fields.allowed_ips === undefined ? old.allowed_ips : given.allowed_ips,
    ...storedDnsLimit(fields.dns === undefined ? old : given),
  }
}

function readAmount(reader: FieldReader, field: string, given: { amount: string } | null) {
  if (given === null) return null
  const parsed = parseAmount(given.amount)
  if (parsed === undefined)
    reader.refuse([field, 'amount'], 'Input should be a decimal amount such as "25.00"')
  return parsed ?? null
}

export const noLimits: StoredLimits = {
  spend_amount: null,
  spend_currency: null,
  spend_window: null,
  price_amount: null,
  price_currency: null,
  approval_amount: null,
  approval_currency: null,
  outside_allowed: null,
  allowed_tlds: null,
  allowed_domains: null,
  allowed_ips: null,
  ...noDnsLimit,
}

export function isLimited(stored: StoredLimits): boolean {
  return Object.values(stored).some((value) => value !== null)
}

/** Every field is null for a key without limits of its own. */
export function limitsBody(row: LimitsRow | undefined, now: Date): Limits {
  const { allowed_tlds = null, allowed_domains = null, allowed_ips = null } = row ?? {}
  return {
    ...spendBody(row, now),
    max_price: priceOf(row?.price_amount, row?.price_currency),
    approval_above: priceOf(row?.approval_amount, row?.approval_currency),
    outside_allowed: row?.outside_allowed === 'ask' ? 'ask' : 'refuse',
    ...{ allowed_tlds, allowed_domains, allowed_ips },
    dns: dnsBody(row ?? noDnsLimit),
  }
}

function spendBody(row: LimitsRow | undefined, now: Date): Pick<Limits, 'spend_limit'> {
  if (!row || row.spend_amount === null || !row.spend_currency || !row.spend_window)
    return { spend_limit: null }
  const window = wordOf(spendWindows, row.spend_window)
  const left = row.spend_amount - row.spent
  return {
    spend_limit: {
      amount: formatAmount(row.spend_amount),
      currency: wordOf(currencies, row.spend_currency),
      window,
      spent: formatAmount(row.spent),
      // An owner may set less than what was spent.
      left: formatAmount(left > 0n ? left : 0n),
      until: endOfWindow(window, now)?.toISOString() ?? null,
    },
  }
}

function priceOf(minor: bigint | null = null, currency: string | null = null) {
  if (minor === null || currency === null) return null
  return { amount: formatAmount(minor), currency: wordOf(currencies, currency) }
}

/** Null if it has none. */
function endOfWindow(window: SpendWindow, now: Date): Date | null {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (window === 'total') return null
  return new Date(window === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1))
}

/** The limits that it has, for the audit row, without the amounts spent. */
export function auditedLimits(key: Limits): Record<string, unknown> {
  const { spend_limit, max_price, allowed_tlds, allowed_domains, allowed_ips } = key
  const { approval_above, outside_allowed, dns } = key
  const { amount, currency, window } = spend_limit ?? {}
  return {
    ...(spend_limit && { spend_limit: { amount, currency, window } }),
    ...(max_price && { max_price }),
    ...(approval_above && { approval_above }),
    ...(outside_allowed === 'ask' && { outside_allowed }),
    ...(allowed_tlds && { allowed_tlds }),
    ...(allowed_domains && { allowed_domains }),
    ...(allowed_ips && { allowed_ips }),
    ...(dns && { dns }),
  }
}

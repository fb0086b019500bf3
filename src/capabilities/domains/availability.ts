// Availability and prices of names: cached answers for "quick", the registry's own for "confirm".

import type { Static } from 'typebox'
import type { CheckedName, Priority } from '../../adapters/registry/port.ts'
import type { App } from '../../app.ts'
import { type ExpiringMap, newExpiringMap } from '../../kit/expiring-map.ts'
import type { Currency } from '../../kit/money.ts'
import type { DomainName } from '../../kit/random.ts'
import { priceBody, type Quote, quoteRegistration } from '../pricing/index.ts'
import { isLong, type ParsedName, parseDomainName, presentable } from './names.ts'
import type { availability } from './schemas.ts'

type Availability = Static<typeof availability>
type Ask = {
  names: string[]
  currency: Currency
  depth: 'quick' | 'confirm'
  priority: Priority
}
/** The registry's answer about one name, and its time. */
type Known = { checked: CheckedName; at: Date; cached: boolean }

const ttl_ms = 60_000
const max = 20_000
type AvailabilityCache = ExpiringMap<Known>

declare module '../../app.ts' {
  interface App {
    /** The registries' answers about names, by name. */
    availabilityCache: AvailabilityCache
  }
}

export function newAvailabilityCache({
  monotonic_ms,
}: Pick<App, 'monotonic_ms'>): AvailabilityCache {
  return newExpiringMap({ max, ttl_ms, monotonic_ms })
}

/**
 * Answers in the order of the names. A name that is invalid or not ours to sell does not affect the
 * others.
 */
export async function checkNames(app: App, ask: Ask): Promise<Availability[]> {
  const { byTld, idn_exceptions } = app.registries
  const isSold = (tld: string) => byTld.has(tld)
  const read = (text: string) => parseDomainName(text, isSold, { exceptions: idn_exceptions })
  const parsed = ask.names.map((text) => ({ text, name: read(text) }))
  const wanted = parsed.flatMap(({ name }) => ('problem' in name || !name.sold ? [] : [name]))
  const answers = await askRegistries(app, ask, wanted)
  const quoteOf = byFees(await quoteRegistration(app, ask.currency))
  const now = app.clock.now().toISOString()
  return parsed.map(({ text, name }) => {
    if ('problem' in name) return unusable(text, 'invalid', { detail: name.problem, now })
    const known = answers.get(name.name)
    if (!name.sold || !known) {
      const detail = `The TLD .${name.tld} is not sold here.`
      return { ...unusable(name.name, 'tld_not_supported', { detail, now }), ...namesOf(name) }
    }
    return entryOf(name, known, quoteOf({ tld: name.tld, years: 1, checked: known.checked }))
  })
}

type QuoteOf = Awaited<ReturnType<typeof quoteRegistration>>

/** Caches the quotes of one request, since 200 names have only a handful of different prices. */
function byFees(quoteOf: QuoteOf): QuoteOf {
  const known = new Map<string, Quote | undefined>()
  return (asked) => {
    const { premium, fees } = asked.checked ?? {}
    const key = [asked.tld, asked.years, premium, fees?.currency, fees?.create, fees?.renew].join()
    if (!known.has(key)) known.set(key, quoteOf(asked))
    return known.get(key)
  }
}

async function askRegistries(app: App, ask: Ask, names: ParsedName[]): Promise<Map<string, Known>> {
  const cache = app.availabilityCache
  const answers = new Map<string, Known>()
  const byRegistry = new Map<string, string[]>()
  const now = app.clock.now()
  const start = app.monotonic_ms()
  for (const { name, tld } of names) {
    const known = ask.depth === 'quick' ? cache.get(name) : undefined
    if (known) {
      answers.set(name, { ...known, cached: true })
      continue
    }
    const registry = app.registries.byTld.get(tld)?.registry.profile.name ?? ''
    const list = byRegistry.get(registry) ?? []
    if (!list.includes(name)) list.push(name)
    byRegistry.set(registry, list)
  }
  const options = { priority: ask.priority, fees: true }
  const asked = app.registries.all.flatMap((registry) => {
    const list = byRegistry.get(registry.profile.name)
    return list ? [registry.check(list, options)] : []
  })
  for (const checked of (await Promise.all(asked)).flat()) {
    const known = { checked, at: now, cached: false }
    answers.set(checked.domain, known)
    if (!checked.unreachable) cache.set(checked.domain, known, { start })
  }
  return answers
}

function namesOf(name: ParsedName) {
  return { domain: name.name, domain_unicode: name.unicode, long_domain: isLong(name) }
}

function entryOf(
  name: ParsedName,
  { checked, at, cached }: Known,
  quote: Quote | undefined,
): Availability {
  const free = checked.unreachable ? null : checked.available
  const { reason, detail } = reasonOf(checked, quote)
  return {
    ...namesOf(name),
    available: free,
    price: free && quote ? priceBody(quote) : null,
    reason,
    detail,
    checked_at: at.toISOString(),
    source: cached ? 'cache' : 'registry',
  }
}

type Reason = Pick<Availability, 'reason' | 'detail'>

function reasonOf(checked: CheckedName, quote: Quote | undefined): Reason {
  if (checked.unreachable || checked.available === null)
    return {
      reason: 'registry_unreachable',
      detail: 'The registry did not answer. Check again in a few seconds.',
    }
  if (checked.refused !== null)
    return { reason: 'invalid', detail: `The registry refuses the name: ${checked.refused}` }
  if (!checked.available)
    return checked.reason === 'reserved'
      ? { reason: 'reserved', detail: 'The registry has reserved this name.' }
      : { reason: 'registered', detail: 'The name is registered.' }
  if (!quote) return { reason: 'price_unavailable', detail: 'Available, but no price is known.' }
  if (quote.premium)
    return { reason: 'premium', detail: 'Available at a premium price: buy with allow_premium.' }
  return { reason: null, detail: null }
}

function unusable(
  domain: DomainName,
  reason: 'invalid' | 'tld_not_supported',
  { detail, now }: { detail: string; now: string },
): Availability {
  const shown = presentable(domain, 253)
  return {
    domain: shown,
    domain_unicode: shown,
    available: reason === 'invalid' ? false : null,
    long_domain: false,
    price: null,
    reason,
    detail,
    checked_at: now,
    source: null,
  }
}

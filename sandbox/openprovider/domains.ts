// Domains at the simulated Openprovider: availability, prices, reads, and changes that are free of
// charge.
import { isReserved } from '../registry/model/names.ts'
import type { Account } from './account.ts'
import { CURRENCY, NAMES_PER_CHECK, NAMESERVERS, QUARANTINE_MS, type Verb } from './catalog.ts'
import { viewDomain } from './domain-view.ts'
import { type Fields, nameOf, nameservers, text } from './field-parser.ts'
import { EXTENSIONS, entryById, newAuthCode } from './orders.ts'
import { Refused } from './refusal.ts'

function money(cents: number): object {
  const price = { currency: CURRENCY, price: cents / 100 }
  return { product: price, reseller: price }
}

export function checkDomains(account: Account, body: Fields): object {
  const { domains } = body
  if (!Array.isArray(domains) || domains.length === 0 || domains.length > NAMES_PER_CHECK)
    throw new Refused(4006)
  const names = domains.map((one: unknown) => nameOf(one, EXTENSIONS))
  return { results: names.map((name) => check(account, name, body.with_price === true)) }
}

function check(account: Account, domain: string, withPrice: boolean): object {
  const price = account.priceOf(domain, 'create', 1)
  const is_premium = price?.premium ?? false
  const reserved = isReserved(domain.slice(0, domain.indexOf('.')))
  const taken = account.entryOf(domain) || account.foreignOf(domain)
  const reason = taken ? 'Domain exists' : 'Reserved name'
  const pricing =
    price && withPrice
      ? {
          price: money(price.cents),
          ...(is_premium
            ? { premium: { currency: CURRENCY, price: { create: price.cents / 100 } } }
            : {}),
        }
      : {}
  if (taken || reserved) return { domain, status: 'active', reason, is_premium, ...pricing }
  return { domain, status: 'free', is_premium, ...pricing }
}

const VERBS = ['create', 'renew', 'transfer', 'restore'] as const

export function priceOfDomain(account: Account, query: URLSearchParams): object {
  const fields = { name: query.get('domain.name'), extension: query.get('domain.extension') }
  const full_name = nameOf(fields, EXTENSIONS)
  const asked = query.get('operation') ?? 'create'
  const verb: Verb | undefined = VERBS.find((one) => one === asked)
  if (!verb) throw new Refused(4006)
  const years = verb === 'create' ? Number(query.get('period') ?? 1) : 1
  const price = account.priceOf(full_name, verb, years)
  if (!price) throw new Refused(307)
  return { price: money(price.cents), is_premium: price.premium }
}

export function listDomains(account: Account, query: URLSearchParams): object {
  const wanted = query.get('full_name')?.toLowerCase()
  const all = [...account.store.tables.domain.values()]
  const results = all.filter(({ full_name }) => wanted === undefined || full_name === wanted)
  const limit = Number(query.get('limit') ?? 100)
  if (results.length === 0) return { total: 0 }
  return { results: results.slice(0, limit).map(viewDomain), total: results.length }
}

export function getDomain(account: Account, id: string): object {
  return viewDomain(entryById(account, id))
}

export function updateDomain(account: Account, id: string, body: Fields): object {
  const domain = entryById(account, id)
  if (domain.status !== 'ACT') throw new Refused(366)
  const next = account.put(domain, {
    ...(body.name_servers === undefined
      ? {}
      : { name_servers: nameservers(body, { ...NAMESERVERS, of: domain.full_name }) }),
    ...(typeof body.is_locked === 'boolean' ? { is_locked: body.is_locked } : {}),
    ...(body.autorenew === undefined
      ? {}
      : { autorenew: text(body, 'autorenew') === 'off' ? ('off' as const) : ('on' as const) }),
  })
  return { status: next.status }
}

export function deleteDomain(account: Account, id: string): object {
  const domain = entryById(account, id)
  if (domain.status !== 'ACT') throw new Refused(366)
  const { now } = account
  const next = account.put(domain, {
    status: 'DEL',
    deleted_at: now,
    delete_status: 'quarantine',
    restorable_until: now + QUARANTINE_MS,
    leaves_at: null,
  })
  return { status: next.status }
}

export function resetAuthCode(account: Account, id: string): object {
  const domain = entryById(account, id)
  if (domain.status !== 'ACT') throw new Refused(366)
  const { auth_code } = account.put(domain, { auth_code: newAuthCode() })
  return { auth_code, type: 'external', success: true }
}

export function getAuthCode(account: Account, id: string): object {
  const { auth_code } = entryById(account, id)
  return { auth_code, type: 'external', success: true }
}

/** A transfer out that another registrar requested. */
export function approveTransfer(account: Account, id: string, body: Fields): object {
  const domain = entryById(account, id)
  if (domain.leaves_at === null) throw new Refused(354)
  if (body.approve === 1 || body.approve === true) account.leave(domain)
  else account.put(domain, { leaves_at: null })
  return { success: true }
}

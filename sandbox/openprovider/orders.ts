// Paid requests at the simulated Openprovider. They are not idempotent: a repeated request is
// carried out again wherever the state of the name allows it.
import { randomBytes } from 'node:crypto'
import { isReserved } from '../registry/model/names.ts'
import { addYears } from '../support/sandbox-clock.ts'
import type { Account } from './account.ts'
import { MAX_YEARS, NAMESERVERS, PRICES, type Verb } from './catalog.ts'
import { handlesOf } from './customers.ts'
import { moment } from './domain-view.ts'
import { type Fields, nameOf, nameservers, number, period, text } from './field-parser.ts'
import type { Domain } from './records.ts'
import { Refused } from './refusal.ts'

export const EXTENSIONS = Object.keys(PRICES)

export function newAuthCode(): string {
  return `op-${randomBytes(12).toString('base64url')}`
}

/** The total price, of which a premium price has to be accepted. @throws Refused 379, 310 */
function agree(
  account: Account,
  { full_name, verb, years }: { full_name: string; verb: Verb; years: number },
  body: Fields,
): void {
  const price = account.priceOf(full_name, verb, years)
  if (!price) throw new Refused(307)
  const accepted = number(body, 'accept_premium_fee') ?? 0
  if (price.premium && Math.round(accepted * 100) < price.cents) throw new Refused(379)
  account.mustAfford(price.cents)
}

type Order = { full_name: string; verb: 'create' | 'transfer'; years: number; auth_code: string }

/** Stores an entry, and at once carries out anything that takes no time. */
function place(account: Account, order: Order, body: Fields): Domain {
  const { store, now, settings } = account
  const takes = order.verb === 'create' ? settings.create_takes_ms : settings.transfer_takes_ms
  const domain: Domain = {
    id: 1_000_000 + store.next('domain'),
    full_name: order.full_name,
    status: 'REQ',
    type: order.verb === 'create' ? 'NEW' : 'TRANSFER',
    is_locked: false,
    autorenew: text(body, 'autorenew') === 'off' ? 'off' : 'on',
    auth_code: order.auth_code,
    comments: text(body, 'comments'),
    name_servers: nameservers(body, { ...NAMESERVERS, of: order.full_name }),
    ...handlesOf(account, body),
    ordered_at: now,
    active_at: null,
    created_at: null,
    changed_at: now,
    expires_at: null,
    request: { verb: order.verb, due_at: now + takes, years: order.years },
    deleted_at: null,
    delete_status: '',
    restorable_until: null,
    leaves_at: null,
  }
  return account.put(takes === 0 ? account.finish(domain) : domain, {})
}

function answerOf(domain: Domain): object {
  const { id, status, auth_code } = domain
  const expiration_date = moment(domain.expires_at)
  const activation_date = moment(domain.active_at)
  const renewal_date = expiration_date
  return { id, status, auth_code, activation_date, expiration_date, renewal_date }
}

export function createDomain(account: Account, body: Fields): object {
  const full_name = nameOf(body.domain, EXTENSIONS)
  const years = period(body, MAX_YEARS)
  if (isReserved(full_name.slice(0, full_name.indexOf('.')))) throw new Refused(513)
  if (account.entryOf(full_name) || account.foreignOf(full_name)) throw new Refused(311)
  agree(account, { full_name, verb: 'create', years }, body)
  const order: Order = { full_name, verb: 'create', years, auth_code: newAuthCode() }
  return answerOf(place(account, order, body))
}

export function transferDomain(account: Account, body: Fields): object {
  const full_name = nameOf(body.domain, EXTENSIONS)
  const entry = account.entryOf(full_name)
  if (entry) throw new Refused(entry.status === 'REQ' ? 514 : 326)
  const foreign = account.foreignOf(full_name)
  if (!foreign) throw new Refused(313)
  if (foreign.is_locked) throw new Refused(369)
  if (foreign.auth_code !== text(body, 'auth_code')) throw new Refused(318)
  agree(account, { full_name, verb: 'transfer', years: 1 }, body)
  const order: Order = { full_name, verb: 'transfer', years: 1, auth_code: newAuthCode() }
  return answerOf(place(account, order, body))
}

/** @throws Refused 320 */
export function entryById(account: Account, id: string): Domain {
  const domain = account.store.tables.domain.get(id)
  if (!domain || domain.status === 'FAI') throw new Refused(320)
  return domain
}

/** Adds the years each time it is requested. */
export function renewDomain(account: Account, id: string, body: Fields): object {
  const domain = entryById(account, id)
  const { status, expires_at } = domain
  if (status !== 'ACT' || expires_at === null) throw new Refused(366)
  const years = period(body, MAX_YEARS)
  const expiry = addYears(expires_at, years)
  if (expiry > addYears(account.now, MAX_YEARS)) throw new Refused(316)
  const cents = (account.priceOf(domain.full_name, 'renew', 1)?.cents ?? 0) * years
  account.mustAfford(cents)
  account.charge(domain, 'renew', { years, cents })
  return { status: account.put(domain, { expires_at: expiry }).status }
}

export function restoreDomain(account: Account, id: string): object {
  const domain = entryById(account, id)
  if (domain.status !== 'DEL') throw new Refused(376)
  account.mustAfford(account.priceOf(domain.full_name, 'restore', 1)?.cents ?? 0)
  const takes = account.settings.restore_takes_ms
  const request = { verb: 'restore' as const, due_at: account.now + takes, years: 0 }
  const asked: Domain = { ...domain, status: 'RRQ', request }
  return { status: account.put(takes === 0 ? account.finish(asked) : asked, {}).status }
}

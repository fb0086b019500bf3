// Paid requests at Openprovider. They are not idempotent: nothing keeps a renewal that is sent
// twice from adding two years, so each is preceded by a read of state and price.

import { formatAmount, parseAmount } from '../../../kit/money.ts'
import type { DomainName } from '../../../kit/random.ts'
import type {
  Attempt,
  FeeVerb,
  Outcome,
  Refusal,
  RegisterCommand,
  RegistryFee,
  RegistryTransfer,
  RenewCommand,
  RestoreCommand,
  TransferCommand,
} from '../port.ts'
import {
  answers,
  type FoundDomain,
  momentOf,
  nameserverList,
  partsOf,
} from './openprovider-answers.ts'
import { priceOf } from './openprovider-check.ts'
import { type Call, type Link, mapDone } from './openprovider-connection.ts'
import { handlesOf } from './openprovider-contacts.ts'
import { find, read, transferQuery } from './openprovider-read.ts'

export function refuse(reason: Refusal, message: string): Outcome<never> {
  return { kind: 'refused', reason, code: null, message, sv_trid: null }
}

type Ask = { domain: DomainName; operation: FeeVerb; period_years: number; fee: RegistryFee | null }
/** The price to acknowledge: Openprovider requires it for premium names, and for no others. */
type Agreed = { accept_premium_fee?: number }

/**
 * Compares the current price with the agreed one. No request can carry the price of a plain name,
 * so between this check and the request itself it may rise; a premium price is sent along.
 */
async function agreed(
  link: Link,
  { domain, operation, period_years, fee }: Ask,
  { priority }: Attempt,
): Promise<Outcome<Agreed>> {
  const { name, currency } = link.profile
  if (fee && fee.currency !== currency)
    return refuse('bad_request', `${name} bills in ${currency}, not in ${fee.currency}`)
  const price = await priceOf(link, domain, { operation, period_years, priority })
  if (price.kind !== 'done') return price
  const { amount, premium } = price.value
  if (premium && !fee) return refuse('fee_required', `${domain} costs a premium: ${amount}`)
  if (amount === null && fee)
    return refuse('fee_mismatch', `${name} reports no price in ${currency}`)
  // The price of a renewal is per year.
  const years = operation === 'renew' ? BigInt(period_years) : 1n
  const cost = (parseAmount(amount ?? '') ?? 0n) * years
  if (fee && cost > (parseAmount(fee.amount) ?? 0n))
    return refuse('fee_mismatch', `${domain} costs ${formatAmount(cost)}, not ${fee.amount}`)
  const value = premium && amount !== null ? { accept_premium_fee: Number(amount) } : {}
  return { ...price, value }
}

/**
 * `first` are checks that must pass before anything is written. If one fails, nothing of the
 * command itself was sent.
 */
export async function after<T, U>(
  first: Outcome<T>,
  next: (value: T) => Promise<Outcome<U>>,
): Promise<Outcome<U>> {
  if (first.kind === 'done') return next(first.value)
  const unclear = first.kind === 'unknown' && ['silence', 'server_failed'].includes(first.cause)
  return unclear ? { ...first, cause: 'not_sent' } : first
}

const how = (attempt: Attempt) => ({ priority: attempt.priority, attempt })

/** The state that a response gives an order: done at once, accepted, or failed. */
function outcomeOf<T>(status: string, done: T): Outcome<T> | null {
  if (status === 'ACT') return { kind: 'done', value: done, sv_trid: null }
  if (['REQ', 'PEN', 'SCH', 'RRQ'].includes(status)) return { kind: 'accepted', sv_trid: null }
  return status === 'FAI' ? refuse('policy', 'Openprovider answers that the request failed') : null
}

function unreadable(status: string): Outcome<never> {
  const message = `Openprovider reports the state ${status}, which we cannot read`
  return { kind: 'unknown', cause: 'silence', message }
}

export async function register(
  link: Link,
  command: RegisterCommand,
  attempt: Attempt,
): Promise<Outcome<{ expires_at: string; created_at: string }>> {
  const { domain, period_years, nameservers, fee } = command
  const ask: Ask = { domain, operation: 'create', period_years, fee }
  const prepared = await after(await agreed(link, ask, attempt), async (premium) =>
    mapDone(await handlesOf(link, command, attempt.priority), (handles) => {
      return { ...premium, ...handles }
    }),
  )
  const sent = await after(prepared, (facts) => {
    const body = {
      domain: partsOf(domain),
      period: period_years,
      unit: 'y',
      autorenew: 'off',
      comments: attempt.cl_trid,
      name_servers: nameserverList(nameservers, command.glue),
      ...facts,
    }
    const call: Call = { method: 'POST', path: '/domains', body, purpose: 'order' }
    return link.send(call, answers.ordered, how(attempt))
  })
  if (sent.kind !== 'done') return sent
  const { status, activation_date, expiration_date } = sent.value
  const expires_at = momentOf(expiration_date)
  const created_at = momentOf(activation_date)
  if (status === 'ACT' && (expires_at === null || created_at === null))
    return readBack(link, domain, attempt)
  const dates = { expires_at: expires_at ?? '', created_at: created_at ?? '' }
  return outcomeOf(status, dates) ?? unreadable(status)
}

/** It is done, but the answer lacks dates, which only a read has. */
async function readBack(
  link: Link,
  domain: DomainName,
  { priority }: Attempt,
): Promise<Outcome<{ expires_at: string; created_at: string }>> {
  const shown = await read(link, domain, priority)
  if (shown.kind === 'done') {
    const { expires_at, created_at } = shown.value
    return { ...shown, value: { expires_at, created_at } }
  }
  return { kind: 'unknown', cause: 'silence', message: 'Done, but its dates could not be read' }
}

/** The fence that Openprovider lacks, as far as a check before the request can be one. */
function fence(found: FoundDomain, { domain, cur_exp_date }: RenewCommand): Outcome<FoundDomain> {
  if (found.status !== 'ACT') return refuse('status', `${domain} is ${found.status}`)
  const expiry = momentOf(found.expiration_date) ?? momentOf(found.renewal_date)
  if (expiry?.slice(0, 10) === cur_exp_date) return { kind: 'done', value: found, sv_trid: null }
  return refuse('expiry_mismatch', `${domain} expires ${expiry}, not ${cur_exp_date}`)
}

export async function renew(
  link: Link,
  command: RenewCommand,
  attempt: Attempt,
): Promise<Outcome<{ expires_at: string }>> {
  const { domain, period_years, fee } = command
  const ask: Ask = { domain, operation: 'renew', period_years, fee }
  const found = await after(await agreed(link, ask, attempt), async () =>
    after(await find(link, domain, attempt.priority), async (entry) => fence(entry, command)),
  )
  const sent = await after(found, ({ id }) => {
    const body = { id, domain: partsOf(domain), period: period_years }
    const call: Call = { method: 'POST', path: `/domains/${id}/renew`, body }
    return link.send(call, answers.status, how(attempt))
  })
  if (sent.kind !== 'done') return sent
  const other = outcomeOf(sent.value.status, null)
  if (other?.kind !== 'done') return other ?? unreadable(sent.value.status)
  return mapDone(await readBack(link, domain, attempt), ({ expires_at }) => ({ expires_at }))
}

export async function requestTransfer(
  link: Link,
  command: TransferCommand,
  attempt: Attempt,
): Promise<Outcome<RegistryTransfer>> {
  const { domain, auth_info, fee, registrant = null, contacts = [] } = command
  const { nameservers = [], glue } = command
  if (nameservers.length === 0)
    return refuse('bad_request', 'Openprovider needs the name servers of the name')
  const ask: Ask = { domain, operation: 'transfer', period_years: 1, fee }
  const prepared = await after(await agreed(link, ask, attempt), async (premium) =>
    mapDone(await handlesOf(link, { registrant, contacts }, attempt.priority), (handles) => {
      return { ...premium, ...handles }
    }),
  )
  const sent = await after(prepared, (facts) => {
    const body = {
      domain: partsOf(domain),
      auth_code: auth_info,
      unit: 'y',
      period: 1,
      autorenew: 'off',
      comments: attempt.cl_trid,
      name_servers: nameserverList(nameservers, glue),
      ...facts,
    }
    const call: Call = { method: 'POST', path: '/domains/transfer', body, purpose: 'transfer' }
    return link.send(call, answers.ordered, how(attempt))
  })
  if (sent.kind !== 'done') return sent
  const other = outcomeOf(sent.value.status, null)
  if (other?.kind !== 'done') return other ?? unreadable(sent.value.status)
  const moved = await transferQuery(link, domain, attempt.priority)
  return moved.kind === 'done' ? moved : { kind: 'accepted', sv_trid: null }
}

function restorable(found: FoundDomain, domain: DomainName): Outcome<FoundDomain> {
  if (found.status === 'DEL') return { kind: 'done', value: found, sv_trid: null }
  return refuse('status', `${domain} is ${found.status}: there is nothing to restore`)
}

export async function restore(
  link: Link,
  { domain, fee }: RestoreCommand,
  attempt: Attempt,
): Promise<Outcome<null>> {
  const ask: Ask = { domain, operation: 'restore', period_years: 1, fee }
  const found = await after(await agreed(link, ask, attempt), async () =>
    after(await find(link, domain, attempt.priority), async (entry) => restorable(entry, domain)),
  )
  const sent = await after(found, ({ id }) => {
    const body = { id, domain: partsOf(domain) }
    const call: Call = { method: 'POST', path: `/domains/${id}/restore`, body }
    return link.send(call, answers.status, how(attempt))
  })
  if (sent.kind !== 'done') return sent
  return outcomeOf(sent.value.status, null) ?? unreadable(sent.value.status)
}

// A name as Openprovider reports it, with its state mapped to the statuses of EPP and RFC 3915.

import { comparable } from '../../../epp/replies/reply.ts'
import type { DomainName } from '../../../kit/random.ts'
import type { Outcome, Priority, RegistryDomain, RegistryTransfer } from '../port.ts'
import { answers, type FoundDomain, momentOf, partsOf } from './openprovider-answers.ts'
import type { Link } from './openprovider-connection.ts'

/** A failed request stays in their list, but is not a domain. */
const failed = 'FAI'
const asked = ['REQ', 'PEN', 'SCH']

/** A name that was requested and is not ours yet: a transfer in. */
function isMovingIn({ status, type }: FoundDomain): boolean {
  return status === 'SCH' || (asked.includes(status) && isTransfer(type))
}

function isTransfer(type: string | undefined): boolean {
  return /transfer/i.test(type ?? '')
}

/** Our entries of a name, newest first, including failed requests. */
async function entriesOf(
  link: Link,
  domain: DomainName,
  priority: Priority,
): Promise<Outcome<FoundDomain[]>> {
  const query = { full_name: domain, limit: 100, with_registry_statuses: true }
  const call = { method: 'GET' as const, path: '/domains', query, repeat: true }
  const outcome = await link.send(call, answers.domains, { priority })
  if (outcome.kind !== 'done') return outcome
  const { results = [] } = outcome.value
  const named = results.filter(({ domain: shown }) =>
    isSame(`${shown.name}.${shown.extension}`, domain),
  )
  if (named.length === 0 && results.length > 0)
    return aboutAnother(`GET /domains was answered without ${domain}, with other names`)
  const value = named.filter(({ is_deleted }) => !is_deleted).sort((a, b) => b.id - a.id)
  return { ...outcome, value }
}

function isSame(shown: string, asked: string): boolean {
  return comparable(shown) === comparable(asked)
}

/** An answer about another name does not concern the requested one. */
function aboutAnother(message: string): Outcome<never> {
  return { kind: 'unknown', cause: 'silence', message }
}

/** The entry that represents the name, or a refusal `absent` or `not_ours` if there is none. */
export async function find(
  link: Link,
  domain: DomainName,
  priority: Priority,
): Promise<Outcome<FoundDomain>> {
  const entries = await entriesOf(link, domain, priority)
  if (entries.kind !== 'done') return entries
  const value = entries.value.find(({ status }) => status !== failed)
  return value ? { ...entries, value } : missing(link, domain, priority)
}

/** The name is not in our account: it is unregistered, or another registrar's. */
async function missing(
  link: Link,
  domain: DomainName,
  priority: Priority,
): Promise<Outcome<never>> {
  const body = { domains: [partsOf(domain)], with_price: false }
  const call = { method: 'POST' as const, path: '/domains/check', body, repeat: true }
  const outcome = await link.send(call, answers.checked, { priority })
  if (outcome.kind !== 'done') return outcome
  const { results = [] } = outcome.value
  const status = results.find((one) => isSame(one.domain, domain))?.status
  const message = `${domain} is not in our account at Openprovider`
  if (status === 'free')
    return { kind: 'refused', reason: 'absent', code: null, message, sv_trid: null }
  if (status === 'active')
    return { kind: 'refused', reason: 'not_ours', code: null, message, sv_trid: null }
  return { kind: 'unknown', cause: 'server_failed', message: `${message}; elsewhere: unknown` }
}

type States = Pick<RegistryDomain, 'epp_statuses' | 'rgp_statuses'>

/**
 * The statuses, or null for a word that we do not know. Openprovider shows neither grace periods
 * nor a transfer out before it is over.
 */
function statesOf(found: FoundDomain): States | null {
  const { status } = found
  if (status === 'ACT') return { epp_statuses: activeStatuses(found), rgp_statuses: [] }
  if (status === 'DEL')
    return { epp_statuses: ['pendingDelete'], rgp_statuses: ['redemptionPeriod'] }
  if (status === 'RRQ') return { epp_statuses: ['pendingDelete'], rgp_statuses: ['pendingRestore'] }
  if (!asked.includes(status)) return null
  return {
    epp_statuses: [isMovingIn(found) ? 'pendingTransfer' : 'pendingCreate'],
    rgp_statuses: [],
  }
}

function activeStatuses(found: FoundDomain): string[] {
  const { is_locked, is_client_hold_enabled: hold, registry_statuses } = found
  const statuses: string[] = []
  if (is_locked || registry_statuses?.client_transfer_prohibited?.value === 1)
    statuses.push('clientTransferProhibited')
  if (hold === true || hold === 'yes' || registry_statuses?.client_hold?.value === 1)
    statuses.push('clientHold')
  return statuses.length > 0 ? statuses : ['ok']
}

/** The name, or null if its state or dates cannot be read. */
function toRegistryDomain(link: Link, found: FoundDomain): RegistryDomain | null {
  const states = statesOf(found)
  // A name that is only requested has no dates of its own yet.
  const ordered = momentOf(found.order_date)
  const created = momentOf(found.creation_date) ?? momentOf(found.active_date) ?? ordered
  const expires = momentOf(found.expiration_date) ?? momentOf(found.renewal_date)
  const expires_at = expires ?? (asked.includes(found.status) ? ordered : null)
  if (!states || created === null || expires_at === null) return null
  const contacts = (['admin', 'tech', 'billing'] as const).flatMap((type) => {
    const id = found[`${type}_handle`]
    return id ? [{ type, id }] : []
  })
  return {
    domain: `${found.domain.name}.${found.domain.extension}`,
    roid: String(found.id),
    // The current registrar is not shown.
    sponsor: isMovingIn(found) ? '' : link.profile.client_id,
    created_at: created,
    updated_at: momentOf(found.last_changed),
    expires_at,
    ...states,
    nameservers: nameserversOf(found),
    glue: glueOf(found),
    registrant: found.owner_handle || null,
    contacts,
    auth_info: null,
    transferred_at: isTransfer(found.type) ? momentOf(found.active_date) : null,
  }
}

export function nameserversOf({ name_servers = [] }: FoundDomain): string[] {
  const ordered = [...name_servers].sort((a, b) => (a.seq_nr ?? 0) - (b.seq_nr ?? 0))
  return ordered.map(({ name }) => comparable(name))
}

/** The addresses that they store with a name's own name servers. */
export function glueOf({ domain, name_servers = [] }: FoundDomain): Record<string, string[]> {
  const end = `.${domain.name}.${domain.extension}`
  const own = name_servers.filter(({ name }) => `.${comparable(name)}`.endsWith(end))
  const shown = own.map(({ name, ip, ip6 }): [string, string[]] => {
    return [comparable(name), [ip ?? '', ip6 ?? ''].filter((address) => address !== '')]
  })
  return Object.fromEntries(shown.filter(([, addresses]) => addresses.length > 0))
}

export async function read(
  link: Link,
  domain: DomainName,
  priority: Priority,
): Promise<Outcome<RegistryDomain>> {
  const found = await find(link, domain, priority)
  if (found.kind !== 'done') return found
  const value = toRegistryDomain(link, found.value)
  if (value) return { ...found, value }
  const message = `${domain} (${found.value.status}): its status or dates are not understood`
  const { creation_date, expiration_date } = found.value
  const facts = { registry: link.profile.name, domain, creation_date, expiration_date }
  link.parts.log.error({ ...facts, alarm: 'registry_date_unreadable' }, message)
  return { kind: 'unknown', cause: 'silence', message }
}

/** This concerns only transfers in; a failed one is reported as cancelled by the registry. */
export async function transferQuery(
  link: Link,
  domain: DomainName,
  priority: Priority,
): Promise<Outcome<RegistryTransfer>> {
  const entries = await entriesOf(link, domain, priority)
  if (entries.kind !== 'done') return entries
  const found = entries.value.find(({ type, status }) => isTransfer(type) || status === 'SCH')
  if (found) return { ...entries, value: transferOf(link, found) }
  const message = `Openprovider knows of no transfer of ${domain}`
  return { kind: 'refused', reason: 'status', code: null, message, sv_trid: null }
}

function transferOf(link: Link, found: FoundDomain): RegistryTransfer {
  const requested_at = momentOf(found.order_date) ?? momentOf(found.last_changed)
  const requested = requested_at ?? new Date(0).toISOString()
  const ended = found.status === failed ? 'serverCancelled' : 'serverApproved'
  return {
    domain: `${found.domain.name}.${found.domain.extension}`,
    status: isMovingIn(found) ? 'pending' : ended,
    requested_by: link.profile.client_id,
    requested_at: requested,
    acts: '',
    acts_at: momentOf(found.active_date) ?? requested,
    expires_at: momentOf(found.expiration_date),
  }
}

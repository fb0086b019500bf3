// The commands on a domain over EPP: what costs money, what changes it, and what reads it.

import { type DomainInfo, domainInfo } from '../../../epp/commands/domain-query.ts'
import { type TransferData, transferRequest } from '../../../epp/commands/domain-transfer.ts'
import {
  domainCreate,
  domainDelete,
  domainRenew,
  domainRestore,
  domainRestoreReport,
  domainUpdate,
} from '../../../epp/commands/domain-transform.ts'
import type {
  Attempt,
  Outcome,
  Priority,
  RegisterCommand,
  RegistryDomain,
  RegistryFee,
  RegistryTransfer,
  RenewCommand,
  RestoreCommand,
  RestoreReport,
  TransferCommand,
  UpdateCommand,
} from '../port.ts'
import { type Link, mapDone } from './epp-connection.ts'

function refuse(message: string): Outcome<never> {
  return { kind: 'refused', reason: 'bad_request', code: null, message, sv_trid: null }
}

/**
 * At least one real registry takes a fee in the wrong currency for the right one: so we compare.
 */
function foreignCurrency({ profile }: Link, fee: RegistryFee | null): Outcome<never> | null {
  if (!fee || fee.currency === profile.currency) return null
  return refuse(`${profile.name} bills in ${profile.currency}, not in ${fee.currency}`)
}

/** A fee goes only to a registry that speaks RFC 8748; another one bills by its price list. */
function priced(link: Link, attempt: Attempt, fee: RegistryFee | null) {
  const sent = link.profile.fee ? fee : null
  const meaning = { priced: sent !== null }
  return { fee: sent, how: { priority: attempt.priority, attempt, meaning } }
}

/** Null when the info lacks what only the sponsor is shown. */
export function toRegistryDomain(info: DomainInfo): RegistryDomain | null {
  const { name, statuses, created_at, expires_at, ds_records: _, subordinates: __, ...rest } = info
  if (created_at === null || expires_at === null) return null
  return { ...rest, domain: name, epp_statuses: statuses, created_at, expires_at }
}

export function toRegistryTransfer({ name, ...rest }: TransferData): RegistryTransfer {
  return { domain: name, ...rest }
}

export async function read(
  link: Link,
  domain: string,
  priority: Priority,
): Promise<Outcome<RegistryDomain>> {
  const outcome = await link.send(domainInfo, { name: domain, auth_info: null }, { priority })
  if (outcome.kind !== 'done') return outcome
  const value = toRegistryDomain(outcome.value)
  if (value) return { ...outcome, value }
  const { sv_trid } = outcome
  if (outcome.value.sponsor === link.profile.client_id) {
    return { kind: 'unknown', cause: 'silence', message: 'Our own domain came without its dates' }
  }
  const message = `Sponsored by ${outcome.value.sponsor}`
  return { kind: 'refused', reason: 'not_ours', code: null, message, sv_trid }
}

type Dates = { created_at: string; expires_at: string }

/**
 * exDate is optional in the schemas; where it is missing or no date, it is
 * read. `created_at`, which a renewal does not answer, is not needed.
 */
async function withDates(
  link: Link,
  outcome: Outcome<{ name: string; created_at?: string | null; expires_at: string | null }>,
  priority: Priority,
): Promise<Outcome<Dates>> {
  if (outcome.kind !== 'done') return outcome
  const { value, sv_trid } = outcome
  const { name, created_at = '', expires_at } = value
  if (created_at !== null && expires_at !== null)
    return { kind: 'done', value: { created_at, expires_at }, sv_trid }
  const shown = await read(link, name, priority)
  if (shown.kind === 'done') {
    const { created_at, expires_at } = shown.value
    return { kind: 'done', value: { created_at, expires_at }, sv_trid }
  }
  return { kind: 'unknown', cause: 'silence', message: 'Done, but its dates could not be read' }
}

export async function register(
  link: Link,
  command: RegisterCommand,
  attempt: Attempt,
): Promise<Outcome<{ expires_at: string; created_at: string }>> {
  const wrong = foreignCurrency(link, command.fee)
  if (wrong) return wrong
  const { profile } = link
  const { fee, how } = priced(link, attempt, command.fee)
  const contacts = profile.contacts !== 'prohibited'
  const input = {
    name: command.domain,
    period_years: command.period_years,
    nameservers: command.nameservers,
    ...(command.glue && { glue: command.glue }),
    host_model: profile.host_model,
    registrant: contacts ? command.registrant : null,
    contacts: contacts ? command.contacts : [],
    auth_info: profile.auth_info_on_create === 'random' ? command.auth_info : '',
    fee,
    ds_records: [],
  }
  const outcome = await link.send(domainCreate, input, how)
  return withDates(link, outcome, attempt.priority)
}

export async function renew(
  link: Link,
  { domain, cur_exp_date, period_years, fee: asked }: RenewCommand,
  attempt: Attempt,
): Promise<Outcome<{ expires_at: string }>> {
  const wrong = foreignCurrency(link, asked)
  if (wrong) return wrong
  const { fee, how } = priced(link, attempt, asked)
  const input = { name: domain, cur_exp_date, period_years, fee }
  const outcome = await link.send(domainRenew, input, how)
  const full = await withDates(link, outcome, attempt.priority)
  return mapDone(full, ({ expires_at }) => ({ expires_at }))
}

export async function requestTransfer(
  link: Link,
  { domain, auth_info, period_years, fee: asked }: TransferCommand,
  attempt: Attempt,
): Promise<Outcome<RegistryTransfer>> {
  const wrong = foreignCurrency(link, asked)
  if (wrong) return wrong
  const { fee, how } = priced(link, attempt, asked)
  const input = { name: domain, auth_info, period_years, fee }
  const meaning = { ...how.meaning, foreign: true }
  const outcome = await link.send(transferRequest, input, { ...how, meaning })
  return mapDone(outcome, toRegistryTransfer)
}

/** A host attribute is changed by being removed and added: RFC 5731 knows no other way. */
function hostChanges(
  link: Link,
  { add = [], remove = [], glue = {} }: Partial<NonNullable<UpdateCommand['nameservers']>>,
) {
  if (link.profile.host_model === 'hostObj') return { add, remove, glue: {} }
  const again = Object.keys(glue).filter((host) => !add.includes(host))
  return { add: [...add, ...again], remove: [...remove, ...again], glue }
}

/** Nothing to change is done. */
export async function update(
  link: Link,
  command: UpdateCommand,
  attempt: Attempt,
): Promise<Outcome<null>> {
  const { domain, auth_info } = command
  const hosts = hostChanges(link, command.nameservers ?? {})
  const statuses = command.statuses ?? { add: [], remove: [] }
  const lists = [hosts.add, hosts.remove, statuses.add, statuses.remove]
  if (auth_info === undefined && lists.every((list) => list.length === 0)) {
    return { kind: 'done', value: null, sv_trid: null }
  }
  const input = {
    name: domain,
    host_model: link.profile.host_model,
    add: { nameservers: hosts.add, glue: hosts.glue, contacts: [], statuses: statuses.add },
    remove: { nameservers: hosts.remove, contacts: [], statuses: statuses.remove },
    ...(auth_info !== undefined && { auth_info }),
  }
  return link.send(domainUpdate, input, { priority: attempt.priority, attempt })
}

export async function restore(
  link: Link,
  { domain, fee: asked }: RestoreCommand,
  attempt: Attempt,
): Promise<Outcome<null>> {
  const wrong = foreignCurrency(link, asked)
  if (wrong) return wrong
  const { fee, how } = priced(link, attempt, asked)
  return link.send(domainRestore, { name: domain, fee }, how)
}

/** The statements that RFC 3915 requires in a restore report. */
const statements = [
  'This registrar restores the name for its registrant, not to use or sell it itself.',
  'To the best of our knowledge this report is true; a false one would breach our agreement.',
] as const

export function reportRestore(
  link: Link,
  { domain, ...report }: RestoreReport,
  attempt: Attempt,
): Promise<Outcome<null>> {
  const input = { name: domain, statements, ...report }
  return link.send(domainRestoreReport, input, { priority: attempt.priority, attempt })
}

export function remove(link: Link, domain: string, attempt: Attempt): Promise<Outcome<null>> {
  return link.send(domainDelete, { name: domain }, { priority: attempt.priority, attempt })
}

// Commands on domains over EPP: checks and reads, paid commands, and changes.

import type { Command } from '../../../epp/commands/command.ts'
import { type DomainInfo, domainInfo } from '../../../epp/commands/domain-query.ts'
import { domainRestore, domainRestoreReport } from '../../../epp/commands/domain-restore.ts'
import {
  type TransferData,
  type TransferNameInput,
  transferApprove,
  transferCancel,
  transferQuery,
  transferReject,
  transferRequest,
} from '../../../epp/commands/domain-transfer.ts'
import {
  domainCreate,
  domainDelete,
  domainRenew,
  domainUpdate,
} from '../../../epp/commands/domain-transform.ts'
import { addYears } from '../../../kit/clock.ts'
import type { DomainName } from '../../../kit/random.ts'
import type {
  Attempt,
  Outcome,
  Priority,
  RegisterCommand,
  Registry,
  RegistryDomain,
  RegistryFee,
  RegistryTransfer,
  RenewCommand,
  TransferCommand,
  UpdateCommand,
} from '../port.ts'
import { check } from './epp-check.ts'
import { followingId, type Link, mapDone, type SendOptions } from './epp-connection.ts'
import { writtenDay } from './renewal-day.ts'

type Paid<Input, Output> = { command: Command<Input, Output>; input: Input; foreign?: boolean }

/**
 * Sends a command that costs money. At least one real registry mistakes a fee in the wrong currency
 * for the right one, so the currencies are compared here. A fee is sent only to a registry that
 * supports RFC 8748, because any other one bills by its price list.
 */
async function sendPaid<Input extends { fee: RegistryFee | null }, Output>(
  { profile, send }: Link,
  { command, input, foreign = false }: Paid<Input, Output>,
  attempt: Attempt,
): Promise<Outcome<Output>> {
  const { fee } = input
  if (fee && fee.currency !== profile.currency) {
    const message = `${profile.name} bills in ${profile.currency}, not in ${fee.currency}`
    return { kind: 'refused', reason: 'bad_request', code: null, message, sv_trid: null }
  }
  const priced = profile.fee && fee !== null
  const how = { priority: attempt.priority, attempt, meaning: { priced, foreign } }
  return send(command, { ...input, fee: priced ? fee : null }, how)
}

/** The domain, or null if the info lacks data that only the sponsor is shown. */
export function toRegistryDomain(
  info: DomainInfo,
  { expiry }: Pick<Link['profile'], 'expiry'>,
): RegistryDomain | null {
  const { name, statuses, created_at, expires_at, ds_records: _, subordinates: __, ...rest } = info
  if (created_at === null) return null
  const known = { ...rest, domain: name, epp_statuses: statuses, created_at }
  if (expires_at !== null) return { ...known, expires_at }
  if (expiry === 'shown') return null
  return { ...known, expires_at: yearsAfter(created_at, 1), expiry_computed: true }
}

function yearsAfter(at: string, years: number): string {
  return addYears(new Date(at), years).toISOString()
}

export function toRegistryTransfer({ name, ...rest }: TransferData): RegistryTransfer {
  return { domain: name, ...rest }
}

async function read(
  link: Link,
  domain: DomainName,
  priority: Priority,
): Promise<Outcome<RegistryDomain>> {
  const outcome = await link.send(domainInfo, { name: domain, auth_info: null }, { priority })
  if (outcome.kind !== 'done') return outcome
  const value = toRegistryDomain(outcome.value, link.profile)
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
 * exDate is optional in the schemas. If it is missing or is not a date, it is read, or `due` is
 * computed from the creation. `created_at`, which a renewal does not return, is not needed. A
 * command that was answered "done" is done: without its dates it counts as accepted, and is not
 * sent again.
 */
async function withDates(
  link: Link,
  outcome: Outcome<{ name: string; created_at?: string | null; expires_at: string | null }>,
  { priority, due }: { priority: Priority; due: (created_at: string) => string },
): Promise<Outcome<Dates>> {
  if (outcome.kind !== 'done') return outcome
  const { value, sv_trid } = outcome
  const { name, created_at = '', expires_at } = value
  if (created_at !== null && expires_at !== null)
    return { kind: 'done', value: { created_at, expires_at }, sv_trid }
  if (created_at !== null && link.profile.expiry === 'computed')
    return { kind: 'done', value: { created_at, expires_at: due(created_at) }, sv_trid }
  const shown = await read(link, name, priority)
  if (shown.kind === 'done') {
    const { created_at, expires_at, expiry_computed } = shown.value
    const value = { created_at, expires_at: expiry_computed ? due(created_at) : expires_at }
    return { kind: 'done', value, sv_trid }
  }
  const { name: registry } = link.profile
  const facts = { registry, domain: name, alarm: 'registry_shows_no_expiry' }
  link.parts.log.error(facts, 'done, but its dates could not be read; see "expiry" in the entry')
  return { kind: 'accepted', sv_trid }
}

async function register(
  link: Link,
  command: RegisterCommand,
  attempt: Attempt,
): Promise<Outcome<{ expires_at: string; created_at: string }>> {
  const { profile } = link
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
    fee: command.fee,
    ds_records: [],
  }
  const outcome = await sendPaid(link, { command: domainCreate, input }, attempt)
  const due = (created_at: string) => yearsAfter(created_at, command.period_years)
  return withDates(link, outcome, { priority: attempt.priority, due })
}

async function renew(
  link: Link,
  { domain: name, ...terms }: RenewCommand,
  attempt: Attempt,
): Promise<Outcome<{ expires_at: string }>> {
  const send = (cur_exp_date: string, by: Attempt) =>
    sendPaid(link, { command: domainRenew, input: { name, ...terms, cur_exp_date } }, by)
  const { cur_exp_date } = terms
  const first = await send(cur_exp_date, attempt)
  const day = await writtenDay(link, first, { name, cur_exp_date, priority: attempt.priority })
  const again = { ...attempt, cl_trid: followingId(attempt.cl_trid) }
  const outcome = day === null ? first : await send(day, again)
  const due = () => yearsAfter(cur_exp_date, terms.period_years)
  const full = await withDates(link, outcome, { priority: attempt.priority, due })
  return mapDone(full, ({ expires_at }) => ({ expires_at }))
}

async function requestTransfer(
  link: Link,
  { domain: name, auth_info, period_years, fee }: TransferCommand,
  attempt: Attempt,
): Promise<Outcome<RegistryTransfer>> {
  const input = { name, auth_info, period_years, fee }
  const outcome = await sendPaid(link, { command: transferRequest, input, foreign: true }, attempt)
  return mapDone(outcome, toRegistryTransfer)
}

/** A host attribute is changed by removing and adding it, because RFC 5731 has no other way. */
function hostChanges(
  link: Link,
  { add = [], remove = [], glue = {} }: Partial<NonNullable<UpdateCommand['nameservers']>>,
) {
  if (link.profile.host_model === 'hostObj') return { add, remove, glue: {} }
  const again = Object.keys(glue).filter((host) => !add.includes(host))
  return { add: [...add, ...again], remove: [...remove, ...again], glue }
}

/** If there is nothing to change, the change is done. */
async function update(
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

/** The statements that RFC 3915 requires in a restore report. */
const statements = [
  'This registrar restores the name for its registrant, not to use or sell it itself.',
  'To the best of our knowledge this report is true; a false one would breach our agreement.',
] as const

/** The members of a registry that are commands on domains. */
export function domainCommands(link: Link) {
  const transfer = async (
    command: Command<TransferNameInput, TransferData>,
    domain: DomainName,
    how: SendOptions,
  ) => mapDone(await link.send(command, { name: domain, auth_info: null }, how), toRegistryTransfer)
  const by = (attempt: Attempt): SendOptions => ({ priority: attempt.priority, attempt })
  return {
    check: (names, options) => check(link, names, options),
    register: (command, attempt) => register(link, command, attempt),
    renew: (command, attempt) => renew(link, command, attempt),
    transferRequest: (command, attempt) => requestTransfer(link, command, attempt),
    transferQuery: (domain, priority) => transfer(transferQuery, domain, { priority }),
    transferCancel: (domain, attempt) => transfer(transferCancel, domain, by(attempt)),
    transferApprove: (domain, attempt) => transfer(transferApprove, domain, by(attempt)),
    transferReject: (domain, attempt) => transfer(transferReject, domain, by(attempt)),
    update: (command, attempt) => update(link, command, attempt),
    async renewAuthInfo({ domain, wanted }, attempt) {
      const set = await update(link, { domain, auth_info: wanted }, attempt)
      return mapDone(set, () => ({ auth_info: wanted }))
    },
    restore: ({ domain: name, fee }, attempt) =>
      sendPaid(link, { command: domainRestore, input: { name, fee } }, attempt),
    restoreReport: ({ domain: name, ...report }, attempt) =>
      link.send(domainRestoreReport, { name, statements, ...report }, by(attempt)),
    delete: (name, attempt) => link.send(domainDelete, { name }, by(attempt)),
    read: (domain, priority) => read(link, domain, priority),
  } satisfies Partial<Registry>
}

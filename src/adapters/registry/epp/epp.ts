// The EPP adapter of the registry port: one registry by its profile, its availability checks,
// prices and message queue.
import type { Command } from '../../../epp/commands/command.ts'
import type { NameFees } from '../../../epp/commands/domain-extensions.ts'
import { type DomainCheckAnswer, domainCheck } from '../../../epp/commands/domain-query.ts'
import {
  type TransferData,
  type TransferNameInput,
  transferApprove,
  transferCancel,
  transferQuery,
  transferReject,
} from '../../../epp/commands/domain-transfer.ts'
import { type Message, pollAck, pollRequest } from '../../../epp/commands/poll.ts'
import { comparable } from '../../../epp/replies/reply.ts'
import { checkInParts, reasonOf, unreachableName, verbsOf } from '../availability-check.ts'
import {
  type Attempt,
  type CheckedName,
  type CheckOptions,
  type EppProfile,
  type Fees,
  feeVerbs,
  type Outcome,
  type PollMessage,
  type Prices,
  type Registry,
} from '../port.ts'
import { type Probed, probePrices } from '../price-probe.ts'
import { type EppParts, type How, type Link, mapDone, openLink } from './epp-connection.ts'
import {
  read,
  register,
  remove,
  renew,
  reportRestore,
  requestTransfer,
  restore,
  toRegistryDomain,
  toRegistryTransfer,
  update,
} from './epp-domains.ts'
import { deleteHosts, ensureHosts, putContact, readGlue } from './epp-objects.ts'

/**
 * RFC 8748 section 3.7: `standard` is the class of what costs the usual. `standard` of the command
 * says so, too.
 */
function isPremium(fees: NameFees): boolean {
  const classed = fees.fee_class !== null && fees.fee_class.toLowerCase() !== 'standard'
  return classed || fees.standard === false
}

function feesOf({ currency, totals }: NameFees): Fees | null {
  const { create = null, renew = null, transfer = null, restore = null } = totals
  const none = create === null && renew === null && transfer === null && restore === null
  return none ? null : { currency, create, renew, transfer, restore }
}

function checkedName(domain: string, { names, fees }: DomainCheckAnswer): CheckedName {
  const found = names.get(domain.toLowerCase())
  const cost = fees.get(comparable(domain))
  if (!found || found.available === null) return unreachableName(domain)
  return {
    domain,
    available: found.available,
    reason: found.available ? null : reasonOf(found.reason ?? cost?.reason ?? null),
    premium: cost ? isPremium(cost) : false,
    fees: cost ? feesOf(cost) : null,
    unreachable: false,
    refused: null,
  }
}

function check(link: Link, names: string[], options: CheckOptions): Promise<CheckedName[]> {
  const { fee, currency, names_per_check } = link.profile
  const verbs = fee ? verbsOf(options) : []
  const fees = verbs.length > 0 ? { currency, verbs, period_years: 1 } : null
  return checkInParts(names, names_per_check, async (part) => {
    const outcome = await link.send(domainCheck, { names: part, fees }, options)
    return mapDone(outcome, (answer) => part.map((name) => checkedName(name, answer)))
  })
}

/** Checks an unregistered name in each TLD. */
async function prices(link: Link, tlds: string[]): Promise<Map<string, Prices>> {
  const { profile, parts } = link
  if (!profile.fee) return new Map()
  const found = await probePrices(tlds, { profile }, async (names) => {
    const answers = await check(link, names, { priority: 'background', fees: feeVerbs })
    return answers.map(pricesOf)
  })
  for (const tld of tlds)
    if (!found.has(tld)) parts.log.warn({ registry: profile.name, tld }, 'no plain price')
  return found
}

function pricesOf({ fees, premium, unreachable }: CheckedName): Probed {
  if (unreachable) return 'unreachable'
  const { create, renew, transfer, restore } = fees ?? {}
  if (!fees || !create || !renew || !transfer || !restore || premium) return 'refused'
  return { currency: fees.currency, create, renew, transfer, restore }
}

function aboutOf({ about }: Message): PollMessage['about'] {
  switch (about.kind) {
    case 'transfer':
      return { kind: 'transfer', transfer: toRegistryTransfer(about.transfer) }
    case 'pending_action': {
      const { name, ...rest } = about.action
      return { kind: 'pending_action', domain: name, ...rest }
    }
    case 'domain': {
      const domain = toRegistryDomain(about.info)
      return domain ? { kind: 'domain', domain } : { kind: 'other', domain: about.info.name }
    }
    case 'renewal':
      return { kind: 'renewal', domain: about.name, expires_at: about.expires_at }
    case 'other':
      return { kind: 'other', domain: about.name }
  }
}

/** The raw answer is kept beside what we understood of it. */
const rawPoll = {
  ...pollRequest,
  parse: (reply: Parameters<typeof pollRequest.parse>[0]): PollMessage | null => {
    const message = pollRequest.parse(reply, null)
    if (!message) return null
    const { id, count, text } = message
    const about = aboutOf(message)
    return { id, count, queued_at: message.at, text, about, raw: reply.raw.toString() }
  },
}

/** The caller acks after its commit, so a message may come twice. */
function poll(link: Link): Promise<Outcome<PollMessage | null>> {
  return link.send(rawPoll, null, { priority: 'background' })
}

/** 2303: the message is gone already, which is what was wanted. */
async function ack(link: Link, id: string): Promise<Outcome<null>> {
  const outcome = await link.send(pollAck, { id }, { priority: 'background' })
  if (outcome.kind !== 'refused' || outcome.reason !== 'absent') return outcome
  return { kind: 'done', value: null, sv_trid: outcome.sv_trid }
}

/**
 * Opens a registry that speaks EPP (RFC 5730-5734, 3915, 8748, 8807, 9154). Connects at the first
 * command; keeps its sessions until `close()`, which lets running commands finish and logs out.
 */
export function openEppRegistry(profile: EppProfile, parts: EppParts): Registry {
  const link = openLink(profile, parts)
  const transfer = async (
    command: Command<TransferNameInput, TransferData>,
    domain: string,
    how: How,
  ) => mapDone(await link.send(command, { name: domain, auth_info: null }, how), toRegistryTransfer)
  const by = (attempt: Attempt): How => ({ priority: attempt.priority, attempt })
  return {
    profile,
    hosts: {
      own_hosts_later: profile.host_model === 'hostObj',
      one_address_of_a_kind: false,
      transfer_names_them: false,
    },
    resends: { register: 'fenced', renew: 'fenced', transfer: 'fenced', restore: 'fenced' },
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
    restore: (command, attempt) => restore(link, command, attempt),
    restoreReport: (report, attempt) => reportRestore(link, report, attempt),
    delete: (domain, attempt) => remove(link, domain, attempt),
    read: (domain, priority) => read(link, domain, priority),
    putContact: (contact, priority) => putContact(link, contact, priority),
    ensureHosts: (hosts, priority, glue = {}) => ensureHosts(link, { hosts, glue }, priority),
    deleteHosts: (domain, priority) => deleteHosts(link, domain, priority),
    readGlue: (hosts, priority) => readGlue(link, hosts, priority),
    prices: (tlds) => prices(link, tlds),
    poll: () => poll(link),
    ack: (id) => ack(link, id),
    health: () => link.pool.health(),
    close: () => link.pool.close(),
  }
}

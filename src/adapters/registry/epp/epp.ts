// The EPP adapter of the registry port: one registry by its profile, with its prices and its
// message queue.
import { type Message, pollAck, pollRequest } from '../../../epp/commands/poll.ts'
import {
  type CheckedName,
  type EppProfile,
  feeVerbs,
  type Outcome,
  type PollMessage,
  type Prices,
  type Registry,
} from '../port.ts'
import { type Probed, probePrices } from '../price-probe.ts'
import { type EppParts, type Link, openLink } from './epp-connection.ts'
import { domainCommands, toRegistryDomain, toRegistryTransfer } from './epp-domains.ts'
import { objectCommands } from './epp-objects.ts'

/** Checks an unregistered name in each TLD. */
async function prices(link: Link, check: Registry['check'], tlds: string[]) {
  const { profile, parts } = link
  if (!profile.fee) return new Map<string, Prices>()
  const found = await probePrices(tlds, { profile }, async (names) => {
    const answers = await check(names, { priority: 'background', fees: feeVerbs })
    return answers.map(pricesOf)
  })
  for (const tld of tlds)
    if (!found.has(tld))
      parts.log.warn({ registry: profile.name, tld }, 'no standard price for a TLD')
  return found
}

function pricesOf({ fees, premium, unreachable }: CheckedName): Probed {
  if (unreachable) return 'unreachable'
  const { create, renew, transfer, restore } = fees ?? {}
  if (!fees || !create || !renew || !transfer || !restore || premium) return 'refused'
  return { currency: fees.currency, create, renew, transfer, restore }
}

function aboutOf({ about }: Message, profile: EppProfile): PollMessage['about'] {
  switch (about.kind) {
    case 'transfer':
      return { kind: 'transfer', transfer: toRegistryTransfer(about.transfer) }
    case 'pending_action': {
      const { name, ...rest } = about.action
      return { kind: 'pending_action', domain: name, ...rest }
    }
    case 'domain': {
      const domain = toRegistryDomain(about.info, profile)
      return domain ? { kind: 'domain', domain } : { kind: 'other', domain: about.info.name }
    }
    case 'renewal':
      return { kind: 'renewal', domain: about.name, expires_at: about.expires_at }
    case 'other':
      return { kind: 'other', domain: about.name }
  }
}

/** The raw answer is kept beside the part that we understood. */
const rawPoll = (profile: EppProfile) => ({
  ...pollRequest,
  parse: (reply: Parameters<typeof pollRequest.parse>[0]): PollMessage | null => {
    const message = pollRequest.parse(reply, null)
    if (!message) return null
    const { id, count, text } = message
    const about = aboutOf(message, profile)
    return { id, count, queued_at: message.at, text, about, raw: reply.raw.toString() }
  },
})

/** The caller acks after its commit, so a message may arrive twice. */
function poll(link: Link): Promise<Outcome<PollMessage | null>> {
  return link.send(rawPoll(link.profile), null, { priority: 'background' })
}

/** 2303: the message is already gone, as intended. */
async function ack(link: Link, id: string): Promise<Outcome<null>> {
  const outcome = await link.send(pollAck, { id }, { priority: 'background' })
  if (outcome.kind !== 'refused' || outcome.reason !== 'absent') return outcome
  return { kind: 'done', value: null, sv_trid: outcome.sv_trid }
}

/**
 * Opens a registry that supports EPP (RFC 5730-5734, 3915, 8748, 8807, 9154). It connects at the
 * first command and keeps its sessions until `close()`, which lets running commands finish and logs
 * out.
 */
export function openEppRegistry(profile: EppProfile, parts: EppParts): Registry {
  const link = openLink(profile, parts)
  const domains = domainCommands(link)
  return {
    profile,
    hosts: {
      own_hosts_later: profile.host_model === 'hostObj',
      one_address_of_a_kind: false,
      transfer_names_them: false,
    },
    sends_auth_info: profile.auth_info_on_create === 'random',
    resends: { register: 'fenced', renew: 'fenced', transfer: 'fenced', restore: 'fenced' },
    ...domains,
    ...objectCommands(link),
    prices: (tlds) => prices(link, domains.check, tlds),
    poll: () => poll(link),
    ack: (id) => ack(link, id),
    health: () => link.pool.health(),
    close: () => link.pool.close(),
  }
}

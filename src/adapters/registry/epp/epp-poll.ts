// The registry's message queue over EPP. The caller acks after its commit, so a message may come
// twice.
import { type Message, pollAck, pollRequest } from '../../../epp/commands/poll.ts'
import type { Outcome, PollMessage } from '../port.ts'
import type { Link } from './epp-connection.ts'
import { toRegistryDomain, toRegistryTransfer } from './epp-domains.ts'

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

export function poll(link: Link): Promise<Outcome<PollMessage | null>> {
  return link.send(rawPoll, null, { priority: 'background' })
}

/** 2303: the message is gone already, which is what was wanted. */
export async function ack(link: Link, id: string): Promise<Outcome<null>> {
  const outcome = await link.send(pollAck, { id }, { priority: 'background' })
  if (outcome.kind !== 'refused' || outcome.reason !== 'absent') return outcome
  return { kind: 'done', value: null, sv_trid: outcome.sv_trid }
}

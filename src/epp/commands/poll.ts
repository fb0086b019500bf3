// The <poll> command (RFC 5730 section 2.9.2.3), which reads the oldest message of the queue, or
// removes it.

import { GarbageInput } from '../errors.ts'
import { childMoment, comparable, type Reply, requiredMoment } from '../replies/reply.ts'
import { result } from '../replies/result-codes.ts'
import { childWords, type Element, flag, ns, requiredWords } from '../xml/xml.ts'
import { type Command, commandFrame, nothing, token } from './command.ts'
import { type DomainInfo, readDomainInfo } from './domain-query.ts'
import { readTransfer, type TransferData } from './domain-transfer.ts'

/** The late end of a command that was answered 1001 (RFC 5731 section 3.3). */
type PendingAction = {
  name: string
  done: boolean
  cl_trid: string | null
  sv_trid: string
  at: string
}

export type Message = {
  id: string
  count: number
  at: string | null
  text: string
  about:
    | { kind: 'transfer'; transfer: TransferData }
    | { kind: 'pending_action'; action: PendingAction }
    | { kind: 'domain'; info: DomainInfo }
    /** The registry has auto-renewed it. */
    | { kind: 'renewal'; name: string; expires_at: string | null }
    /** A message that we do not know, or cannot read. */
    | { kind: 'other'; name: string | null }
}

function readPendingAction(reply: Reply): PendingAction | undefined {
  const data = reply.data.find(
    (element) => element.local === 'panData' && element.uri === ns.domain,
  )
  const name = data?.children.find((element) => element.local === 'name')
  const ids = data?.children.find((element) => element.local === 'paTRID')
  if (!data || !name || !ids) return undefined
  return {
    name: comparable(requiredWords(data, ns.domain, 'name')),
    done: flag(name, 'paResult') === true,
    cl_trid: childWords(ids, ns.epp, 'clTRID'),
    sv_trid: requiredWords(ids, ns.epp, 'svTRID'),
    at: requiredMoment(data, ns.domain, 'paDate'),
  }
}

function nameIn(data: Element | undefined): string | null {
  const name = data && childWords(data, ns.domain, 'name')
  return name ? comparable(name) : null
}

function readSubject(reply: Reply, data: Element | undefined): Message['about'] | undefined {
  switch (data?.local) {
    case 'trnData':
      return { kind: 'transfer', transfer: readTransfer(data) }
    case 'infData':
      return { kind: 'domain', info: readDomainInfo(data, reply) }
    case 'renData': {
      const name = comparable(requiredWords(data, ns.domain, 'name'))
      return { kind: 'renewal', name, expires_at: childMoment(data, ns.domain, 'exDate') }
    }
    default: {
      const action = readPendingAction(reply)
      return action && { kind: 'pending_action', action }
    }
  }
}

/**
 * This never fails, because a message that could not be read could not be removed from the queue
 * either.
 */
function subjectOf(reply: Reply): Message['about'] {
  const data = reply.data.find((element) => element.uri === ns.domain)
  try {
    return readSubject(reply, data) ?? { kind: 'other', name: nameIn(data) }
  } catch (error) {
    if (!(error instanceof GarbageInput)) throw error
    return { kind: 'other', name: nameIn(data) }
  }
}

/** Reading leaves the message in the queue, so a lost answer can simply be requested again. */
export const pollRequest: Command<null, Message | null> = {
  name: 'poll request',
  transforms: false,
  skims: true,
  frame: (_input, cl_trid) => commandFrame(cl_trid, '<poll op="req"/>'),
  parse(reply) {
    if (reply.code === result.no_messages) return null
    // Without its id no message can be removed, and a queue that does not move is not an empty one.
    if (reply.code !== result.message_to_ack || !reply.queue)
      throw new GarbageInput(`Answer ${reply.code} to a poll has no message with an id`)
    const skimmed = reply.read === 'skimmed'
    const about = skimmed ? ({ kind: 'other', name: reply.seems_about } as const) : subjectOf(reply)
    return { ...reply.queue, about }
  },
}

export const pollAck: Command<{ id: string }, null> = {
  name: 'poll ack',
  transforms: true,
  skims: true,
  frame: ({ id }, cl_trid) => {
    const message = token(id, 'A message id', { min: 1, max: 255 })
    return commandFrame(cl_trid, `<poll op="ack" msgID="${message}"/>`)
  },
  parse: nothing,
}

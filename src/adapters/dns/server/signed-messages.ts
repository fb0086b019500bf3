// Signed messages (RFC 8945): updates, zone transfers, and queries by clients that sign those, too.
// The rights of the key are decided behind the port; the rules of the protocol are here.

import { type Message, readMessage, rrClass } from '../../../dns/message/read-message.ts'
import {
  type SignedRequest,
  signAnswer,
  TsigStream,
  tsigError,
  tsigLength,
  verifyRequest,
} from '../../../dns/message/tsig.ts'
import { rrType } from '../../../dns/types.ts'
import { Overloaded } from '../../../kit/concurrency/semaphore.ts'
import { emptyReply, type Reply } from '../answers/reply.ts'
import type { Glue, SignedMessage, SignedMessages, ZoneContent } from '../port.ts'
import { rcodes } from '../rcodes.ts'
import type { Head, Query, Rejected } from './dns-query.ts'
import type { From } from './dns-sockets.ts'
import { transferMessages } from './transfer-messages.ts'
import { writeReply } from './write-reply.ts'

export const opcode_update = 5
/**
 * The longest life of signatures, whatever a client asks for, because it bounds the memory of them.
 */
const longest_fudge_s = 300

type Work<T> = () => Promise<T>
type Parts = {
  signed: SignedMessages
  glue: Glue
  look: (query: Query) => Promise<Reply>
  /** Looks up a key. Rejects with Overloaded. */
  brief: <T>(work: Work<T>) => Promise<T>
  /** Carries out an update or a transfer when it is the key's turn. Rejects with Overloaded. */
  inTurn: <T>(key: string, work: Work<T>) => Promise<T>
}
type Received = { bytes: Buffer; from: From; query: Query | Rejected }
type Verified = { message: Message; request: SignedRequest }

/**
 * The signed answers, or the error after a wrong signature (RFC 8945 part 5.2). Rejects with
 * Overloaded if too many keys or questions are being looked up.
 */
export async function signedAnswers(parts: Parts, received: Received): Promise<Buffer[]> {
  const { bytes, from, query } = received
  const { signed } = parts
  const message = readMessage(bytes)
  if ('problem' in message) return [plain(query, { rcode: rcodes.formerr, from })]
  const head = headOf(query, message)
  const answer = (rcode: number) => plain(head, { rcode, from })
  const { tsig, edns } = message
  // Only an update gets here without a signature.
  if (!tsig) return [answer(edns && edns.version > 0 ? rcodes.badvers : rcodes.refused)]
  const key = await parts.brief(() => signed.key(tsig.name))
  const now_s = secondsOf(signed.now())
  const read = verifyRequest({ bytes, message, key, now_s })
  if (!read || 'problem' in read) return [answer(rcodes.formerr)]
  const request = withinFudge(read, now_s)
  if (request.error !== 0) return [signAnswer(answer(rcodes.notauth), request, now_s)]
  const sign = (one: Buffer) => signAnswer(one, request, secondsOf(signed.now()))
  if (edns && edns.version > 0) return [sign(answer(rcodes.badvers))]
  const verified = { message, request }
  const isUpdate = message.opcode === opcode_update
  if (isUpdate || isTransfer(message)) {
    const work = isUpdate
      ? () => updated(parts, received, verified)
      : () => transferred(parts, received, verified)
    const done = await parts.inTurn(request.tsig.name, work).catch(ifOverloaded)
    if (done === null) return []
    return typeof done === 'number' ? [sign(answer(done))] : done
  }
  const reply = 'rcode' in query ? emptyReply(query.rcode) : await parts.look(query)
  return [sign(writeReply(withSpace(query, request), reply, from.transport))]
}

function isTransfer({ opcode, questions: [asked] }: Message): boolean {
  return opcode === 0 && asked?.type === rrType.axfr
}

function ifOverloaded(error: unknown): number {
  if (error instanceof Overloaded) return rcodes.servfail
  throw error
}

/** The head of an update, whose question is its zone (RFC 2136 2.3 and 3.8). */
function headOf(query: Head, { opcode, questions, edns }: Message): Head {
  if (opcode !== opcode_update) return query
  const [zone, ...more] = questions
  const question = zone && more.length === 0 ? zone.octets : Buffer.alloc(0)
  return { ...query, recursion_desired: false, question, edns }
}

function plain(head: Head, { rcode, from }: { rcode: number; from: From }): Buffer {
  return writeReply(head, emptyReply(rcode), from.transport)
}

function withSpace(head: Head, { key }: SignedRequest): Head {
  return { ...head, reserved: key ? tsigLength(key) : 0 }
}

function withinFudge(request: SignedRequest, now_s: number): SignedRequest {
  const is_late = Math.abs(now_s - request.tsig.time_signed) > longest_fudge_s
  return request.error === 0 && is_late ? { ...request, error: tsigError.badtime } : request
}

/** The code of the answer, or null if there is to be no answer. */
async function updated(
  { signed }: Parts,
  { from }: Received,
  { message, request }: Verified,
): Promise<number | null> {
  const { questions, answer: prerequisites, authority: updates } = message
  const [zone, ...more] = questions
  if (!zone || more.length > 0 || zone.type !== rrType.soa) return rcodes.formerr
  // We have no zones of another class (RFC 2136 3.1.2).
  if (zone.class !== rrClass.in) return rcodes.notauth
  return signed.update({ ...signedBy(request, from), zone: zone.name, prerequisites, updates })
}

/** Transfers are allowed only over TCP (RFC 5936 4.2). */
async function transferred(
  { signed, glue }: Parts,
  { query, from }: Received,
  { message, request }: Verified,
): Promise<Buffer[] | number> {
  const [asked] = message.questions
  if (asked?.class !== rrClass.in || from.transport !== 'tcp') return rcodes.refused
  const content = await signed.transfer({ ...signedBy(request, from), zone: asked.name })
  if ('rcode' in content) return content.rcode
  return signedZone(content, { head: withSpace(query, request), request, glue, now: signed.now() })
}

function signedBy({ tsig }: SignedRequest, from: From): Omit<SignedMessage, 'zone'> {
  return { key: tsig.name, mac: tsig.mac, ...from }
}

type Transfer = { head: Head; request: SignedRequest; glue: Glue; now: Date }

function signedZone(content: ZoneContent, { head, request, glue, now }: Transfer): Buffer[] {
  const stream = new TsigStream(request)
  return transferMessages(head, content, glue).map((one) => stream.sign(one, secondsOf(now)))
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

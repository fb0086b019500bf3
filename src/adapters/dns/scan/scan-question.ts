// One question of a scan as octets, and whether a message answers it (RFC 5452 section 9): the id,
// the question and the port, which the system chooses at random, must be those of the question.
import { randomInt } from 'node:crypto'
import { type Message, readMessage } from '../../../dns/message/read-message.ts'
import { MessageWriter } from '../../../dns/message/write-message.ts'
import { nameToWire } from '../../../dns/name.ts'
import { rrType } from '../../../dns/types.ts'
import { classIn } from '../rcodes.ts'

/** A packet of this size is not fragmented (DNS Flag Day 2020). */
const udp_size = 1232

/** `name` is lower-case text without a final dot. */
export type ScanQuestion = { name: string; type: number }
export type SentQuestion = ScanQuestion & { id: number; octets: Buffer }

export function sentQuestion({ name, type }: ScanQuestion, edns: boolean): SentQuestion {
  const fixed = Buffer.alloc(4)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(classIn, 2)
  const id = randomInt(65_536)
  const question = Buffer.concat([nameToWire(name), fixed])
  const writer = new MessageWriter({ id, flags: 0, question })
  const none = Buffer.alloc(0)
  if (edns) {
    const opt = { name: Buffer.alloc(1), type: rrType.opt, class: udp_size, ttl: 0, rdata: none }
    writer.add('additional', [opt])
  }
  return { name, type, id, octets: writer.finish() }
}

/** The message if it answers the question and can be read as a whole, or null. */
export function answerOf(sent: SentQuestion, bytes: Buffer): Message | null {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== sent.id) return null
  const message = readMessage(bytes)
  if (!('opcode' in message) || message.flags < 0x8000 || message.opcode !== 0) return null
  const [question, ...more] = message.questions
  const isSame =
    question?.name === sent.name && question.type === sent.type && question.class === classIn
  return isSame && more.length === 0 ? message : null
}

/** Whether the answer comes from a zone of the server instead of a cache (RFC 1035 4.1.1). */
export function isAuthoritative({ flags }: Message): boolean {
  return (flags & 0x0400) !== 0
}

export function isCut({ flags }: Message): boolean {
  return (flags & 0x0200) !== 0
}

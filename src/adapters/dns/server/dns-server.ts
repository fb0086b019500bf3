// The authoritative name server in this process: every node answers from the same database.
import type { Logger } from 'pino'
import { FairQueue } from '../../../kit/concurrency/fair-queue.ts'
import { KeyedSemaphore, Overloaded } from '../../../kit/concurrency/semaphore.ts'
import { answerTo } from '../answers/answer.ts'
import { emptyReply } from '../answers/reply.ts'
import { askAddress, askSet } from '../lookup/dns-lookup.ts'
import type { Dns, DnsPlace, Glue, SignedMessages, ZoneStore } from '../port.ts'
import { rcodes } from '../rcodes.ts'
import { type Query, type Question, type Rejected, readQuery } from './dns-query.ts'
import { type From, openSockets } from './dns-sockets.ts'
import { opcode_update, signedAnswers } from './signed-messages.ts'
import { writeReply } from './write-reply.ts'

type EmbeddedOptions = {
  place: DnsPlace
  /** The prefix of the settings of its address, so that an operator can find them. */
  setting?: string
  store: ZoneStore
  glue: Glue
  /**
   * The handler of signed messages, or null while the service starts. If left out, signed messages
   * are refused.
   */
  signed?: () => SignedMessages | null
  log: Pick<Logger, 'warn' | 'error'>
}

/**
 * The questions that are looked up at once. A flood of them must leave the database usable for
 * everything else.
 */
const lookup_permit = { key: 'lookup', limit: 64 }
/**
 * The keys that are looked up at once, so that a client that sends arbitrary names does not slow
 * down questions.
 */
const key_permit = { key: 'key', limit: 32 }
/** An update is a transaction and a transfer a whole zone; those of one key wait for each other. */
const in_turn = { concurrency: 4, waiting: 64 }

/** Listens (port 0 means a free one). Throws NameServerError with one clear line if it cannot. */
export async function openEmbeddedDns(options: EmbeddedOptions): Promise<Dns> {
  const answers = answering(options)
  const sockets = await openSockets({ ...options, answers })
  return {
    place: sockets.place,
    provider: null,
    ask: (name) => askAddress(sockets.place, name),
    askSet: (name, type) => askSet(sockets.place, name, type),
    close: () => sockets.close(),
  }
}

type Received = { bytes: Buffer; query: Query | Rejected; from: From }

function answering({ store, glue, signed, log }: EmbeddedOptions) {
  const permits = new KeyedSemaphore()
  const turns = new FairQueue({ classes: ['signed'], ...in_turn })
  const look = async (question: Question) => {
    try {
      return await answerTo(question, { store, glue })
    } catch (error) {
      log.error({ err: error }, 'a DNS question could not be looked up')
      return emptyReply(rcodes.servfail)
    }
  }
  const ofSigned = async ({ bytes, query, from }: Received): Promise<readonly Buffer[]> => {
    const opened = signed?.()
    if (!opened) return [writeReply(query, emptyReply(rcodes.servfail), from.transport)]
    const parts = {
      ...{ signed: opened, glue },
      look: (one: Query) => permits.run([lookup_permit], () => look(one.question_of)),
      brief: <T>(work: () => Promise<T>) => permits.run([key_permit], work),
      inTurn: <T>(key: string, work: () => Promise<T>) => turns.run({ class: 'signed', key }, work),
    }
    return await signedAnswers(parts, { bytes, from, query })
  }
  const answer = async (bytes: Buffer, from: From): Promise<readonly Buffer[]> => {
    const query = readQuery(bytes)
    if (!query) return []
    const { transport } = from
    const plain = (rcode: number) => writeReply(query, emptyReply(rcode), transport)
    try {
      if (signed && (query.opcode === opcode_update || query.signed))
        return await ofSigned({ bytes, query, from })
      if ('rcode' in query) return [plain(query.rcode)]
      const reply = await permits.run([lookup_permit], () => look(query.question_of))
      return [writeReply(query, reply, transport)]
    } catch (error) {
      if (!(error instanceof Overloaded))
        log.error({ err: error }, 'a DNS message could not be answered')
      // A resolver asks again, and a flood is not amplified.
      else if (transport === 'udp') return []
      return [plain(rcodes.servfail)]
    }
  }
  return answer
}

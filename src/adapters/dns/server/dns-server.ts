// The authoritative name server in this process: every node answers from the one database.
import type { Logger } from 'pino'
import { KeyedSemaphore } from '../../../kit/concurrency/semaphore.ts'
import { answerTo } from '../answers/answer.ts'
import { emptyReply } from '../answers/reply.ts'
import { askAddress, askSet } from '../lookup/dns-lookup.ts'
import type { Dns, DnsPlace, Glue, ZoneStore } from '../port.ts'
import { rcodes } from '../rcodes.ts'
import { type Question, readQuery } from './dns-query.ts'
import { openSockets } from './dns-sockets.ts'
import { type Transport, writeReply } from './write-reply.ts'

type EmbeddedOptions = {
  place: DnsPlace
  store: ZoneStore
  glue: Glue
  log: Pick<Logger, 'warn' | 'error'>
}

/** Questions that are looked up at once; a flood of them must leave the database to the rest. */
const lookup_permit = { key: 'lookup', limit: 64 }

/** Listens (port 0: a free one). Throws NameServerError with one clear line when it cannot. */
export async function openEmbeddedDns(options: EmbeddedOptions): Promise<Dns> {
  const { log } = options
  const answers = answering(options)
  const sockets = await openSockets({ place: options.place, answers, log })
  return {
    place: sockets.place,
    provider: null,
    ask: (name) => askAddress(sockets.place, name),
    askSet: (name, type) => askSet(sockets.place, name, type),
    close: () => sockets.close(),
  }
}

function answering({ store, glue, log }: EmbeddedOptions) {
  const lookups = new KeyedSemaphore()
  const look = async (question: Question) => {
    try {
      return await answerTo(question, { store, glue })
    } catch (error) {
      log.error({ err: error }, 'a DNS question could not be looked up')
      return emptyReply(rcodes.servfail)
    }
  }
  const answer = async (message: Buffer, transport: Transport): Promise<Buffer | null> => {
    const query = readQuery(message)
    if (!query) return null
    if ('rcode' in query) return writeReply(query, emptyReply(query.rcode), transport)
    const release = lookups.tryAcquire([lookup_permit])
    if (release) return writeReply(query, await look(query.question_of).finally(release), transport)
    // A resolver asks again; a flood gets nothing to multiply.
    return transport === 'udp' ? null : writeReply(query, emptyReply(rcodes.servfail), transport)
  }
  return (message: Buffer, transport: Transport) =>
    answer(message, transport).catch((error) => {
      log.error({ err: error }, 'a DNS question could not be answered')
      return null
    })
}

// The authoritative name server in this process: every node answers from the one database.
import type { Logger } from 'pino'
import { KeyedSemaphore } from '../../kit/concurrency/semaphore.ts'
import { askAddress } from './dns-lookup.ts'
import { type Transport, writeReply } from './dns-message.ts'
import { type Query, rcodes, readQuery } from './dns-query.ts'
import { openSockets } from './dns-sockets.ts'
import type { Dns, DnsPlace, Find, Glue } from './port.ts'
import { answerOf, emptyReply } from './zone-answer.ts'

type EmbeddedOptions = {
  place: DnsPlace
  find: Find
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
    close: () => sockets.close(),
  }
}

function answering({ find, glue, log }: EmbeddedOptions) {
  const lookups = new KeyedSemaphore()
  const look = async (query: Query) => {
    const { question_of: question } = query
    try {
      const found = question.names.length === 0 ? undefined : await find(question.names)
      return answerOf(question, found, glue)
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
    if (release) return writeReply(query, await look(query).finally(release), transport)
    // A resolver asks again; a flood gets nothing to multiply.
    return transport === 'udp' ? null : writeReply(query, emptyReply(rcodes.servfail), transport)
  }
  return (message: Buffer, transport: Transport) =>
    answer(message, transport).catch((error) => {
      log.error({ err: error }, 'a DNS question could not be answered')
      return null
    })
}

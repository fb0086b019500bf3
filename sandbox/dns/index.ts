// A recursive resolver's view of the delegations at the sandbox's registries, over UDP (RFC 1035):
// NS of a registered name, and A and AAAA of the name servers below it. It asks no other server.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { type Answer, decode, encode, type RecordType } from 'dns-packet'

export type Delegation = { name: string; addresses: string[] }[]
/** The delegation of a name at its registry, or null if the name is not registered. */
export type Find = (domain: string) => Delegation | null
type NameServer = { host: string; port: number; close(): Promise<void> }

const TTL = 60
const NXDOMAIN = 3
// QR, RD, RA (RFC 1035 section 4.1.1).
const FLAGS = 0x8000 | 0x0100 | 0x0080

/** Starts the resolver; port 0 means any free one. */
export async function startNameServer(
  at: { host: string; port: number },
  find: Find,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const reply = replyTo(message, find)
    // Port 0 cannot be sent to, and a client that has gone is not an error of the server.
    if (reply && from.port !== 0) socket.send(reply, from.port, from.address, () => undefined)
  })
  socket.bind(at.port, at.host)
  await once(socket, 'listening')
  return {
    host: at.host,
    port: socket.address().port,
    async close() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/** The answer, or null if the message is not to be answered. */
function replyTo(message: Buffer, find: Find): Buffer | null {
  let id: number | undefined
  let question: { name: string; type: RecordType } | undefined
  try {
    const query = decode(message)
    if (query.type !== 'query') return null
    id = query.id
    question = query.questions?.[0]
  } catch {
    return null
  }
  if (!question) return null
  const answers = answersTo(question, find)
  const flags = answers === null ? FLAGS | NXDOMAIN : FLAGS
  const { name, type } = question
  return encode({
    type: 'response',
    ...(id === undefined ? {} : { id }),
    flags,
    questions: [{ name, type, class: 'IN' }],
    answers: answers ?? [],
  })
}

/** The records, or null if there is no such name. */
function answersTo({ name, type }: { name: string; type: RecordType }, find: Find) {
  const asked = name.toLowerCase()
  const domain = asked.split('.').slice(-2).join('.')
  const delegation = find(domain)
  if (delegation === null) return null
  if (asked === domain)
    return type === 'NS'
      ? delegation.map((server): Answer => ({ type, name, ttl: TTL, data: server.name }))
      : []
  const host = delegation.find((server) => server.name === asked)
  if (!host) return null
  const wanted = type === 'A' || type === 'AAAA' ? type : null
  return host.addresses.flatMap((data): Answer[] =>
    wanted && isIPv4(data) === (wanted === 'A') ? [{ type: wanted, name, ttl: TTL, data }] : [],
  )
}

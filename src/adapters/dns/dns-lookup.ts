// Asks a name server for one address over UDP, as a resolver would.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type DecodedPacket, decode, encode } from 'dns-packet'
import type { DnsPlace } from './port.ts'

const tries = 3
const try_ms = 400

/**
 * The first IPv4 address that the server has for a name; null when it has none, or no answer
 * within 1.2 s (UDP may lose two of the three questions).
 */
export async function askAddress(place: DnsPlace, name: string): Promise<string | null> {
  const id = randomInt(65_536)
  const question = encode({ type: 'query', id, questions: [{ type: 'A', name }] })
  const socket = createSocket(isIPv6(place.host) ? 'udp6' : 'udp4')
  return await new Promise<string | null>((resolve) => {
    let asked = 0
    let timer: NodeJS.Timeout | undefined
    const finish = (value: string | null) => {
      clearInterval(timer)
      socket.close()
      resolve(value)
    }
    const ask = () => {
      if (asked === tries) return finish(null)
      asked += 1
      socket.send(question)
    }
    socket.on('error', () => {
      // Once connected, a refusal by its machine (ICMP): the server may be starting, so the next
      // question is still sent.
      if (asked === 0) finish(null)
    })
    socket.on('message', (bytes) => {
      const answer = answerTo(bytes, id, name)
      if (answer) finish(addressIn(answer, name))
    })
    // Connected: only answers of this server are received. Without a route, Node calls back with
    // an error that its types do not have.
    socket.connect(place.port, reachable(place.host), (error?: Error) => {
      if (error) return finish(null)
      timer = setInterval(ask, try_ms)
      ask()
    })
  })
}

/** "Every address" is no address to send to. */
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
}

function answerTo(bytes: Buffer, id: number, name: string): DecodedPacket | undefined {
  try {
    const packet = decode(bytes)
    const asked = packet.questions?.[0]?.name.toLowerCase()
    return packet.flag_qr && packet.id === id && asked === name.toLowerCase() ? packet : undefined
  } catch {
    return undefined
  }
}

function addressIn({ answers = [] }: DecodedPacket, name: string): string | null {
  for (const answer of answers)
    if (answer.type === 'A' && answer.name.toLowerCase() === name.toLowerCase()) return answer.data
  return null
}

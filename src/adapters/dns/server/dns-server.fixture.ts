// Test fixture: the name server over zones in memory, and queries as a client writes them.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'
import { type DecodedPacket, decode, encode, type OptAnswer } from 'dns-packet'
import { pino } from 'pino'
import type { ZoneStore } from '../port.ts'
import { glue, sample, storeOf } from '../zones.fixture.ts'
import { openEmbeddedDns } from './dns-server.ts'

const log = pino({ level: 'silent' })
const many = {
  ...sample,
  name: 'many.net',
  nameservers: Array.from({ length: 13 }, (_, i) => `name-server-${i}.example-${i}.net`),
}
export const zones = storeOf([sample, many])
let store = zones
/** From now on the server looks names up in this store. */
export const serve = (other: ZoneStore = zones) => {
  store = other
}
export const dns = await openEmbeddedDns({
  place: { host: '127.0.0.1', port: 0 },
  store: {
    find: (...asked) => store.find(...asked),
    addresses: (zone, names) => store.addresses(zone, names),
  },
  glue,
  log,
})
export const udp = createSocket('udp4')
udp.connect(dns.place.port, '127.0.0.1')
await once(udp, 'connect')
after(async () => {
  udp.close()
  await dns.close()
})

type Given = { name?: string; type?: number; edns?: Partial<OptAnswer>; flags?: number }

function opt(given: Partial<OptAnswer>): OptAnswer {
  const plain = { udpPayloadSize: 1232, extendedRcode: 0, ednsVersion: 0, flags: 0 }
  return { type: 'OPT', name: '.', ...plain, flag_do: false, options: [], ...given }
}

/** A query as a client writes it. `type` is a number, since not all types have names. */
export function queryOf({ name = 'www.example.com', type = 1, edns, flags = 0 }: Given): Buffer {
  const bytes = encode({
    type: 'query',
    id: 4711,
    flags,
    questions: [{ name, type: 'A' }],
    additionals: edns ? [opt(edns)] : [],
  })
  bytes.writeUInt16BE(type, 12 + name.length + 2)
  return bytes
}

export async function askUdp(bytes: Buffer): Promise<Buffer> {
  const answered = once(udp, 'message')
  udp.send(bytes)
  const [answer] = await answered
  return answer
}

export const ask = async (given: Given) => decode(await askUdp(queryOf(given)))
export const rcodeOf = ({ flags = 0 }: DecodedPacket) => flags & 15
export const optIn = (packet: DecodedPacket) => {
  const found = packet.additionals?.find((one) => one.type === 'OPT')
  return found?.type === 'OPT' ? found : undefined
}

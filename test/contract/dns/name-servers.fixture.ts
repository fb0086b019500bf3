// Test fixture: name servers of another party on real sockets, with zones that a test sets, and a
// service that is allowed to ask them.
import { after } from 'node:test'
import { pino } from 'pino'
import type { ZoneContent } from '../../../src/adapters/dns/port.ts'
import { openEmbeddedDns } from '../../../src/adapters/dns/server/dns-server.ts'
import { storeOf } from '../../../src/adapters/dns/zones.fixture.ts'
import { readRdata } from '../../../src/dns/rdata/rdata.ts'
import { typeNumber } from '../../../src/dns/types.ts'

const log = pino({ level: 'silent' })
export const hosts = ['ns1.elsewhere.example', 'ns2.elsewhere.example'] as const

type ForeignServer = {
  place: { host: string; port: number }
  /** Serves the zone with "www A 192.0.2.1"; replaces the one of this name. */
  serve: (domain: string, lines: readonly string[]) => void
  drop: (domain: string) => void
  close: () => Promise<void>
}

export async function foreignServer(): Promise<ForeignServer> {
  const zones = new Map<string, ZoneContent>()
  const dns = await openEmbeddedDns({
    place: { host: '127.0.0.1', port: 0 },
    store: {
      find: (...asked) => storeOf([...zones.values()]).find(...asked),
      addresses: (zone, names) => storeOf([...zones.values()]).addresses(zone, names),
    },
    glue: new Map(),
    log,
  })
  after(() => dns.close())
  return {
    place: dns.place,
    serve(name, lines) {
      const sets = lines.map((line) => setOf(name, line))
      zones.set(name, { name, serial: 1, nameservers: [...hosts], sets })
    },
    drop: (name) => zones.delete(name),
    close: () => dns.close(),
  }
}

function setOf(domain: string, line: string) {
  const [host = '', word = '', ...rest] = line.split(' ')
  const type = typeNumber(word) ?? 0
  const read = readRdata(type, rest.join(' '), { names: 'zone_file', origin: domain })
  if ('problem' in read) throw new Error(read.problem)
  const name = host === '@' ? domain : `${host}.${domain}`
  return { name, type, ttl: 1_800, rdata: [read.rdata] }
}

/** The setting with which the service asks them. */
export function placesOf(servers: readonly ForeignServer[]): Record<string, string> {
  const list = servers.map(({ place }, at) => `${hosts[at]}=${place.host}:${place.port}`)
  return { NAME_SERVER_PLACES: list.join() }
}

// Differential test: random zones served by us, by NSD and by Knot from the same records answer
// random queries alike. ZONES=300 asks more than in every run, SEED another sample.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import type { Dns } from '../../../src/adapters/dns/port.ts'
import { openEmbeddedDns } from '../../../src/adapters/dns/server/dns-server.ts'
import { storeOf } from '../../../src/adapters/dns/zones.fixture.ts'
import { textOf } from '../../../src/dns/name.ts'
import { fileTypeName } from '../../../src/dns/types.ts'
import { chanceOf } from '../../disasters/support/seeded-random.ts'
import { Client, type Query } from './ask.ts'
import { type Both, type Compared, checkAdditional, checkUdp, compare } from './compare.ts'
import { kinds, kindsOf } from './kinds.ts'
import { skipNameServers, startKnot, startNsd, writeZones } from './name-servers.ts'
import { randomQueries } from './random-queries.ts'
import { randomZone } from './random-zone.ts'

const zones_of_run = Number(process.env.ZONES ?? 60)
const seed = Number(process.env.SEED ?? 20_261_128)
const queries_of_zone = 80
const at_once = 40

describe('random zones', { skip: skipNameServers }, () => {
  const chance = chanceOf(seed)
  const zones = Array.from({ length: zones_of_run }, (_, i) => randomZone(`z${i}.test`, chance))
  const clients: Client[] = []
  let ours: Dns | undefined
  before(async () => {
    const files = zones.map(({ content, file }) => ({ name: content.name, text: file }))
    writeZones(files)
    ours = await openEmbeddedDns({
      place: { host: '127.0.0.1', port: 0 },
      store: storeOf(zones.map(({ content }) => content)),
      glue: new Map(),
      log: pino({ level: 'error' }),
    })
    const [nsd, knot] = await Promise.all([startNsd(files), startKnot(files)])
    for (const place of [ours.place, nsd, knot]) clients.push(await Client.to(place))
  })
  after(async () => {
    for (const client of clients) client.close()
    await ours?.close()
  })

  const both = async (client: Client, query: Query): Promise<Both> => {
    const [udp, tcp] = await Promise.all([client.overUdp(query), client.overTcp(query)])
    return { udp, tcp }
  }
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const answersAlike = async (query: Query, zone: Compared['zone']): Promise<string[]> => {
    const [own, ofNsd, ofKnot] = await Promise.all(clients.map((client) => both(client, query)))
    assert.ok(own && ofNsd && ofKnot)
    const compared = { query, zone, ours: own }
    const asked = `${textOf(query.name)} ${fileTypeName(query.type)} (EDNS ${query.edns})`
    const wrong = [...checkUdp(own), ...checkAdditional(own, zone)]
    for (const [server, theirs] of [
      ['nsd', ofNsd],
      ['knot', ofKnot],
    ] as const) {
      const { unexplained, used } = compare({ ...compared, server, theirs })
      for (const why of used) count(`${server}: ${why}`)
      wrong.push(...unexplained.map((line) => `${server}: ${line}`))
    }
    count('queries')
    for (const kind of kindsOf(compared)) count(kind)
    return wrong.map((line) => `${asked}: ${line}`)
  }

  const timeout = 60_000 + zones_of_run * 2_000
  it('are answered as NSD and Knot answer them', { timeout }, async (t) => {
    const wrong: string[] = []
    for (const zone of zones) {
      const queries = randomQueries(zone, queries_of_zone, chance)
      for (let at = 0; at < queries.length; at += at_once) {
        const some = queries.slice(at, at + at_once)
        wrong.push(...(await Promise.all(some.map((query) => answersAlike(query, zone)))).flat())
      }
    }
    for (const [what, many] of [...counts].sort()) t.diagnostic(`${what}: ${many}`)
    for (const kind of kinds) assert.ok(counts.has(kind), `no answer was: ${kind}`)
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} differences with SEED=${seed}`)
  })
})

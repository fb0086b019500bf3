// Scans a zone at its name servers as a client that may ask but not list: each server is asked for
// usual names, and for a copy of the zone. No server is believed about another zone.
import type { Message } from '../../../dns/message/read-message.ts'
import { rrType } from '../../../dns/types.ts'
import type { DnsPlace } from '../port.ts'
import { copyZone, type ZoneCopy } from './copied-zone.ts'
import { type FoundSet, FoundSets, foundKey, type UnreadSet } from './found-sets.ts'
import { isAuthoritative } from './scan-question.ts'
import { ScannedAddress } from './scanned-address.ts'
import { type Pace, SlotPacer } from './slot-pacer.ts'
import { type NameQuestions, ZoneQuestions } from './zone-questions.ts'

/** A name server of the domain's delegation, with the addresses that may be asked. */
export type ServerToScan = { name: string; places: readonly DnsPlace[] }

/** `lame` means that it answers, but not for the zone (RFC 1912 2.8). */
type ScannedPlace = {
  address: string
  state: 'answers' | 'lame' | 'silent'
  /** Whether it answered over TCP. */
  tcp: boolean
  serial: number | null
}
export type ScannedServer = {
  name: string
  places: ScannedPlace[]
  /** It is null if none of its addresses answers for the zone. */
  copy: ZoneCopy['result'] | null
  sets: ReadonlyMap<string, FoundSet>
  unread: ReadonlyMap<string, UnreadSet>
  /** The sets (`foundKey`) that it answered for, or null if it answered for the whole zone. */
  asked: ReadonlySet<string> | null
  unanswered: number
  /** Whether it was asked every question. */
  complete: boolean
}

type Scan = {
  zone: string
  servers: readonly ServerToScan[]
  questions: readonly NameQuestions[]
  pace: Pace
  /** Ends the scan early; the result contains everything that was found until then. */
  signal: AbortSignal
}

const most_further = 200

type Reached = { address: ScannedAddress | null; seen: ScannedPlace }
type Asked = { address: ScannedAddress | null; copy: ZoneCopy | null }
type Findings = Omit<ScannedServer, 'name' | 'places'>
type Scanned = { servers: ScannedServer[]; packets: number }

export async function scanZone(scan: Scan): Promise<Scanned> {
  const { pace, signal } = scan
  const pacers = new Map<string, SlotPacer>()
  const places = new Map<string, Promise<Reached>>()
  const copies = new Map<ScannedAddress, Promise<ZoneCopy | null>>()
  const found = new Map<ScannedAddress | null, Promise<Findings>>()
  const pacerOf = (host: string) =>
    kept(pacers, host, () => new SlotPacer({ ...pace, address: host, signal }))
  const reachOnce = (place: DnsPlace) =>
    kept(places, `${place.host} ${place.port}`, () => reach(scan, place, pacerOf(place.host)))
  try {
    const servers = await Promise.all(
      scan.servers.map(async ({ name, places: own }) => {
        const reached = await Promise.all(own.map(reachOnce))
        // Only the first that answers for the zone is asked further.
        const first = reached.find(({ seen }) => seen.state === 'answers')?.address ?? null
        const copy = first && (await kept(copies, first, () => copyOf(scan, first)))
        return { name, places: reached.map(({ seen }) => seen), address: first, copy }
      }),
    )
    const questions = [...scan.questions, ...furtherQuestions(scan, servers)]
    const scanned = await Promise.all(
      servers.map(async ({ name, places: seen, ...asked }) => {
        const find = () => findIn(scan, asked, questions)
        return { name, places: seen, ...(await kept(found, asked.address, find)) }
      }),
    )
    const packets = [...pacers.values()].reduce((sum, { sent }) => sum + sent, 0)
    return { servers: scanned, packets }
  } finally {
    for (const one of await Promise.allSettled(places.values()))
      if (one.status === 'fulfilled') one.value.address?.close()
  }
}

/** There is one for each key, because two names of servers may have the same address. */
function kept<Key, One>(map: Map<Key, One>, key: Key, make: () => One): One {
  const one = map.get(key) ?? make()
  map.set(key, one)
  return one
}

async function reach(scan: Scan, place: DnsPlace, pacer: SlotPacer): Promise<Reached> {
  const address = await ScannedAddress.open({ place, pacer, signal: scan.signal })
  const question = { name: scan.zone, type: rrType.soa }
  const ask = async (over: 'askUdp' | 'askTcp') =>
    address && (await unlessOver(scan, address[over](question)))
  const [udp, tcp] = [await ask('askUdp'), await ask('askTcp')]
  if (address && !udp && tcp) address.useTcp()
  const answers = [udp, tcp].filter((one) => one !== null)
  const serials = answers.map((one) => serialIn(one, scan.zone))
  const serial = serials.find((one) => one !== null) ?? null
  const isLame = answers.length > 0 && serial === null
  const state: ScannedPlace['state'] = serial === null ? (isLame ? 'lame' : 'silent') : 'answers'
  const seen = { address: place.host, state, tcp: tcp !== null, serial }
  return { address, seen }
}

async function copyOf(scan: Scan, address: ScannedAddress): Promise<ZoneCopy | null> {
  return await unlessOver(scan, copyZone(address, scan.zone))
}

/** The serial of an authoritative answer (RFC 1035 3.3.13). */
function serialIn(answer: Message, zone: string): number | null {
  if (!isAuthoritative(answer)) return null
  const soa = answer.answer.find((one) => one.type === rrType.soa && one.name === zone)
  if (!soa || 'problem' in soa.value) return null
  return soa.value.rdata.readUInt32BE(soa.value.rdata.length - 20)
}

/** The result, or null if the scan ended meanwhile. */
async function unlessOver<T>({ signal }: Scan, work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (!signal.aborted) throw error
    return null
  }
}

/** Asks the servers that gave no copy about the names that a copied zone has. */
function furtherQuestions({ questions }: Scan, servers: readonly Asked[]): NameQuestions[] {
  const known = new Map(questions.map(({ name, types }) => [name, new Set(types)]))
  const further = new Map<string, number[]>()
  let count = 0
  for (const { copy } of servers)
    for (const { name, type } of copy?.found.sets.values() ?? []) {
      if (count === most_further || name.startsWith('*.') || type === rrType.soa) continue
      if (known.get(name)?.has(type) || further.get(name)?.includes(type)) continue
      further.set(name, [...(further.get(name) ?? []), type])
      count += 1
    }
  return [...further].map(([name, types]) => ({ name, types }))
}

async function findIn(
  scan: Scan,
  { address, copy }: Asked,
  questions: readonly NameQuestions[],
): Promise<Findings> {
  const result = copy?.result ?? null
  if (address && result !== 'whole') {
    const asking = new ZoneQuestions(address, scan.zone, questions)
    const isDone = (await unlessOver(scan, asking.run())) === true
    const { found, asked, unanswered } = asking
    if (copy) found.addAll(copy.found)
    const isFull = found.isFull || copy?.found.isFull
    const complete = isDone && unanswered === 0 && !isFull
    return { copy: result, sets: found.sets, unread: found.unread, asked, unanswered, complete }
  }
  const { sets, unread } = copy?.found ?? new FoundSets(scan.zone)
  const isWhole = result === 'whole'
  const asked = isWhole ? null : new Set<string>()
  return { copy: result, sets, unread, unanswered: 0, complete: isWhole, asked }
}

/** Whether the server answered for the set, whether it exists or not. */
export function hasAnswered(
  { asked }: ScannedServer,
  set: { name: string; type: number },
): boolean {
  return asked === null || asked.has(foundKey(set))
}

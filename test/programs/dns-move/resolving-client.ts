// A small resolver: it asks the parent for the delegation of a domain, keeps that for its TTL, and
// asks one of the name servers, over TCP if the answer did not fit. Every answer is compared with
// the expected one.
import { setTimeout as sleep } from 'node:timers/promises'
import { nameFromWire, nameToWire } from '../../../src/dns/name.ts'
import { rrType } from '../../../src/dns/types.ts'
import { type Answered, Client, overUdpAlone, type Place } from '../dns-differential/ask.ts'

/** `answer` is the records as "name TTL type data", sorted, or the code if there are none. */
export type Expected = { name: string; type: number; rcode: number; answer: readonly string[] }
type Servers = ReadonlyMap<string, Place>
type Options = {
  domain: string
  /** The address of the parent, which is asked as a resolver asks it. */
  parent: Place
  /** All name servers by their names. */
  servers: Servers
  expected: readonly Expected[]
  /** How long a delegation is kept; on the internet up to two days. */
  delegation_ms: number
}

const [servfail, refused] = [2, 5]
const every_ms = 50

export class ResolvingClient {
  readonly #options: Options
  readonly #clients = new Map<string, Client>()
  #known: { names: string[]; until_ms: number } | null = null
  #ended = false
  #running: Promise<void> = Promise.resolve()
  asked = 0
  /** The number of answers of each name server. */
  readonly by = new Map<string, number>()
  readonly wrong: string[] = []

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#ended = true
    await this.#running
    for (const client of this.#clients.values()) client.close()
  }

  async #run(): Promise<void> {
    const { expected } = this.#options
    while (!this.#ended) {
      const next = expected[this.asked % expected.length]
      this.asked += 1
      if (next) await this.#check(next)
      await sleep(every_ms)
    }
  }

  async #check(wanted: Expected): Promise<void> {
    const title = `${wanted.name} ${wanted.type}`
    const got = await this.#resolve(wanted).catch((error: unknown) => String(error))
    if (typeof got === 'string') {
      this.wrong.push(`${title}: ${got}`)
      return
    }
    const [one, other] = [shown(got.rcode, got.answer), shown(wanted.rcode, wanted.answer)]
    if (one !== other) this.wrong.push(`${title}: ${one}, not ${other}`)
  }

  async #resolve(wanted: Expected): Promise<Answered> {
    for (const name of await this.#delegation()) {
      const got = await this.#ask(name, wanted)
      if (got.rcode === refused || got.rcode === servfail) continue
      this.by.set(name, (this.by.get(name) ?? 0) + 1)
      return got
    }
    throw new Error('all name servers of the delegation are lame')
  }

  async #delegation(): Promise<string[]> {
    const now_ms = performance.now()
    if (this.#known && this.#known.until_ms > now_ms) return this.#known.names
    const { domain, parent, delegation_ms } = this.#options
    const asked = { name: nameToWire(domain), type: rrType.ns, recursion_desired: true, edns: null }
    const { answer } = await overUdpAlone(parent, asked)
    const names = answer.map((line) => {
      const data = Buffer.from(line.split(' ').at(-1) ?? '', 'hex')
      return nameFromWire(data, 0).name
    })
    // It starts with any one of them, as resolvers do.
    if (this.asked % 2 === 1) names.reverse()
    this.#known = { names, until_ms: now_ms + delegation_ms }
    return names
  }

  async #ask(name: string, { name: about, type }: Expected): Promise<Answered> {
    const place = this.#options.servers.get(name)
    if (!place) throw new Error(`a delegation to ${name}`)
    const query = { name: nameToWire(about), type, recursion_desired: false, edns: 1232 }
    const got = await (await this.#client(place)).overUdp(query)
    if (!got.flags.includes('tc')) return got
    // It uses its own connection, because servers close idle ones.
    const once = await Client.to(place)
    return await once.overTcp(query).finally(() => once.close())
  }

  async #client(place: Place): Promise<Client> {
    const key = `${place.host}:${place.port}`
    const client = this.#clients.get(key) ?? (await Client.to(place))
    this.#clients.set(key, client)
    return client
  }
}

function shown(rcode: number, answer: readonly string[]): string {
  return [rcode, ...[...answer].sort()].join(' | ')
}

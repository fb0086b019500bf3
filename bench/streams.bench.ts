// Event streams of support on one node, each with its own token: the memory of each, the CPU time
// at rest, and a message to all of them.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { runBench } from './support/bench.ts'
import { type BenchCustomer, makeCustomers, makeKey } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { cpuOf, memoryOf } from './support/processes.ts'
import { startRegistries, startService } from './support/programs.ts'
import { median, say, sayMachine, shown } from './support/report.ts'

const streams = 1_000
const of_customer = 5
const settle_ms = 3_000
const rest_s = 10

type Stream = { incoming: IncomingMessage; messages: number }

/** Opens a stream, and calls `onMessage` at the time at which each message arrives. */
async function open(url: string, key: string, onMessage: () => void): Promise<Stream> {
  const headers = { authorization: `Bearer ${key}` }
  const outgoing = request(`${url}/v1/support/events`, { agent: false, headers })
  outgoing.end()
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
  if (incoming?.statusCode !== 200) throw new Error(`A stream answered ${incoming?.statusCode}`)
  const stream = { incoming, messages: 0 }
  incoming.setEncoding('utf8')
  incoming.on('data', (chunk: string) => {
    const count = chunk.split('event: message\n').length - 1
    for (let i = 0; i < count; i += 1) onMessage()
    stream.messages += count
  })
  return stream
}

function rssKb(pid: number): number {
  const [own] = memoryOf(pid)
  return (own?.rss_mb ?? 0) * 1024
}

/** As many tokens as the customer has streams. */
async function keysOf(url: string, { id, key }: BenchCustomer): Promise<string[]> {
  const others = Array.from({ length: of_customer - 1 }, () => makeKey(url, id))
  return [key, ...(await Promise.all(others))]
}

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const { environment } = await startRegistries(bench)
  const service = await startService(bench, { database_url: db.url, registries: environment })
  const count = streams / of_customer
  const customers = await makeCustomers(service.url, { count, cents: 0 })
  const keys: string[][] = []
  for (const customer of customers) keys.push(await keysOf(service.url, customer))
  sayMachine(
    `${streams} event streams of ${count} customers on one node, each with its own token`,
    db.words,
  )
  // The code for the first stream of each kind still has to be compiled and loaded.
  const warm = await open(service.url, keys[0]?.[0] ?? '', () => undefined)
  await sleep(settle_ms)
  warm.incoming.destroy()
  await sleep(settle_ms)
  const cpu_before = cpuOf(service.pid)
  await sleep(rest_s * 1_000)
  const idle = (cpuOf(service.pid) - cpu_before) / rest_s
  const before_kb = rssKb(service.pid)

  let arrived = 0
  let wanted = Number.POSITIVE_INFINITY
  let all = Promise.withResolvers<number>()
  const onMessage = () => {
    arrived += 1
    if (arrived === wanted) all.resolve(performance.now())
  }
  const opened: Stream[] = []
  const began = performance.now()
  for (const own of keys)
    opened.push(...(await Promise.all(own.map((key) => open(service.url, key, onMessage)))))
  const open_s = (performance.now() - began) / 1_000
  await sleep(settle_ms)
  const each_kb = (rssKb(service.pid) - before_kb) / streams
  const cpu_open = cpuOf(service.pid)
  await sleep(rest_s * 1_000)
  const open_cpu = (cpuOf(service.pid) - cpu_open) / rest_s

  const rounds: number[] = []
  for (let round = 0; round < bench.rounds * 3; round += 1) {
    all = Promise.withResolvers()
    arrived = 0
    wanted = streams
    // One transaction sends a message to each customer, so that all of them commit at the same
    // moment.
    await db.query(
      `select support_post(c.id, 'msg_' || md5(c.id || ${round}), 'operator', 'To all', null)
         from (select id from customers order by id) c, lateral (select 1) one
        where exists (select from support_streams s where s.customer_id = c.id)`,
    )
    const committed = performance.now()
    rounds.push(Math.max(0, (await all.promise) - committed))
    await sleep(200)
  }
  const [first = 0, ...later] = rounds
  say(`  opened in ${shown(open_s)} s; RSS ${shown(each_kb)} kB a stream`)
  say(`  CPU of the service: ${shown(100 * idle)} % without, ${shown(100 * open_cpu)} % with them`)
  say(
    `  a message to all, from its commit to the last client: first ${shown(first)} ms, ` +
      `later median ${shown(median(later))} ms, at most ${shown(Math.max(...later))} ms`,
  )
  if (opened.some(({ messages }) => messages !== rounds.length))
    throw new Error('A stream got another number of messages')
  for (const { incoming } of opened) incoming.destroy()
})

// TPC-B as in pgbench: its tables, and its transaction, run by pgbench or by our own loop.
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import type { Hits } from './http-load.ts'

const scale = 20
const clients = 32
const name = 'tpcb'

const tables = `
  create table pgbench_branches (bid int not null, bbalance int, filler char(88))
    with (fillfactor = 100);
  create table pgbench_tellers (tid int not null, bid int, tbalance int, filler char(84))
    with (fillfactor = 100);
  create table pgbench_accounts (aid int not null, bid int, abalance int, filler char(84))
    with (fillfactor = 100);
  create table pgbench_history
    (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
  insert into pgbench_branches select n, 0 from generate_series(1, ${scale}) n;
  insert into pgbench_tellers
    select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${10 * scale}) n;
  insert into pgbench_accounts
    select n, (n - 1) / 100000 + 1, 0, '' from generate_series(1, ${100_000 * scale}) n;
  alter table pgbench_branches add primary key (bid);
  alter table pgbench_tellers add primary key (tid);
  alter table pgbench_accounts add primary key (aid)`

/** `words` describes its driver. */
type Tpcb = { words: string; run: (seconds: number) => Promise<Hits> }

/** Creates the tables in a separate database on the server. */
export async function openTpcb(
  query: (text: string) => Promise<unknown>,
  urlOf: (name: string) => string,
): Promise<Tpcb> {
  await query(`create database ${name}`)
  const client = new pg.Client({ connectionString: urlOf(name) })
  await client.connect()
  await client.query(tables)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
  const { status, stdout } = spawnSync('pgbench', ['--version'], { encoding: 'utf8' })
  return status === 0
    ? { words: `${stdout.trim()} -c ${clients} -j 2 -M prepared`, run: byPgbench(urlOf(name)) }
    : { words: `a loop over pg (no pgbench here), ${clients} clients`, run: byLoop(urlOf(name)) }
}

function byPgbench(url: string): Tpcb['run'] {
  const { hostname, port, username, searchParams, pathname } = new URL(url)
  const env = {
    ...process.env,
    PGHOST: searchParams.get('host') ?? hostname,
    PGUSER: username,
    ...(port === '' ? {} : { PGPORT: port }),
  }
  return async (seconds) => {
    const words = ['-c', String(clients), '-j', '2', '-M', 'prepared', '-T', String(seconds)]
    const child = spawn('pgbench', [...words, pathname.slice(1)], { env })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    await once(child, 'close')
    const figure = (pattern: RegExp) => Number(pattern.exec(output)?.[1])
    const per_s = figure(/^tps = ([\d.]+)/m)
    if (!(per_s > 0)) throw new Error(`pgbench: ${output}`)
    const average_ms = figure(/^latency average = ([\d.]+) ms/m)
    const count = figure(/^number of transactions actually processed: (\d+)/m)
    return { count, per_s, p50_ms: average_ms, p99_ms: Number.NaN }
  }
}

const steps = [
  'update pgbench_accounts set abalance = abalance + $1 where aid = $2',
  'select abalance from pgbench_accounts where aid = $1',
  'update pgbench_tellers set tbalance = tbalance + $1 where tid = $2',
  'update pgbench_branches set bbalance = bbalance + $1 where bid = $2',
  `insert into pgbench_history (tid, bid, aid, delta, mtime)
   values ($1, $2, $3, $4, current_timestamp)`,
]

async function transact(client: pg.ClientBase): Promise<void> {
  const aid = randomInt(1, 100_000 * scale + 1)
  const tid = randomInt(1, 10 * scale + 1)
  const bid = randomInt(1, scale + 1)
  const delta = randomInt(-5000, 5001)
  const values = [[delta, aid], [aid], [delta, tid], [delta, bid], [tid, bid, aid, delta]]
  await client.query('begin')
  for (const [at, text] of steps.entries())
    await client.query({ name: `step${at}`, text, values: values[at] ?? [] })
  await client.query('commit')
}

function byLoop(url: string): Tpcb['run'] {
  return async (seconds) => {
    const pool = new pg.Pool({ connectionString: url, max: clients })
    const start = performance.now()
    const took_ms: number[] = []
    const turn = async () => {
      const client = await pool.connect()
      while (performance.now() - start < seconds * 1000) {
        const began = performance.now()
        await transact(client)
        took_ms.push(performance.now() - began)
      }
      client.release()
    }
    await Promise.all(Array.from({ length: clients }, turn))
    const per_s = (took_ms.length * 1000) / (performance.now() - start)
    await pool.end()
    took_ms.sort((a, b) => a - b)
    const at = (share: number) => took_ms[Math.floor(share * took_ms.length)] ?? Number.NaN
    return { count: took_ms.length, per_s, p50_ms: at(0.5), p99_ms: at(0.99) }
  }
}

// Rows and buffers read by every statement on a small and on a large database; fails when one
// grows.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../src/db/migrate/migrate.ts'
import { runBench } from './support/bench.ts'
import { startDatabase } from './support/database.ts'
import { compareReads, lineOf } from './support/reads/gate.ts'
import { load } from './support/reads/load.ts'
import { type Measured, measure } from './support/reads/measure.ts'
import { sizesOf } from './support/reads/sizes.ts'
import { say, sayMachine, shown } from './support/report.ts'

const { values } = parseArgs({
  strict: false,
  options: {
    scale: { type: 'string', default: '0.05' },
    ratio: { type: 'string', default: '100' },
    only: { type: 'string' },
  },
})
const scale = Number(values.scale)
const ratio = Number(values.ratio)
if (!(scale > 0 && scale <= 10 && ratio > 1)) throw new RangeError('--scale 0.05 --ratio 100')

const own = { options: ['scale', 'ratio', 'only'], longest_ms: 90 * 60_000 }

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  sayMachine('What statements read, generic plans', db.words)
  const only = typeof values.only === 'string' ? new RegExp(values.only) : undefined
  const measured = async (name: string, size: number): Promise<Measured[]> => {
    await db.query(`create database ${name}`)
    await migrate({ url: db.urlOf(name) })
    const client = new pg.Client(db.urlOf(name))
    await client.connect()
    const start = performance.now()
    await load(client, size)
    const { domains, customers, audit_rows, entries } = sizesOf(size)
    say(
      `${name}: ${shown(domains)} domains, ${shown(customers)} customers, ` +
        `${shown(audit_rows)} audit rows, ${shown(entries * 2)} postings; ` +
        `loaded in ${shown((performance.now() - start) / 1000)} s`,
    )
    const all = await measure(client, only)
    await client.end()
    return all
  }
  const comparisons = compareReads(
    await measured('small', scale / ratio),
    await measured('large', scale),
  )
  for (const comparison of comparisons)
    if (comparison.kind !== 'bounded') say(`  ${lineOf(comparison)}`)
  const slowest = comparisons.toSorted((a, b) => (b.cost?.ms ?? 0) - (a.cost?.ms ?? 0)).slice(0, 8)
  say('The slowest:')
  for (const comparison of slowest) say(`  ${lineOf(comparison)}`)
  const bad = comparisons.filter(({ kind }) => kind === 'grows' || kind === 'not run')
  const statements = new Set(comparisons.map(({ statement }) => statement)).size
  say(
    `${statements} statements, ${comparisons.length} cases, ${bad.length} that grow or do not run`,
  )
  if (bad.length > 0) throw new Error('Statements read more on a larger database.')
}, own)

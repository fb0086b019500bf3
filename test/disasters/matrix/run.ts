// bin/disasters: the full matrix with many seeds, two at a time, each with its own database and
// registries.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { programOptions } from '../../../bin/program-options.ts'
import { globalSetup, globalTeardown } from '../../support/global-setup.ts'
import { mapParallel } from '../support/parallel.ts'
import type { Report } from './matrix.ts'
import type { News } from './seed.ts'

const values = programOptions('bin/disasters [--runs N] [--seed S] [--width W]', {
  runs: { type: 'string', default: '1' },
  seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  /** Concurrent cases of each seed. */
  width: { type: 'string' },
})
const first = Number(values.seed)
const seeds = Array.from({ length: Number(values.runs) }, (_, i) => first + i)
const atOnce = Math.min(2, seeds.length)
const width = values.width ?? String(atOnce === 2 ? 3 : 6)
const say = (line: string) => process.stdout.write(`${line}\n`)

async function runSeed(seed: number): Promise<{ report?: Report; trouble?: string }> {
  const began = Date.now()
  const child = fork(join(import.meta.dirname, 'seed.ts'), [String(seed), width], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const result: { report?: Report; trouble?: string } = {}
  child.on('message', (news: News) => {
    const seconds = Math.round((Date.now() - began) / 1000)
    if ('report' in news) result.report = news.report
    else if ('trouble' in news) result.trouble = news.trouble
    else if (news.done % 50 === 0) say(`seed ${seed}: ${news.done} of ${news.of}, ${seconds} s`)
  })
  await exited
  const { report } = result
  if (!report) return { trouble: result.trouble ?? `seed ${seed} ended without a word` }
  const { runs, kills, parked, steps } = report
  say(`seed ${seed}: ${runs} runs, ${kills} kills, ${parked} parked; ${steps.join(', ')}`)
  return result
}

/** A line for each failure. */
function complaintsOf({ report, trouble }: { report?: Report; trouble?: string }): string[] {
  if (!report) return [trouble ?? 'no report']
  const parked = report.parked > 0 ? [`${report.parked} orders are parked`] : []
  return [...report.violations, ...report.wrong, ...report.missed, ...parked]
}

async function runAll() {
  await globalSetup()
  try {
    return await mapParallel(seeds, atOnce, runSeed)
  } finally {
    await globalTeardown()
  }
}

const began = Date.now()
// The commit of the working tree, with "+" if there are uncommitted changes.
const described = ['describe', '--always', '--dirty=+', '--exclude=*']
const commit = execFileSync('git', described, { encoding: 'utf8' }).trim()
const results = await runAll()
const reports = results.flatMap(({ report }) => report ?? [])
const complaints = results.flatMap(complaintsOf)
for (const line of complaints) say(line)
const sum = (of: (report: Report) => number) => reports.reduce((all, one) => all + of(one), 0)
const machine = `${cpus().length} x ${cpus()[0]?.model}, Node ${process.versions.node}`
const seconds = Math.round((Date.now() - began) / 1000)
say(`seeds ${seeds[0]} to ${seeds.at(-1)}, commit ${commit}, ${machine}, ${seconds} s`)
const lost = sum(({ lost_cents }) => lost_cents)
const doubled = sum(({ double_effects }) => double_effects)
say(
  `${sum(({ runs }) => runs)} runs, ${sum(({ kills }) => kills)} kills, ` +
    `${lost} lost cents, ${doubled} double effects`,
)
process.exitCode = complaints.length > 0 || lost !== 0 || doubled !== 0 ? 1 : 0

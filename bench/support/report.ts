// The report of a benchmark: machine, rounds, both figures, their ratio, CPU time.
import { cpus, loadavg, release } from 'node:os'

export function say(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** A number as readers expect it: 12,345 or 6.78. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return 'unknown'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}

/**
 * The machine and the database. `database` is its version and whether a commit waits for the disk.
 */
export function sayMachine(what: string, database: string): void {
  const [first] = cpus()
  const model = first?.model.trim() ?? 'unknown'
  const [load = 0] = loadavg()
  say(what)
  say(
    `on ${cpus().length} cores (${model}), ${process.platform} ${release()} ${process.arch}, ` +
      `Node ${process.versions.node}`,
  )
  say(`${database}; load average before: ${shown(load)}`)
  say()
}

export type Round = { product: number; peer: number }

export function sayRound(number: number, { product, peer }: Round, unit: string): void {
  const ratio = shown(product / peer)
  say(`  round ${number}: product ${shown(product)} ${unit}, peer ${shown(peer)} ${unit}, ${ratio}`)
}

/** The medians, their ratio, and whether the aim is reached; the same again for a table. */
export function sayResult(
  rounds: readonly Round[],
  { unit, aim }: { unit: string; aim: number },
): string {
  const product = median(rounds.map((round) => round.product))
  const peer = median(rounds.map((round) => round.peer))
  const ratio = product / peer
  say()
  say(`  product ${shown(product)} ${unit}`)
  say(`  peer    ${shown(peer)} ${unit}`)
  say(`  ratio   ${shown(ratio)} (aim: at least ${aim}; ${ratio >= aim ? 'reached' : 'missed'})`)
  const [load = 0] = loadavg()
  const circumstances = `${new Date().toISOString().slice(0, 10)}, load average ${shown(load)}`
  return `${shown(product)} / ${shown(peer)} ${unit} = **${shown(ratio)}** (${circumstances})`
}

/** The CPU time of each process, in busy cores and in microseconds per unit of work. */
export function sayCosts(
  title: string,
  parts: Record<string, number>,
  over: { seconds: number; units: number },
): void {
  say(`  CPU of ${title}:`)
  for (const [name, cpu_s] of Object.entries(parts)) {
    const cores = (cpu_s / over.seconds).toFixed(2)
    say(`    ${name.padEnd(12)} ${cores} cores  ${shown((cpu_s * 1e6) / over.units)} us each`)
  }
}

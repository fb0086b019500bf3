// Load of DNS questions over UDP for one round, by dnsperf. A lost question or a wrong code ends
// the benchmark.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

type Load = {
  port: number
  /** A file with a line "name type" for each question. */
  questions: string
  seconds: number
  /** The codes that the answers must have. */
  rcodes: readonly string[]
}
type Answered = { count: number; per_s: number; mean_ms: number }

/**
 * This is below the number that our name server looks up at once, because it drops questions above
 * that.
 */
export const outstanding = 48
/** UDP guarantees nothing: between any two processes, some of a million questions are lost. */
const most_lost = 0.0001

/** Throws if dnsperf is missing, with the command that installs it. */
export function requireDnsperf(): void {
  if (spawnSync('dnsperf', ['-h']).error)
    throw new Error('dnsperf is not installed: apt-get install dnsperf nsd knot')
}

export async function askMany({ port, questions, seconds, rcodes }: Load): Promise<Answered> {
  const place = ['-s', '127.0.0.1', '-p', String(port)]
  const words = [...place, '-d', questions, '-l', String(seconds), '-q', String(outstanding), '-e']
  const { stdout } = await promisify(execFile)('dnsperf', words, { maxBuffer: 1 << 24 })
  const of = (line: RegExp) => Number(line.exec(stdout)?.[1])
  const [count, lost] = [of(/Queries completed: +(\d+)/), of(/Queries lost: +(\d+)/)]
  const codes = /Response codes: +(.*)/.exec(stdout)?.[1] ?? ''
  const others = [...codes.matchAll(/[A-Z]+/g)].filter(([code]) => !rcodes.includes(code))
  if (!(count > 0) || lost > count * most_lost || others.length > 0) throw new Error(stdout)
  return {
    count,
    per_s: of(/Queries per second: +([\d.]+)/),
    mean_ms: of(/Average Latency \(s\): +([\d.]+)/) * 1000,
  }
}

// Load of DNS questions over UDP for a round, by dnsperf. Lost questions and a wrong code end the
// benchmark.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

type Load = {
  port: number
  /** A file with a line "name type" for each question. */
  questions: string
  seconds: number
  /** The codes that the questions have. */
  rcodes: readonly string[]
}
type Answered = { count: number; per_s: number; mean_ms: number }

/** Below the number that our name server looks up at once: it drops those above. */
export const outstanding = 48
/** UDP promises nothing: some of a million questions are lost between any two processes. */
const most_lost = 0.0001

/** Throws, with the command that installs it, where there is no dnsperf. */
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

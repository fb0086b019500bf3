// CPU time and memory of processes, read from /proc; the results are empty except on Linux.
import { readdirSync, readFileSync } from 'node:fs'

type Stat = { pid: number; parent: number; cpu_s: number }

// USER_HZ is 100 on every architecture that Node runs on.
const ticks_a_second = 100

function statOf(pid: number): Stat | undefined {
  const text = read(`/proc/${pid}/stat`)
  // The name in parentheses may hold spaces.
  const fields = text
    ?.slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  if (!fields) return undefined
  const [parent = 0] = fields.slice(1)
  // The fields utime and stime, and the times of children that ended and were waited for.
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0)
  return { pid, parent, cpu_s: ticks / ticks_a_second }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Either the process has ended, or there is no /proc.
    return undefined
  }
}

/** A process with all its descendants, or an empty list where there is no /proc. */
function family(pid: number): Stat[] {
  if (process.platform !== 'linux') return []
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
  const found = all.filter((one) => one.pid === pid)
  for (const member of found) found.push(...all.filter(({ parent }) => parent === member.pid))
  return found
}

/** CPU seconds of a process and all its descendants so far. */
export function cpuOf(pid: number): number {
  return family(pid).reduce((sum, { cpu_s }) => sum + cpu_s, 0)
}

type Member = { name: string; pid: number; pss_mb: number; rss_mb: number }

/** The memory of each process of a family. PSS counts shared pages only once. */
export function memoryOf(pid: number): Member[] {
  return family(pid).map((member) => {
    const rollup = read(`/proc/${member.pid}/smaps_rollup`) ?? ''
    const mb = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024
    const words = (read(`/proc/${member.pid}/cmdline`) ?? '').split('\0')
    return {
      name: words.slice(0, 2).join(' '),
      pid: member.pid,
      pss_mb: mb('Pss'),
      rss_mb: mb('Rss'),
    }
  })
}

/** The parent of a process, or 0 if it is unknown. */
export function parentOf(pid: number): number {
  return statOf(pid)?.parent ?? 0
}

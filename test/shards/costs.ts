// Processor time of each test file: of its shard and of the processes that it started and waited
// for, appended as tab-separated lines to the file that TEST_COSTS names. PostgreSQL has one line,
// at the end of the run. Only Linux shows the times of other processes.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'

const path = process.env.TEST_COSTS
const ms_per_tick = 10

let processes = 0
if (path !== undefined)
  subscribe('child_process', () => {
    processes += 1
  })

/** Begins to measure a file; call the answer when it has ended. */
export function measureFile(): (name: string) => void {
  if (path === undefined) return () => undefined
  const before = costs()
  return (name) => {
    const now = costs()
    write(
      name,
      now.map((one, index) => one - (before[index] ?? 0)),
    )
  }
}

/** A server: its own time, and that of its processes, which run or have ended. */
export function measureServer(name: string, pid: number): void {
  if (path === undefined) return
  const pids = readdirSync('/proc')
    .filter((one) => /^\d+$/.test(one))
    .map(Number)
  const running = pids.map(timesOf).filter(({ parent }) => parent === pid)
  const ms = [timesOf(pid), ...running].reduce((sum, one) => sum + one.own_ms + one.ended_ms, 0)
  write(name, [ms, 0, 0])
}

/**
 * Processor time in seconds of all processes that this one started and waited for, and of theirs;
 * null where it cannot be read.
 */
export function endedSeconds(): number | null {
  return process.platform === 'linux' ? timesOf(process.pid).ended_ms / 1000 : null
}

/** So far: of this process, of its children that have ended, and how many it has started. */
function costs(): number[] {
  const { user, system } = process.cpuUsage()
  return [Math.round((user + system) / 1000), timesOf(process.pid).ended_ms, processes]
}

function timesOf(pid: number) {
  const file = `/proc/${pid}/stat`
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // The name of the program, in parentheses, may hold anything.
  const [, parent = 0, ...fields] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, ended_user = 0, ended_system = 0] = fields.slice(9, 13)
  return {
    parent,
    own_ms: (user + system) * ms_per_tick,
    ended_ms: (ended_user + ended_system) * ms_per_tick,
  }
}

function write(name: string, figures: readonly number[]): void {
  if (path !== undefined) appendFileSync(path, `${[name, process.pid, ...figures].join('\t')}\n`)
}

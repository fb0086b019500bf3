// A CPU profile of V8, added up by file or package, with the most expensive functions.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from './programs.ts'
import { say } from './report.ts'

type Frame = { functionName: string; url: string; lineNumber: number }
type Profile = {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

const most = 22

/** Prints shares of the time during which the process was not idle. */
export async function sayProfile(file: string): Promise<void> {
  for (let tries = 0; tries < 100 && !existsSync(file); tries += 1) await sleep(50)
  const profile: Profile = JSON.parse(await readFile(file, 'utf8'))
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const callers = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  )
  const places = new Map<string, number>()
  const functions = new Map<string, number>()
  const ours = new Map<string, number>()
  let total = 0
  profile.samples.forEach((id, at) => {
    const frame = frames.get(id)
    const took = profile.timeDeltas[at] ?? 0
    // The inspector is open for this profile only.
    if (!frame || frame.functionName === '(idle)' || frame.url === 'node:inspector') return
    total += took
    add(places, placeOf(frame), took)
    add(functions, nameOf(frame), took)
    add(ours, nearestOfOurs(id), took)
  })
  say('  Self time of the service in a round of its own, by place:')
  sayTop(places, total)
  say('  and by function:')
  sayTop(functions, total)
  say('  and by the function of ours that it was for, as far as that was on the stack:')
  sayTop(ours, total)

  function nearestOfOurs(leaf: number): string {
    for (let id: number | undefined = leaf; id !== undefined; id = callers.get(id)) {
      const frame = frames.get(id)
      if (frame && placeOf(frame).startsWith('src/')) return nameOf(frame)
    }
    const frame = frames.get(leaf)
    return frame ? `(none of ours) ${placeOf(frame)}` : ''
  }
}

function nameOf(frame: Frame): string {
  return `${frame.functionName || '(anonymous)'} ${placeOf(frame)}:${frame.lineNumber + 1}`
}

function add(sums: Map<string, number>, key: string, took: number): void {
  sums.set(key, (sums.get(key) ?? 0) + took)
}

function sayTop(sums: Map<string, number>, total: number): void {
  const top = [...sums].sort(([, a], [, b]) => b - a).slice(0, most)
  for (const [key, took] of top)
    say(`    ${((100 * took) / total).toFixed(1).padStart(5)} %  ${key}`)
}

/** A file of ours, a package, a part of Node, or the engine. */
function placeOf({ url, functionName }: Frame): string {
  if (url.startsWith('node:')) return url
  if (!url.startsWith('file:')) return functionName.startsWith('(') ? functionName : 'native'
  const path = fileURLToPath(url).replace(`${root}/`, '')
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules\/)/.exec(path) ?? []
  return name ?? path
}

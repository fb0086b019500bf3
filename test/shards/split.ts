// Splits test files into shards of about the same duration: longest first, each to the shard with
// the least so far.
import { createHash } from 'node:crypto'

type Split = {
  /** How long each file took, in ms; a file that is not listed counts as `unknown_ms`. */
  durations: ReadonlyMap<string, number>
  /** How many shards run at once. */
  processes: number
  /** Whether a file gets a shard of its own. */
  alone: (file: string) => boolean
  /** Leaves the files of a shard in the order given. */
  keepOrder: boolean
}

const unknown_ms = 3000
/** So many that importing the service hardly counts. */
const usual_files = 80
/** Bounds what a process keeps of files that ended. */
const most_files = 120

/** `before_ms`: of isolated files that run before it. */
type Shard = { files: string[]; before_ms: number; ms: number }

/**
 * In the order of their starts. The isolated files first, and shards that are shorter by as much: a
 * run takes at least as long as what starts last. Then the longest shard, in the place of the
 * isolated file that ends first.
 */
export function shardsOf(files: readonly string[], split: Split): string[][] {
  const msOf = (file: string) => split.durations.get(file) ?? unknown_ms
  const longestFirst = files.toSorted((one, other) => msOf(other) - msOf(one))
  const isolated = longestFirst.filter(split.alone)
  const shared = longestFirst.filter((file) => !split.alone(file))
  const { processes } = split
  // As many for each process: a last shard on its own would leave the other processes idle.
  const rounds = Math.ceil(shared.length / (usual_files * processes))
  const count = Math.min(shared.length, rounds * processes)
  const shards: Shard[] = Array.from({ length: count }, () => ({ files: [], before_ms: 0, ms: 0 }))
  if (count > 0) for (const file of isolated) leastOf(shards).before_ms += msOf(file)
  for (const file of shared) {
    const least = leastOf(shards.filter((shard) => shard.files.length < most_files))
    least.files.push(file)
    least.ms += msOf(file)
  }
  const position = new Map(files.map((file, index) => [file, index]))
  const place = (file: string) => position.get(file) ?? 0
  if (split.keepOrder)
    for (const shard of shards) shard.files.sort((one, other) => place(one) - place(other))
  const inOrder = shards.toSorted((one, other) => other.ms - one.ms)
  return [...isolated.map((file) => [file]), ...inOrder.map((shard) => shard.files)]
}

function leastOf(shards: readonly Shard[]): Shard {
  const ends = ({ before_ms, ms }: Shard) => before_ms + ms
  return shards.reduce((one, other) => (ends(other) < ends(one) ? other : one))
}

/** The same seed gives the same order. */
export function shuffled(files: readonly string[], seed: string): string[] {
  const rank = (file: string) => createHash('sha256').update(`${seed} ${file}`).digest('hex')
  return files.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
}

// Splits test files into shards of about the same duration: longest first, each to the shard with
// the least so far.
import { createHash } from 'node:crypto'

export type Split = {
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

type Shard = { files: string[]; ms: number }

/** The longest shard first: a run takes at least as long as the shard that starts last. */
export function shardsOf(files: readonly string[], split: Split): string[][] {
  const msOf = (file: string) => split.durations.get(file) ?? unknown_ms
  const isolated = files.filter(split.alone).map((file) => ({ files: [file], ms: msOf(file) }))
  const shared = files.filter((file) => !split.alone(file))
  const { processes } = split
  // As many for each process: a last shard on its own would leave the other processes idle.
  const rounds = Math.ceil(shared.length / (usual_files * processes))
  const count = Math.min(shared.length, rounds * processes)
  const shards: Shard[] = Array.from({ length: count }, () => ({ files: [], ms: 0 }))
  for (const file of shared.toSorted((one, other) => msOf(other) - msOf(one))) {
    const least = shards
      .filter((shard) => shard.files.length < most_files)
      .reduce((one, other) => (other.ms < one.ms ? other : one))
    least.files.push(file)
    least.ms += msOf(file)
  }
  const position = new Map(files.map((file, index) => [file, index]))
  const place = (file: string) => position.get(file) ?? 0
  if (split.keepOrder)
    for (const shard of shards) shard.files.sort((one, other) => place(one) - place(other))
  return [...shards, ...isolated]
    .toSorted((one, other) => other.ms - one.ms)
    .map((shard) => shard.files)
}

/** The same seed gives the same order. */
export function shuffled(files: readonly string[], seed: string): string[] {
  const rank = (file: string) => createHash('sha256').update(`${seed} ${file}`).digest('hex')
  return files.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
}

// One zone from the answers of several name servers: the sets of all of them, those of the newest
// zone where they differ, and the differences.
import type { FoundSet, UnreadSet } from '../../../../adapters/dns/scan/found-sets.ts'
import { hasAnswered, type ScannedServer } from '../../../../adapters/dns/scan/scan-zone.ts'
import { rrType } from '../../../../dns/types.ts'
import { pathOf } from '../zones.ts'

/** `servers` has the answer of each server about the set, or undefined if it has none. */
export type ServersDiffer = {
  name: string
  type: number
  servers: { name: string; set: FoundSet | undefined }[]
}
type MergedZone = {
  sets: FoundSet[]
  unread: UnreadSet[]
  differences: ServersDiffer[]
}

export function mergedZone(servers: readonly ScannedServer[]): MergedZone {
  const ranked = [...servers].sort((one, other) => rankOf(other) - rankOf(one))
  const sets = new Map<string, FoundSet>()
  const unread = new Map<string, UnreadSet>()
  for (const server of ranked) {
    for (const [key, set] of server.sets) if (!sets.has(key)) sets.set(key, set)
    for (const [key, set] of server.unread) if (!unread.has(key)) unread.set(key, set)
  }
  const sorted = [...sets.values()].sort(
    (one, other) => compare(pathOf(one.name), pathOf(other.name)) || one.type - other.type,
  )
  const differences = sorted.flatMap(({ name, type }) => {
    // An SOA that differs has another serial, which is reported apart.
    if (type === rrType.soa) return []
    const asked = servers.filter((one) => hasAnswered(one, { name, type }))
    const answers = asked.map((one) => ({ name: one.name, set: one.sets.get(`${name} ${type}`) }))
    const isSame = new Set(answers.map(({ set }) => valuesOf(set))).size <= 1
    return isSame ? [] : [{ name, type, servers: answers }]
  })
  return {
    sets: sorted,
    unread: [...unread.values()].filter(({ name, type }) => !sets.has(`${name} ${type}`)),
    differences,
  }
}

/** Orders the domain itself first, then names by their ends. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** Ranks the newest zone first, and of zones of one age a whole copy. */
function rankOf({ places, copy }: ScannedServer): number {
  const serial = Math.max(0, ...places.map((one) => one.serial ?? 0))
  return 2 * serial + Number(copy === 'whole')
}

function valuesOf(set: FoundSet | undefined): string {
  return (set?.rdata ?? [])
    .map((one) => one.toString('hex'))
    .sort()
    .join(' ')
}

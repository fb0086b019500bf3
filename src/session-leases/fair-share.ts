// Fair sharing of sessions between nodes: which session a node must give up when another node
// waits. A pure rule over the leases of all nodes.

/** A node at one registry. `waited_ms` is null if it does not wait. */
export type NodeState = {
  node: string
  held: number
  /** The age of its oldest lease. */
  held_ms: number | null
  waited_ms: number | null
}
/** A session that a node must give up; if several qualify, the one that was idle longest. */
export type Revocation = {
  /** A session that had no command for this long. */
  idle_ms: number
  /**
   * If none is idle, a busy one that was held for this long, after its command, or null for none.
   */
  held_ms: number | null
}

/**
 * If there are more busy nodes than sessions, each holds one for this long before the next node
 * gets it.
 */
export const time_slice_ms = 1_000
/** The commands of a busy node are less than this apart. */
const pause_ms = 250
/** A session without a command for this long is given to any waiting node. */
const unused_ms = 2_000

/**
 * The sessions that `node` must release now, or null. `sessions` is the budget of all nodes
 * together.
 * The most starved waiting node is the one with the fewest sessions. A node that holds two more
 * than it gives one at once. If it has none at all, a node with a single session gives that when it
 * is idle, or when its time slice is over. Beyond that only unused sessions are handed over, and
 * never a node's last. The node with most sessions is asked first, and each further node a while
 * later, because a node may be dead, or busy for long.
 */
export function revocationFor(
  nodes: readonly NodeState[],
  { node, sessions }: { node: string; sessions: number },
): Revocation | null {
  const waiting = nodes
    .flatMap(({ waited_ms, ...rest }) => (waited_ms === null ? [] : [{ ...rest, waited_ms }]))
    .filter((one) => one.node !== node)
    .sort((a, b) => a.held - b.held || b.waited_ms - a.waited_ms)
  const free = sessions - nodes.reduce((sum, { held }) => sum + held, 0)
  const [mostStarved] = waiting
  if (!mostStarved || waiting.length <= free) return null

  const holders = nodes
    .filter(({ held }) => held > 0)
    .sort((a, b) => b.held - a.held || (b.held_ms ?? 0) - (a.held_ms ?? 0))
  const rank = holders.findIndex((one) => one.node === node)
  const mine = holders[rank]?.held ?? 0
  if (mine === 0) return null
  const busyToo = mostStarved.waited_ms >= rank * time_slice_ms
  if (busyToo && mine - mostStarved.held >= 2) return { idle_ms: 0, held_ms: 0 }
  if (mostStarved.waited_ms < rank * pause_ms) return null
  if (mostStarved.held === 0) return { idle_ms: pause_ms, held_ms: busyToo ? time_slice_ms : null }
  return mine > 1 ? { idle_ms: unused_ms, held_ms: null } : null
}

// Who gives a session up when another node waits for one: a pure rule over what all nodes hold.

/** A node at one registry. `waited_ms` null: it does not wait. */
export type Standing = {
  node: string
  held: number
  /** Age of its oldest slot. */
  held_ms: number | null
  waited_ms: number | null
}
/** A session that a node must give up: of several that fit, the one that was idle longest. */
export type Call = {
  /** One that had no command for so long. */
  idle_ms: number
  /** If none is idle: a busy one, after its command, that was held for so long; null: none. */
  held_ms: number | null
}

/** With more busy nodes than sessions, each works so long before it is the next one's turn. */
export const turn_ms = 1_000
/** Shorter pauses lie between the commands of a node that is at work. */
const pause_ms = 250
/** What had no command for so long is given to whoever waits. */
const unused_ms = 2_000

/**
 * What `node` must give up now, or null. `sessions` is the budget of all nodes together.
 *
 * The neediest of those who wait is the one with the fewest sessions. Who holds two more than it
 * gives one at once. If it has none at all, a node with a single session gives that, when it is
 * idle, or when its turn is over. Beyond that only unused sessions change hands, and nobody's last.
 * The richest is asked first, and each further one a while later: it may be dead, or busy for long.
 */
export function callOn(
  standings: readonly Standing[],
  { node, sessions }: { node: string; sessions: number },
): Call | null {
  const waiting = standings
    .flatMap(({ waited_ms, ...rest }) => (waited_ms === null ? [] : [{ ...rest, waited_ms }]))
    .filter((one) => one.node !== node)
    .sort((a, b) => a.held - b.held || b.waited_ms - a.waited_ms)
  const free = sessions - standings.reduce((sum, { held }) => sum + held, 0)
  const [neediest] = waiting
  if (!neediest || waiting.length <= free) return null

  const holders = standings
    .filter(({ held }) => held > 0)
    .sort((a, b) => b.held - a.held || (b.held_ms ?? 0) - (a.held_ms ?? 0))
  const rank = holders.findIndex((one) => one.node === node)
  const mine = holders[rank]?.held ?? 0
  if (mine === 0) return null
  const busyToo = neediest.waited_ms >= rank * turn_ms
  if (busyToo && mine - neediest.held >= 2) return { idle_ms: 0, held_ms: 0 }
  if (neediest.waited_ms < rank * pause_ms) return null
  if (neediest.held === 0) return { idle_ms: pause_ms, held_ms: busyToo ? turn_ms : null }
  return mine > 1 ? { idle_ms: unused_ms, held_ms: null } : null
}

// Bulkheads: rounds of work side by side, so that a slow compartment holds up only itself.
import { setTimeout as sleep } from 'node:timers/promises'

type Round<T> = (compartment: T) => Promise<{ more: boolean }>

/**
 * Runs one round for each compartment, all at once. While the first round of one is in progress,
 * the others continue with new rounds, at once while there is more and otherwise after a pause. An
 * error ends the rounds of its own compartment; the first one is thrown when all have ended.
 */
export async function inBulkheads<T>(
  compartments: readonly T[],
  round: Round<T>,
  pause_ms: number,
): Promise<{ more: boolean }> {
  const all = new AbortController()
  let under_way = compartments.length
  const pause = () => sleep(pause_ms, undefined, { signal: all.signal }).catch(() => undefined)

  const work = async (compartment: T): Promise<boolean> => {
    const first = round(compartment)
    const ended = () => {
      under_way -= 1
      if (under_way === 0) all.abort()
    }
    let { more } = await first.finally(ended)
    while (under_way > 0) {
      if (!more) await pause()
      if (under_way > 0) more = (await round(compartment)).more
    }
    return more
  }
  const ends = await Promise.allSettled(compartments.map(work))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return { more: ends.some((end) => end.status === 'fulfilled' && end.value) }
}

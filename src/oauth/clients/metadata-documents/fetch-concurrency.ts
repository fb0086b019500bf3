// How many client metadata documents this node fetches at once: limits by address, by host and
// overall, with some permits that only known clients can use.
import { KeyedSemaphore, type Release } from '../../../kit/concurrency/semaphore.ts'

export type Claim = {
  /** The address that asks. */
  asker: string
  host: string
  /** It was read before, or somebody consented to it. */
  known: boolean
}
export type FetchLimits = {
  /** Undefined where a limit is reached. */
  tryAcquire: (claim: Claim) => Release | undefined
}

// A fetch takes 5 s at most, so that hosts which never answer need many addresses to fill these.
const most = 64
const mostUnknown = 48
const mostOfHost = 8
const mostOfAsker = { known: 16, unknown: 3 }

export function openFetchLimits(): FetchLimits {
  const semaphore = new KeyedSemaphore()

  return {
    tryAcquire({ asker, host, known }) {
      const all = { key: 'all', limit: most }
      if (known)
        return semaphore.tryAcquire([all, { key: `known ${asker}`, limit: mostOfAsker.known }])
      return semaphore.tryAcquire([
        all,
        { key: 'unknown', limit: mostUnknown },
        { key: `unknown of ${asker}`, limit: mostOfAsker.unknown },
        { key: `unknown at ${host}`, limit: mostOfHost },
      ])
    },
  }
}

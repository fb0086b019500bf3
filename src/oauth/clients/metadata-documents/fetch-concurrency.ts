// Concurrency limits of fetches of client metadata documents in this node: by address, by host and
// overall, with some permits that only known clients can use.
import { KeyedSemaphore, type Release } from '../../../kit/concurrency/semaphore.ts'

type FetchClaim = {
  /** The address of the request that needs the document. */
  client_address: string
  host: string
  /** The document was fetched before, or an account has consented to its client. */
  known: boolean
}
type FetchLimits = {
  /** Takes a permit, or returns undefined where a limit is reached. */
  tryAcquire: (claim: FetchClaim) => Release | undefined
}

// A fetch takes 5 s at most, so that hosts which never answer need many addresses to fill these.
const most = 64
const mostUnknown = 48
const mostOfHost = 8
const mostOfAddress = { known: 16, unknown: 3 }

export function openFetchLimits(): FetchLimits {
  const semaphore = new KeyedSemaphore()

  return {
    tryAcquire({ client_address, host, known }) {
      const all = { key: 'all', limit: most }
      if (known)
        return semaphore.tryAcquire([
          all,
          { key: `known ${client_address}`, limit: mostOfAddress.known },
        ])
      return semaphore.tryAcquire([
        all,
        { key: 'unknown', limit: mostUnknown },
        { key: `unknown of ${client_address}`, limit: mostOfAddress.unknown },
        { key: `unknown at ${host}`, limit: mostOfHost },
      ])
    },
  }
}

// How many documents of clients are read at once in this node, and by whom: nobody's share is all
// of it, and clients that are known have some to themselves.

export type Claim = {
  /** The address that asks. */
  asker: string
  host: string
  /** It was read before, or somebody consented to it. */
  known: boolean
}
export type Slots = {
  /** Undefined when there is none for this claim; else what gives it back. */
  take: (claim: Claim) => (() => void) | undefined
}

// A reading takes 5 s at most, so that hosts which never answer need many addresses to fill these.
const most = 64
const mostUnknown = 48
const mostOfHost = 8
const mostOfAsker = { known: 16, unknown: 3 }

export function openSlots(): Slots {
  const taken = new Set<Claim>()
  const count = (fits: (claim: Claim) => boolean) => [...taken].filter(fits).length

  return {
    take({ asker, host, known }) {
      const mostHere = known ? mostOfAsker.known : mostOfAsker.unknown
      if (taken.size >= most) return undefined
      if (count((one) => one.asker === asker && one.known === known) >= mostHere) return undefined
      if (!known && count((one) => !one.known) >= mostUnknown) return undefined
      if (!known && count((one) => !one.known && one.host === host) >= mostOfHost) return undefined
      const claim = { asker, host, known }
      taken.add(claim)
      return () => taken.delete(claim)
    },
  }
}

// Asks name servers that clients name. Their addresses are checked (SSRF), and each gets only few
// questions a second, since it may belong to somebody who has nothing to do with the client.
import { isIPv4, isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPublicIp } from '../../../kit/net/ip.ts'
import { checkedAddresses, resolvePublic } from '../../../kit/net/outbound-network.ts'
import type { DnsPlace, NameServerClient } from '../port.ts'
import { askServer } from './dns-lookup.ts'

const most_addresses = 4

type Options = {
  /** Recursive resolvers as IP[:port]; if there are none, those of this machine are used. */
  resolvers: readonly string[]
  /** The places of hosts that are trusted whatever their address is: those of the sandbox. */
  places: ReadonlyMap<string, DnsPlace>
  /** Reserves the time for one packet to an address, and returns the milliseconds until then. */
  reserve: (address: string) => Promise<number>
}

export function openNameServerClient(options: Options): NameServerClient {
  const { resolvers, places, reserve } = options
  const network = {
    allows: isPublicIp,
    resolve: (host: string, signal: AbortSignal) => resolvePublic(host, signal, resolvers),
  }
  return {
    async placesOf(host, given, signal) {
      const trusted = places.get(host)
      if (trusted) return [trusted]
      const lists = await Promise.all(
        (given.length > 0 ? given : [host]).map((one) =>
          checkedAddresses(one, { network, signal }),
        ),
      )
      const all = [...new Set(lists.flat())]
      const sorted = [...all.filter(isIPv4), ...all.filter(isIPv6)]
      return sorted.slice(0, most_addresses).map((address) => ({ host: address, port: 53 }))
    },
    async sortedPlacesOf(host, given, signal) {
      const trusted = places.get(host)
      if (trusted) return { places: [trusted], refused: [] }
      const found = await resolvePublic(host, signal, resolvers)
      const all = [...new Set(found.length > 0 ? found : given)]
      const allowed = all.filter(isPublicIp)
      return {
        places: allowed.slice(0, most_addresses).map((address) => ({ host: address, port: 53 })),
        refused: all.filter((one) => !isPublicIp(one)).slice(0, most_addresses),
      }
    },
    async ask(place, name, type) {
      const wait_ms = await reserve(place.host)
      if (wait_ms > 0) await sleep(wait_ms)
      return askServer(place, name, type)
    },
  }
}

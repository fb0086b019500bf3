// The networks that an address lies in, from its own to what one party may hold. Limits that grow
// more slowly than networks do: a crowd within one of them has not as many tries as addresses.

/** `step`: how wide it is, 0 being the address itself (in IPv6: the /64 that counts as one). */
export type Network = { name: string; step: 0 | 1 | 2 | 3 }

/**
 * Narrowest first. `address` as calls are counted by: an IPv4 address, or an IPv6 /64; of anything
 * else only itself is known.
 */
export function networksOf(address: string): [Network, ...Network[]] {
  const own = { name: address, step: 0 } as const
  const [, three] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address) ?? []
  if (three !== undefined) return [own, { name: `${three}.0/24`, step: 2 }]
  const groups = /^([0-9a-f]+):([0-9a-f]+):([0-9a-f]+):([0-9a-f]+)::\/64$/.exec(address)
  if (!groups) return [own]
  const [a = 0, b = 0, c = 0, d = 0] = groups.slice(1).map((group) => Number.parseInt(group, 16))
  const prefix = (...parts: number[]) => parts.map((part) => part.toString(16)).join(':')
  return [
    own,
    { name: `${prefix(a, b, c, d & 0xff00)}::/56`, step: 1 },
    { name: `${prefix(a, b, c)}::/48`, step: 2 },
    { name: `${prefix(a, b)}::/32`, step: 3 },
  ]
}

/** What a household or a small company has: the widest that can be one party's. */
export function siteOf(address: string): string {
  return (networksOf(address).findLast(({ step }) => step <= 2) ?? { name: address }).name
}

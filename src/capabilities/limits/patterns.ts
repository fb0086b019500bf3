// Patterns of domains and networks of addresses: reading, matching, and whether one covers another.
import ipaddr from 'ipaddr.js'
import { type HostRead, type HostReading, readHost } from '../../kit/net/host.ts'

const globLabel = /^(?=.{1,63}$)[a-z0-9-]*(?:\*[a-z0-9-]*){1,3}$/

/**
 * "my-agent.com", or with up to three "*" in its first label, each for any part of that label:
 * "shop-*.com". Returns it in its stored form, lower-case A-labels, or a problem for any other text
 * (readHost).
 */
export function parseDomainPattern(text: string, reading: HostReading = {}): HostRead {
  if (!text.includes('*')) {
    const name = readHost(text, reading)
    return 'problem' in name || name.host.includes('.') ? name : { problem: '' }
  }
  const at = text.indexOf('.')
  const label = text.slice(0, at).toLowerCase()
  if (at < 1 || !globLabel.test(label)) return { problem: '' }
  const parent = readHost(text.slice(at + 1), reading)
  return 'host' in parent ? { host: `${label}.${parent.host}` } : parent
}

/**
 * The regular expression of a stored pattern. The label has no dot, so no "*" reaches another
 * label.
 */
function expressionOf(pattern: string): string {
  const literal = (text: string) => text.replaceAll(/[.\\+?^${}()|[\]]/g, '\\$&')
  return `^${pattern.split('*').map(literal).join('[^.]*')}$`
}

/** For PostgreSQL: a name that matches one of the patterns matches this regular expression. */
export function expressionOfAny(patterns: readonly string[]): string {
  return patterns.map(expressionOf).join('|')
}

export function matchesAny(patterns: readonly string[], name: string): boolean {
  const [label, parent] = cutLabel(name)
  return patterns.some((pattern) => {
    const [ofLabel, ofParent] = cutLabel(pattern)
    return parent === ofParent && matchesLabel(ofLabel, label)
  })
}

/** The first label, and the rest with its dot. */
function cutLabel(name: string): [label: string, parent: string] {
  const at = name.indexOf('.')
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at)]
}

/**
 * The parts between "*" in their order, each as early as it can be. Not by a regular expression,
 * which tries all places of all "*": a key with a hundred patterns that makes one with a hundred
 * names would hold up everybody for seconds.
 */
function matchesLabel(pattern: string, label: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return pattern === label
  const end = label.length - last.length
  if (first.length > end || !label.startsWith(first) || !label.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = label.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/**
 * Whether every name that `inner` matches is matched by one of `outer`: its "*" must then fall
 * within a "*" of the other, as any character of it does.
 */
export function coversPattern(outer: readonly string[], inner: string): boolean {
  return matchesAny(outer, inner)
}

/**
 * An IPv4 address or network, or an IPv6 network of a /64 or wider; a single IPv6 address stands
 * for its /64, as everywhere where addresses are counted. In CIDR notation, without host bits.
 */
export function parseNetwork(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const isWritten = rest.length === 0 && /^[0-9a-fA-F:.]+$/.test(address)
  if (!isWritten || (bits !== undefined && !/^(0|[1-9][0-9]{0,2})$/.test(bits))) return undefined
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address))
    return undefined
  const most = address.includes(':') ? 64 : 32
  const length = bits === undefined ? most : Number(bits)
  if (length > most || length < 1) return undefined
  const network = address.includes(':')
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/${length}`)
    : ipaddr.IPv4.networkAddressFromCIDR(`${address}/${length}`)
  return `${network.toString()}/${length}`
}

type Network = ReturnType<typeof ipaddr.parseCIDR>

/** Reads a list once that is compared with many addresses. */
const parsedLists = new WeakMap<readonly string[], Network[]>()

function networksOf(list: readonly string[]): Network[] {
  const known = parsedLists.get(list)
  if (known) return known
  const parsed = list.map((one) => ipaddr.parseCIDR(one))
  parsedLists.set(list, parsed)
  return parsed
}

/** `inner`: a network as it is kept, or an address as it is counted (IPv6: its /64). */
export function coversNetwork(outer: readonly string[], inner: string): boolean {
  const [address = '', bits] = inner.split('/')
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  const length = bits === undefined ? 32 : Number(bits)
  return networksOf(outer).some(
    ([base, size]) => base.kind() === parsed.kind() && size <= length && parsed.match(base, size),
  )
}

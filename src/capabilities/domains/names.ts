// Canonicalization of domain names, name servers and glue of requests: lower-case A-labels (UTS 46
// non-transitional, IDNA 2008) and addresses in their usual text.

import { toUnicode } from 'tr46'
import Type from 'typebox'
import type { Glue, Registry } from '../../adapters/registry/port.ts'
import type { App } from '../../app.ts'
import { type InvalidField, InvalidInput } from '../../kit/fault.ts'
import { type HostReading, hostRules, parseHost, readHost } from '../../kit/net/host.ts'
import { isGlueAddress, parseIp } from '../../kit/net/ip.ts'
import type { DomainName } from '../../kit/random.ts'
import { foldNameservers } from '../account/index.ts'
import { domainNotSupported } from './faults.ts'

/** A name that a registry can be asked about: exactly one label under a TLD. */
export type ParsedName = { name: DomainName; unicode: string; label: string; tld: string }
type NameProblem = { problem: string }

const form =
  'labels of letters, digits and inner hyphens, up to 63 characters each, with dots between ' +
  'them, as in "my-agent.com"'

/**
 * Reads a name to register, move or check. `sold` are the TLDs of our registries: a name with
 * one label under another TLD is well-formed but not ours to sell (`sold: false`).
 */
export function parseDomainName(
  text: string,
  sold: (tld: string) => boolean,
  reading?: HostReading,
): (ParsedName & { sold: boolean }) | NameProblem {
  const read = readHost(text, reading)
  if ('problem' in read) {
    const problem = read.problem || `is not a domain name: ${form}`
    return { problem: `"${shown(text)}" ${problem}` }
  }
  const name = read.host
  const [label = '', ...rest] = name.split('.')
  const tld = rest.join('.')
  if (rest.length !== 1 && !sold(tld))
    return { problem: `"${shown(text)}" must be one label under a TLD, such as name.com` }
  const unicode = name.includes('xn--') ? toUnicode(name, hostRules).domain : name
  return { name, unicode, label, tld, sold: sold(tld) }
}

function shown(text: string): string {
  return text.length > 80 ? `${presentable(text, 80)}...` : presentable(text, 80)
}

/** The beginning of a text that any JSON reader takes: without NUL and half surrogate pairs. */
export function presentable(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll('\0', '\ufffd')
}

/** Labels with more than 24 characters are "long" in an availability answer. */
export function isLong({ label }: ParsedName): boolean {
  return label.length > 24
}

/** A name to buy. Throws 422 if it is no name, 409 domain_not_supported if its TLD is not sold. */
export function nameOf(app: App, { domain }: { domain: DomainName }): ParsedName {
  const { byTld, idn_exceptions } = app.registries
  const name = parseDomainName(domain, (tld) => byTld.has(tld), { exceptions: idn_exceptions })
  if ('problem' in name)
    throw new InvalidInput([{ path: ['domain'], msg: name.problem, type: 'domain_name' }])
  if (!name.sold) throw domainNotSupported()
  return name
}

/** A name in a path, in its stored form. Throws 422 if it cannot be a name. */
export function hostOf(text: string): string {
  const name = parseHost(text)
  if (name !== undefined) return name
  const msg = `Input should be a domain name: ${form}`
  throw new InvalidInput([{ path: ['domain'], msg, type: 'domain_name' }])
}

/** The registry of a name that we hold or buy. */
export function registryOf(app: Pick<App, 'registries'>, name: string): Registry | undefined {
  return app.registries.byTld.get(name.slice(name.indexOf('.') + 1))?.registry
}

/**
 * Whether a host is the domain itself or below it, so that only the registry can say where it is
 * (RFC 5732 section 1.1).
 */
export function isWithin(domain: DomainName, host: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

export const nameserverFields = {
  nameservers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      minItems: 2,
      maxItems: 13,
      description: 'The complete list of name servers, each listed once.',
    }),
  ),
  glue: Type.Optional(
    Type.Unsafe<Record<string, string[]>>({
      type: 'object',
      additionalProperties: {
        type: 'array',
        items: { type: 'string', minLength: 2, maxLength: 45 },
        minItems: 1,
        maxItems: 13,
      },
      maxProperties: 13,
      description:
        'IPv4 and IPv6 addresses of those name servers that are the domain itself or below it, ' +
        'by host: {"ns1.my-agent.com": ["192.0.2.1", "2620:0:2d0:200::7"]}.',
    }),
  ),
}

type Given = { nameservers?: string[]; glue?: Record<string, string[]> }
export type Nameservers = { nameservers: string[]; glue: Glue }

/**
 * Reads hosts as lower-case A-labels and addresses in their usual text. Throws 422 for malformed
 * ones, for glue of a host that is not among the name servers or not within the domain, and for an
 * address that the Internet cannot reach. Returns undefined without name servers.
 */
export function readNameservers(
  domain: DomainName,
  given: Given,
  reading: HostReading = {},
): Nameservers | undefined {
  if (given.nameservers === undefined) {
    if (given.glue === undefined) return undefined
    const msg = 'Field required: glue is for name servers that are set with it'
    throw new InvalidInput([{ path: ['nameservers'], msg, type: 'missing' }])
  }
  const within = { ...reading, within: domain }
  const nameservers = foldNameservers('nameservers', given.nameservers, within)
  const problems: InvalidField[] = []
  const glue: [string, string[]][] = []
  for (const [text, addresses] of Object.entries(given.glue ?? {})) {
    const host = parseHost(text)
    const problem = hostProblem({ domain, nameservers, host }, glue)
    if (problem) problems.push({ path: ['glue', text], msg: problem, type: 'value_error' })
    else if (host) glue.push([host, readAddresses(['glue', text], addresses, problems)])
  }
  if (problems.length > 0) throw new InvalidInput(problems)
  return { nameservers, glue: Object.fromEntries(glue) }
}

type Named = { domain: DomainName; nameservers: string[]; host: string | undefined }

function hostProblem({ domain, nameservers, host }: Named, before: [string, string[]][]) {
  if (!host || !isWithin(domain, host))
    return `Only ${domain} and hosts below it have addresses at its registry`
  if (!nameservers.includes(host)) return 'The host is none of "nameservers"'
  if (before.some(([other]) => other === host)) return 'Host name is listed more than once'
  return undefined
}

function readAddresses(
  path: (string | number)[],
  addresses: string[],
  problems: InvalidField[],
): string[] {
  const read = addresses.map(parseIp)
  for (const [i, address] of read.entries()) {
    const refuse = (msg: string) => problems.push({ path: [...path, i], msg, type: 'value_error' })
    if (address === undefined) refuse('Input should be an IPv4 or IPv6 address')
    else if (!isGlueAddress(address)) refuse('The Internet cannot reach this address')
    else if (read.indexOf(address) !== i) refuse('Address is listed more than once')
  }
  return read.filter((address) => address !== undefined)
}

// Name servers and their addresses as a change takes them.
import Type from 'typebox'
import type { Glue } from '../../../adapters/registry/port.ts'
import { type InvalidField, InvalidInput } from '../../../kit/fault.ts'
import { parseHost } from '../../../kit/net/host.ts'
import { isGlueAddress, parseIp } from '../../../kit/net/ip.ts'
import { foldNameservers } from '../../account/index.ts'
import { isBelow } from '../domain-name.ts'

export const nameserverFields = {
  nameservers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      minItems: 2,
      maxItems: 13,
      description: 'The complete list of name servers, each once.',
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
        'IPv4 and IPv6 addresses of those name servers that are below the domain itself, by ' +
        'host: {"ns1.my-agent.com": ["192.0.2.1", "2620:0:2d0:200::7"]}.',
    }),
  ),
}

type Given = { nameservers?: string[]; glue?: Record<string, string[]> }
export type Nameservers = { nameservers: string[]; glue: Glue }

/**
 * Hosts in lower-case A-labels, addresses in their usual text. Throws 422 for what is none, for
 * glue of a host that is not among the name servers or not below the domain, and for an address
 * that the Internet cannot reach. Undefined without name servers.
 */
export function readNameservers(domain: string, given: Given): Nameservers | undefined {
  if (given.nameservers === undefined) {
    if (given.glue === undefined) return undefined
    const msg = 'Field required: glue is for name servers that are set with it'
    throw new InvalidInput([{ path: ['nameservers'], msg, type: 'missing' }])
  }
  const nameservers = foldNameservers('nameservers', given.nameservers)
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

type Named = { domain: string; nameservers: string[]; host: string | undefined }

function hostProblem({ domain, nameservers, host }: Named, before: [string, string[]][]) {
  if (!host || !isBelow(domain, host))
    return `Only a host below ${domain} has addresses at its registry`
  if (!nameservers.includes(host)) return 'The host is none of "nameservers"'
  if (before.some(([other]) => other === host)) return 'Host name is there more than once'
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
    else if (read.indexOf(address) !== i) refuse('Address is there more than once')
  }
  return read.filter((address) => address !== undefined)
}

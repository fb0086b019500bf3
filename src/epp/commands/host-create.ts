// Host <create> (RFC 5732 section 3.2.1). Addresses are glue: only for hosts inside the registry's
// own TLDs.
import { isIP } from 'node:net'
import { UnwritableCommand } from '../errors.ts'
import { requireSameName } from '../replies/object-identity.ts'
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, each, label } from './command.ts'

type HostCreateInput = { name: string; addresses: readonly string[] }

/** One element for each address, IPv4 or IPv6. */
export function addressList(
  addresses: readonly string[],
  element: 'host:addr' | 'domain:hostAddr' = 'host:addr',
): string {
  return each(addresses, (address) => {
    const version = isIP(address)
    // A zone ("fe80::1%eth0") is an address to Node and none to a registry.
    if (version === 0 || address.includes('%')) {
      throw new UnwritableCommand('Not an IP address')
    }
    return `<${element} ip="v${version}">${address}</${element}>`
  })
}

export const hostCreate: Command<HostCreateInput, null> = {
  name: 'host create',
  transforms: true,
  frame({ name, addresses }, cl_trid) {
    const inside = `<host:name>${label(name)}</host:name>${addressList(addresses)}`
    const element = `<host:create xmlns:host="${ns.host}">${inside}</host:create>`
    return commandFrame(cl_trid, `<create>${element}</create>`)
  },
  parse: (reply, { name }) => requireSameName(reply, ns.host, name),
}

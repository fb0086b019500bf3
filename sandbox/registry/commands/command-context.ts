// The context of a command for its handler, and checks that several domain handlers share.
import { parseName, requireScript, splitName } from '../model/names.ts'
import type { Domain, Trids } from '../model/records.ts'
import type { Registry } from '../model/registry.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import type { Element } from '../protocol/xml.ts'
import { requiredText } from './field-parser.ts'

export type Call = Trids & {
  registry: Registry
  registrar: string
  /** Object and extension namespaces that the session logged in with. */
  services: Set<string>
  /** The element of the object, such as domain:create. */
  body: Element
  /** The op of a transfer, or '' for any other command. */
  op: string
  /** Command extensions by namespace. */
  extensions: Map<string, Element>
  now: number
}

export type Handler = (call: Call) => Reply

/** The name in <domain:name>; deeper names and names under other TLDs are refused. */
export function readDomainName(call: Call): string {
  const name = parseName(requiredText(call.body, 'name'))
  const parts = splitName(name)
  if (parts === null || call.registry.profile.prices[parts.tld] === undefined) {
    throw new Refused(2306, `${name} is not a name of this registry`)
  }
  requireScript(call.registry.profile, name)
  return name
}

/** The domain named by the command. @throws Refused 2303 */
export function readDomain(call: Call): Domain {
  const name = parseName(requiredText(call.body, 'name'))
  const domain = call.registry.domains.get(name)
  if (domain === undefined) throw new Refused(2303, `${name} does not exist`)
  return domain
}

/** @throws Refused 2201 unless the caller sponsors the object */
export function requireSponsor(call: Call, object: { sponsor: string }): void {
  if (object.sponsor !== call.registrar) throw new Refused(2201, 'another registrar sponsors it')
}

/** @throws Refused 2304 when a status of the domain prohibits the verb */
export function refuseStatuses(domain: Domain, verb: string): void {
  const found = domain.statuses.find(
    (status) => status === `client${verb}Prohibited` || status === `server${verb}Prohibited`,
  )
  if (found !== undefined) throw new Refused(2304, `the status ${found} prohibits it`)
  if (domain.phase !== 'active') throw new Refused(2304, 'the status pendingDelete prohibits it')
  if (domain.transfer?.status === 'pending') {
    throw new Refused(2304, 'the status pendingTransfer prohibits it')
  }
}

/** Fields that every change of an object sets. */
export function touched(call: Call): { updater: string; updated_at: number } {
  return { updater: call.registrar, updated_at: call.now }
}

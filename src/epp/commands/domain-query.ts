// Query commands on domains (RFC 5731 section 3.1): check, with fees (RFC 8748), and info. Transfer
// is in a separate file.
import {
  childMoment,
  comparable,
  dataOf,
  extensionOf,
  type Reply,
  readableMoment,
  sameName,
} from '../replies/reply.ts'
import {
  attribute,
  child,
  childrenOf,
  childWords,
  type Element,
  flag,
  ns,
  requiredWords,
  words,
} from '../xml/xml.ts'
import {
  type Command,
  commandFrame,
  counted,
  each,
  label,
  objectAction,
  password,
} from './command.ts'
import { type DsRecord, parseDsRecords } from './domain-transform.ts'
import { type FeeQuestion, feeCheck, type NameFees, parseFees } from './fee-check.ts'

type DomainCheckInput = { names: readonly string[]; fees: FeeQuestion | null }
/** `available` is null if the server's answer has no readable avail. */
export type DomainChecked = { name: string; available: boolean | null; reason: string | null }
export type DomainCheckAnswer = {
  names: Map<string, DomainChecked>
  fees: Map<string, NameFees>
}

/**
 * Shared by checks of domains and hosts: the answers to the requested names, by name in lower case.
 * A name that was answered in two ways has no readable avail, and one that was not answered has no
 * entry.
 */
export function readChecked(
  list: Element,
  uri: string,
  asked: readonly string[],
): Map<string, DomainChecked> {
  const wanted = new Map(asked.map((name) => [comparable(name), name.toLowerCase()]))
  const answer = new Map<string, DomainChecked>()
  for (const cd of list.children) {
    const element = child(cd, uri, 'name')
    const name = element && wanted.get(comparable(words(element)))
    if (!element || name === undefined) continue
    const available = flag(element, 'avail')
    const before = answer.get(name)
    const agreed = before === undefined || before.available === available
    const reason = childWords(cd, uri, 'reason')
    answer.set(name, { name, available: agreed ? available : null, reason })
  }
  return answer
}

/**
 * The <check> (RFC 5731 section 3.1.1), alone or with fees (RFC 8748 section 4.1.1). Both maps are
 * by name in lower case, and a name that the server did not mention is not in them.
 */
export const domainCheck: Command<DomainCheckInput, DomainCheckAnswer> = {
  name: 'domain check',
  transforms: false,
  frame({ names, fees }, cl_trid) {
    const list = each(
      counted(names, 'Names'),
      (name) => `<domain:name>${label(name)}</domain:name>`,
    )
    return commandFrame(cl_trid, objectAction('check', 'domain', list), fees ? feeCheck(fees) : '')
  },
  parse(reply, { names: asked, fees }) {
    const names = readChecked(dataOf(reply, ns.domain, 'chkData'), ns.domain, asked)
    return { names, fees: parseFees(reply, fees?.commands ?? []) }
  },
}

type DomainInfoInput = { name: string; auth_info: string | null }

export type DomainInfo = {
  name: string
  roid: string
  statuses: string[]
  rgp_statuses: string[]
  registrant: string | null
  contacts: { type: string; id: string }[]
  nameservers: string[]
  /** The addresses of name servers by host, or none where hosts are objects. */
  glue: Record<string, string[]>
  /** The host objects below it, whether they are used or not. */
  subordinates: string[]
  sponsor: string
  created_at: string | null
  updated_at: string | null
  expires_at: string | null
  transferred_at: string | null
  /** It is null if it is not shown. RFC 9154 registries never show it. */
  auth_info: string | null
  ds_records: DsRecord[]
}

function nameserversOf(data: Element): string[] {
  const list = child(data, ns.domain, 'ns')
  if (!list) return []
  const objects = childrenOf(list, ns.domain, 'hostObj').map(words)
  const attributes = childrenOf(list, ns.domain, 'hostAttr').map((host) =>
    requiredWords(host, ns.domain, 'hostName'),
  )
  return [...objects, ...attributes].map(comparable)
}

function glueOf(data: Element): DomainInfo['glue'] {
  const list = child(data, ns.domain, 'ns')
  const hosts = list ? childrenOf(list, ns.domain, 'hostAttr') : []
  const known = hosts.flatMap((host) => {
    const addresses = childrenOf(host, ns.domain, 'hostAddr').map(words)
    const name = comparable(requiredWords(host, ns.domain, 'hostName'))
    return addresses.length > 0 ? [[name, addresses] as const] : []
  })
  return Object.fromEntries(known)
}

function statusesOf(data: Element, uri: string, local: string): string[] {
  return childrenOf(data, uri, local).flatMap((status) => attribute(status, 's') ?? [])
}

/**
 * Reads an infData, here or in a poll message. More than one rgpStatus is accepted, although the
 * schema allows one.
 */
export function readDomainInfo(data: Element, reply: Reply): DomainInfo {
  const grace = extensionOf(reply, ns.rgp, 'infData')
  const auth = child(data, ns.domain, 'authInfo')
  return {
    name: comparable(requiredWords(data, ns.domain, 'name')),
    roid: requiredWords(data, ns.domain, 'roid'),
    statuses: statusesOf(data, ns.domain, 'status'),
    rgp_statuses: grace ? statusesOf(grace, ns.rgp, 'rgpStatus') : [],
    registrant: childWords(data, ns.domain, 'registrant'),
    contacts: childrenOf(data, ns.domain, 'contact').map((contact) => ({
      type: attribute(contact, 'type') ?? '',
      id: words(contact),
    })),
    nameservers: nameserversOf(data),
    glue: glueOf(data),
    subordinates: childrenOf(data, ns.domain, 'host').map((host) => comparable(words(host))),
    sponsor: requiredWords(data, ns.domain, 'clID'),
    created_at: readableMoment(data, ns.domain, 'crDate'),
    updated_at: childMoment(data, ns.domain, 'upDate'),
    expires_at: readableMoment(data, ns.domain, 'exDate'),
    transferred_at: childMoment(data, ns.domain, 'trDate'),
    auth_info: auth ? (child(auth, ns.domain, 'pw')?.text ?? null) : null,
    ds_records: parseDsRecords(reply),
  }
}

/**
 * Domain <info> (RFC 5731 section 3.1.2), with grace periods (RFC 3915) and DS records (RFC 5910).
 */
export const domainInfo: Command<DomainInfoInput, DomainInfo> = {
  name: 'domain info',
  transforms: false,
  frame({ name, auth_info }, cl_trid) {
    const auth =
      auth_info === null
        ? ''
        : `<domain:authInfo><domain:pw>${password(auth_info)}</domain:pw></domain:authInfo>`
    const inside = `<domain:name hosts="all">${label(name)}</domain:name>${auth}`
    return commandFrame(cl_trid, objectAction('info', 'domain', inside))
  },
  parse(reply, { name }) {
    const data = dataOf(reply, ns.domain, 'infData')
    return { ...readDomainInfo(data, reply), name: sameName(data, ns.domain, name) }
  },
}

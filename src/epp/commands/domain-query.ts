// Query commands on domains (RFC 5731 section 3.1): check, with fees (RFC 8748), and info; transfer
// has a file of its own.
import { GarbageInput, UnwritableCommand } from '../errors.ts'
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
  currencyCode,
  each,
  label,
  objectAction,
  password,
  years,
} from './command.ts'
import { type DsRecord, parseDsRecords } from './domain-transform.ts'

// Fees (RFC 8748) are asked for with a check.

type FeeVerb = 'create' | 'renew' | 'transfer' | 'restore'
type FeeQuestion = { currency: string; verbs: readonly FeeVerb[]; period_years: number }

/**
 * The prices of one name. `totals` are exact sums of fees and credits; a verb without a fee is left
 * out.
 */
export type NameFees = {
  name: string
  currency: string
  fee_class: string | null
  /** false: the server says that a fee of this name is not the standard one. */
  standard: boolean | null
  totals: Partial<Record<FeeVerb, string>>
  reason: string | null
}

const amountForm = /^(-?)([0-9]+)(?:\.([0-9]+))?$/

/** `<fee:check>` for the names of a domain check. */
function feeCheck(question: FeeQuestion): string {
  if (question.verbs.length === 0) throw new UnwritableCommand('A fee check without a verb')
  const period = years('fee', question.period_years)
  const commands = question.verbs.map((verb) =>
    verb === 'restore'
      ? '<fee:command name="restore"/>'
      : `<fee:command name="${verb}">${period}</fee:command>`,
  )
  const inside = `${currencyCode(question.currency)}${commands.join('')}`
  return `<fee:check xmlns:fee="${ns.fee}">${inside}</fee:check>`
}

/** Exact sum of decimal strings with the most decimals among them, at least two. */
export function sumOf(amounts: readonly string[]): string {
  const [only] = amounts
  if (amounts.length === 1 && only !== undefined && /^[0-9]+\.[0-9]{2}$/.test(only)) return only
  const parts = amounts.map((amount) => amountForm.exec(amount))
  const decimals = Math.max(2, ...parts.map((part) => part?.[3]?.length ?? 0))
  let sum = 0n
  for (const part of parts) {
    if (!part) throw new GarbageInput('A fee that is not a decimal number')
    const value = BigInt(`${part[2]}${(part[3] ?? '').padEnd(decimals, '0')}`)
    sum += part[1] === '-' ? -value : value
  }
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  return `${sum < 0n ? '-' : ''}${whole}.${digits.slice(-decimals)}`
}

function verbOf(command: Element): FeeVerb | null {
  const name = attribute(command, 'name')
  const known = name === 'create' || name === 'renew' || name === 'transfer' || name === 'restore'
  return known ? name : null
}

/** One pass over a cd: a check of 50 names has some hundreds of fees. */
function readNameFees(cd: Element, currency: string): NameFees {
  const fees: NameFees = {
    name: '',
    currency,
    fee_class: null,
    standard: null,
    totals: {},
    reason: null,
  }
  for (const part of cd.children) {
    if (part.uri !== ns.fee) continue
    if (part.local === 'objID') fees.name = words(part)
    else if (part.local === 'class') fees.fee_class = words(part)
    else if (part.local === 'reason') fees.reason = words(part)
    else if (part.local === 'command') readCommand(part, fees)
  }
  return fees
}

function readCommand(command: Element, fees: NameFees): void {
  const verb = verbOf(command)
  if (!verb) return
  if (verb !== 'restore' && flag(command, 'standard') === false) fees.standard = false
  if (fees.standard === null && flag(command, 'standard') === true) fees.standard = true
  const amounts: string[] = []
  for (const part of command.children) {
    if (part.uri === ns.fee && (part.local === 'fee' || part.local === 'credit')) {
      amounts.push(words(part))
    }
  }
  if (amounts.length > 0) fees.totals[verb] = sumOf(amounts)
}

/**
 * The fees in the answer to a domain check, by name in lower case; empty when the server gave none.
 */
function parseFees(reply: Reply): Map<string, NameFees> {
  const answer = new Map<string, NameFees>()
  const data = extensionOf(reply, ns.fee, 'chkData')
  if (!data) return answer
  const currency = requiredWords(data, ns.fee, 'currency')
  for (const cd of data.children) {
    if (cd.uri !== ns.fee || cd.local !== 'cd') continue
    const fees = readNameFees(cd, currency)
    answer.set(comparable(fees.name), fees)
  }
  return answer
}

type DomainCheckInput = { names: readonly string[]; fees: FeeQuestion | null }
/** `available` null: the server's answer has no readable avail. */
export type DomainChecked = { name: string; available: boolean | null; reason: string | null }
export type DomainCheckAnswer = {
  names: Map<string, DomainChecked>
  fees: Map<string, NameFees>
}

/**
 * Shared by checks of domains and hosts: the answers to the names that were asked about, by name in
 * lower case. One that was not answered, or in two ways, has no readable avail, or no entry.
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
 * <check> (RFC 5731 section 3.1.1), alone or with fees (RFC 8748 section 4.1.1). Both maps go by
 * name in lower case; a name that the server did not speak of is not in them.
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
  parse(reply, { names: asked }) {
    const names = readChecked(dataOf(reply, ns.domain, 'chkData'), ns.domain, asked)
    return { names, fees: parseFees(reply) }
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
  /** Addresses of name servers by host; none where hosts are objects. */
  glue: Record<string, string[]>
  /** Host objects below it, used or not. */
  subordinates: string[]
  sponsor: string
  created_at: string | null
  updated_at: string | null
  expires_at: string | null
  transferred_at: string | null
  /** null: not shown. RFC 9154 registries never show it. */
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
  return [...objects, ...attributes].map((host) => host.toLowerCase())
}

function glueOf(data: Element): DomainInfo['glue'] {
  const list = child(data, ns.domain, 'ns')
  const hosts = list ? childrenOf(list, ns.domain, 'hostAttr') : []
  const known = hosts.flatMap((host) => {
    const addresses = childrenOf(host, ns.domain, 'hostAddr').map(words)
    const name = requiredWords(host, ns.domain, 'hostName').toLowerCase()
    return addresses.length > 0 ? [[name, addresses] as const] : []
  })
  return Object.fromEntries(known)
}

function statusesOf(data: Element, uri: string, local: string): string[] {
  return childrenOf(data, uri, local).flatMap((status) => attribute(status, 's') ?? [])
}

/**
 * Reads an infData, here or in a poll message. More than one rgpStatus is taken, though the schema
 * allows one.
 */
export function readDomainInfo(data: Element, reply: Reply): DomainInfo {
  const grace = extensionOf(reply, ns.rgp, 'infData')
  const auth = child(data, ns.domain, 'authInfo')
  return {
    name: requiredWords(data, ns.domain, 'name').toLowerCase(),
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
    subordinates: childrenOf(data, ns.domain, 'host').map((host) => words(host).toLowerCase()),
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

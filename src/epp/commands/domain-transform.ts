// Transform commands on domains (RFC 5731 section 3.2), with agreed fees (RFC 8748) and DS records
// (RFC 5910). Transfer and restore are in separate files.
import { UnwritableCommand } from '../errors.ts'
import {
  childMoment,
  dataOf,
  extensionOf,
  type Reply,
  requireSameName,
  sameName,
} from '../replies/reply.ts'
import { childrenOf, ns, requiredWords } from '../xml/xml.ts'
import {
  addressList,
  type Command,
  commandFrame,
  counted,
  currencyCode,
  date,
  deleteCommand,
  each,
  identifier,
  label,
  nothing,
  objectAction,
  password,
  years,
} from './command.ts'

/** `amount` is a decimal string of zero or more. */
export type Fee = { currency: string; amount: string }

/** The agreement to a fee inside a transform command, or empty if there is none to agree to. */
export function feeAgreed(verb: 'create' | 'renew' | 'transfer' | 'update', fee: Fee | null) {
  if (!fee) return ''
  if (!/^[0-9]{1,18}(\.[0-9]{1,6})?$/.test(fee.amount)) {
    throw new UnwritableCommand(`${fee.amount} is not a fee`)
  }
  const amount = `<fee:fee>${fee.amount}</fee:fee>`
  return `<fee:${verb} xmlns:fee="${ns.fee}">${currencyCode(fee.currency)}${amount}</fee:${verb}>`
}

// DS records (RFC 5910), only by the dsData interface.

/** `digest` is in hexadecimal. */
export type DsRecord = { key_tag: number; algorithm: number; digest_type: number; digest: string }

function whole(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new UnwritableCommand(`DS record: ${value} is not 0..${max}`)
  }
  return value
}

function dsData(record: DsRecord): string {
  if (!/^([0-9A-Fa-f]{2})+$/.test(record.digest)) {
    throw new UnwritableCommand('DS record: the digest is not hexadecimal')
  }
  return (
    `<secDNS:dsData><secDNS:keyTag>${whole(record.key_tag, 65535)}</secDNS:keyTag>` +
    `<secDNS:alg>${whole(record.algorithm, 255)}</secDNS:alg>` +
    `<secDNS:digestType>${whole(record.digest_type, 255)}</secDNS:digestType>` +
    `<secDNS:digest>${record.digest}</secDNS:digest></secDNS:dsData>`
  )
}

function all(records: readonly DsRecord[]): string {
  return counted(records, 'DS records').map(dsData).join('')
}

/** The extension of a domain create, or empty without records. */
function secDnsCreate(records: readonly DsRecord[]): string {
  if (records.length === 0) return ''
  return `<secDNS:create xmlns:secDNS="${ns.secDNS}">${all(records)}</secDNS:create>`
}

/**
 * The extension of a domain update. With `remove: 'all'`, every record is removed before the new
 * ones are added.
 */
function secDnsUpdate(change: { add: DsRecord[]; remove: DsRecord[] | 'all' }): string {
  const { add, remove } = change
  if (add.length === 0 && remove.length === 0) return ''
  const removed = remove === 'all' ? '<secDNS:all>true</secDNS:all>' : remove.map(dsData).join('')
  const rem = removed === '' ? '' : `<secDNS:rem>${removed}</secDNS:rem>`
  const added = add.length === 0 ? '' : `<secDNS:add>${all(add)}</secDNS:add>`
  return `<secDNS:update xmlns:secDNS="${ns.secDNS}">${rem}${added}</secDNS:update>`
}

/** The DS records in the answer to a domain info. */
export function parseDsRecords(reply: Reply): DsRecord[] {
  const data = extensionOf(reply, ns.secDNS, 'infData')
  if (!data) return []
  return childrenOf(data, ns.secDNS, 'dsData').map((record) => ({
    key_tag: Number(requiredWords(record, ns.secDNS, 'keyTag')),
    algorithm: Number(requiredWords(record, ns.secDNS, 'alg')),
    digest_type: Number(requiredWords(record, ns.secDNS, 'digestType')),
    digest: requiredWords(record, ns.secDNS, 'digest'),
  }))
}

type HostModel = 'hostObj' | 'hostAttr'
type ContactType = 'admin' | 'tech' | 'billing'
/** The addresses of name servers by host, for the model hostAttr; host objects have their own. */
type Glue = Readonly<Record<string, readonly string[]>>

export type DomainCreateInput = {
  name: string
  period_years: number
  nameservers: readonly string[]
  glue?: Glue
  host_model: HostModel
  registrant: string | null
  contacts: readonly { type: ContactType; id: string }[]
  /** It may be empty (RFC 9154 section 4.1). */
  auth_info: string
  fee: Fee | null
  ds_records: readonly DsRecord[]
}
/** A date that is left out or cannot be read is null, because domain:info has it. */
type DomainCreated = {
  name: string
  created_at: string | null
  expires_at: string | null
}

type Nameservers = { nameservers: readonly string[]; host_model: HostModel; glue?: Glue }

/** The element `<domain:ns>` in the registry's model, or empty without name servers. */
function nameserverList({ nameservers, host_model, glue = {} }: Nameservers): string {
  if (nameservers.length === 0) return ''
  const list = each(nameservers, (host) => {
    if (host_model === 'hostObj') return `<domain:hostObj>${label(host)}</domain:hostObj>`
    const addresses = Object.hasOwn(glue, host) ? (glue[host] ?? []) : []
    const inside = `<domain:hostName>${label(host)}</domain:hostName>`
    const glued = `${inside}${addressList(addresses, 'domain:hostAddr')}`
    return `<domain:hostAttr>${glued}</domain:hostAttr>`
  })
  return `<domain:ns>${list}</domain:ns>`
}

/** Domain <create> (section 3.2.1), with the agreed fee (RFC 8748) and DS records (RFC 5910). */
export const domainCreate: Command<DomainCreateInput, DomainCreated> = {
  name: 'domain create',
  transforms: true,
  frame(input, cl_trid) {
    const registrant =
      input.registrant === null
        ? ''
        : `<domain:registrant>${identifier(input.registrant)}</domain:registrant>`
    const contacts = input.contacts.map(
      ({ type, id }) => `<domain:contact type="${type}">${identifier(id)}</domain:contact>`,
    )
    const inside =
      `<domain:name>${label(input.name)}</domain:name>${years('domain', input.period_years)}` +
      `${nameserverList(input)}${registrant}${contacts.join('')}` +
      `<domain:authInfo><domain:pw>${password(input.auth_info)}</domain:pw></domain:authInfo>`
    const secDns = secDnsCreate(input.ds_records)
    const action = objectAction('create', 'domain', inside)
    return commandFrame(cl_trid, action, feeAgreed('create', input.fee), secDns)
  },
  identify: (reply, { name }) => requireSameName(reply, ns.domain, name),
  parse(reply, { name }) {
    const data = dataOf(reply, ns.domain, 'creData')
    return {
      name: sameName(data, ns.domain, name),
      created_at: childMoment(data, ns.domain, 'crDate'),
      expires_at: childMoment(data, ns.domain, 'exDate'),
    }
  },
}

type DomainRenewInput = {
  name: string
  /** The date as YYYY-MM-DD, in UTC. */
  cur_exp_date: string
  period_years: number
  fee: Fee | null
}
type DomainRenewed = { name: string; expires_at: string | null }

/**
 * Domain <renew> (RFC 5731 section 3.2.3). curExpDate is the fence, so the same renew cannot count
 * twice.
 */
export const domainRenew: Command<DomainRenewInput, DomainRenewed> = {
  name: 'domain renew',
  transforms: true,
  frame(input, cl_trid) {
    const inside =
      `<domain:name>${label(input.name)}</domain:name>` +
      `<domain:curExpDate>${date(input.cur_exp_date)}</domain:curExpDate>` +
      `${years('domain', input.period_years)}`
    const action = objectAction('renew', 'domain', inside)
    return commandFrame(cl_trid, action, feeAgreed('renew', input.fee))
  },
  identify: (reply, { name }) => requireSameName(reply, ns.domain, name),
  parse(reply, { name }) {
    const data = dataOf(reply, ns.domain, 'renData')
    return {
      name: sameName(data, ns.domain, name),
      expires_at: childMoment(data, ns.domain, 'exDate'),
    }
  },
}

/** The statuses that a registrar may set (RFC 5731 section 2.3). */
const clientStatuses = [
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
] as const

type DomainChange = {
  nameservers: readonly string[]
  /** The statuses of `add`; a status in `rem` is only named. */
  glue?: Glue
  contacts: readonly { type: ContactType; id: string }[]
  statuses: readonly string[]
}
type DomainUpdateInput = {
  name: string
  host_model: HostModel
  add: DomainChange
  remove: DomainChange
  /**
   * A field that is left out stays. Null removes a registrant or the authInfo (RFC 9154 section
   * 5.2).
   */
  registrant?: string | null
  auth_info?: string | null
  ds_records?: { add: DsRecord[]; remove: DsRecord[] | 'all' }
}

function addOrRemove(element: 'add' | 'rem', change: DomainChange, host_model: HostModel): string {
  const contacts = change.contacts.map(
    ({ type, id }) => `<domain:contact type="${type}">${identifier(id)}</domain:contact>`,
  )
  const statuses = each(change.statuses, (status) => {
    if (!clientStatuses.some((known) => known === status)) {
      throw new UnwritableCommand(`A registrar cannot set the status ${status}`)
    }
    return `<domain:status s="${status}"/>`
  })
  if (change.statuses.length > 0) counted(change.statuses, 'Statuses', 11)
  const inside = `${nameserverList({ ...change, host_model })}${contacts.join('')}${statuses}`
  return inside === '' ? '' : `<domain:${element}>${inside}</domain:${element}>`
}

function changed({ registrant, auth_info }: DomainUpdateInput): string {
  let inside = ''
  if (registrant === null) inside += '<domain:registrant/>'
  else if (registrant !== undefined) {
    inside += `<domain:registrant>${identifier(registrant)}</domain:registrant>`
  }
  if (auth_info === null) inside += '<domain:authInfo><domain:null/></domain:authInfo>'
  else if (auth_info !== undefined) {
    inside += `<domain:authInfo><domain:pw>${password(auth_info)}</domain:pw></domain:authInfo>`
  }
  return inside === '' ? '' : `<domain:chg>${inside}</domain:chg>`
}

/** An update of a domain, by RFC 5731 or an extension. */
export function updateAction(name: string, inside: string): string {
  return objectAction('update', 'domain', `<domain:name>${label(name)}</domain:name>${inside}`)
}

/** Domain <update> (RFC 5731 section 3.2.5). */
export const domainUpdate: Command<DomainUpdateInput, null> = {
  name: 'domain update',
  transforms: true,
  frame(input, cl_trid) {
    const { name, host_model } = input
    const add = addOrRemove('add', input.add, host_model)
    const remove = addOrRemove('rem', input.remove, host_model)
    const inside = `${add}${remove}${changed(input)}`
    const extension = input.ds_records ? secDnsUpdate(input.ds_records) : ''
    if (inside === '' && extension === '') throw new UnwritableCommand('Nothing to update')
    return commandFrame(cl_trid, updateAction(name, inside), extension)
  },
  parse: nothing,
}

/**
 * Domain <delete> (RFC 5731 section 3.2.2). It is often answered with 1001, and the name then goes
 * through its redemption.
 */
export const domainDelete = deleteCommand('domain', 'name')

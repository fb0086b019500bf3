// Transform commands on domains (RFC 5731 section 3.2); transfer has a file of its own.
import { UnwritableCommand } from '../errors.ts'
import { childMoment, dataOf, requireSameName, sameName } from '../replies/reply.ts'
import { ns } from '../xml/xml.ts'
import {
  addressList,
  type Command,
  commandFrame,
  counted,
  date,
  dateTime,
  each,
  identifier,
  label,
  line,
  nothing,
  objectAction,
  password,
  years,
} from './command.ts'
import {
  type DsRecord,
  type Fee,
  feeAgreed,
  secDnsCreate,
  secDnsUpdate,
} from './domain-extensions.ts'

export type HostModel = 'hostObj' | 'hostAttr'
export type ContactType = 'admin' | 'tech' | 'billing'
/** Addresses of name servers by host, for the model hostAttr: host objects have their own. */
export type Glue = Readonly<Record<string, readonly string[]>>

export type DomainCreateInput = {
  name: string
  period_years: number
  nameservers: readonly string[]
  glue?: Glue
  host_model: HostModel
  registrant: string | null
  contacts: readonly { type: ContactType; id: string }[]
  /** May be empty (RFC 9154 section 4.1). */
  auth_info: string
  fee: Fee | null
  ds_records: readonly DsRecord[]
}
/** A date that is left out, or cannot be read, is null: domain:info has it. */
type DomainCreated = {
  name: string
  created_at: string | null
  expires_at: string | null
}

type Nameservers = { nameservers: readonly string[]; host_model: HostModel; glue?: Glue }

/** `<domain:ns>` in the registry's model; empty without name servers. */
export function nameserverList({ nameservers, host_model, glue = {} }: Nameservers): string {
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
  /** YYYY-MM-DD, in UTC. */
  cur_exp_date: string
  period_years: number
  fee: Fee | null
}
type DomainRenewed = { name: string; expires_at: string | null }

/**
 * Domain <renew> (RFC 5731 section 3.2.3). curExpDate is the fence: the same renew cannot count
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
  /** For `add`: what is removed goes by its name alone. */
  glue?: Glue
  contacts: readonly { type: ContactType; id: string }[]
  statuses: readonly string[]
}
type DomainUpdateInput = {
  name: string
  host_model: HostModel
  add: DomainChange
  remove: DomainChange
  /** Left out: stays. Null takes a registrant or the authInfo away (RFC 9154 section 5.2). */
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

function action(name: string, inside: string): string {
  return objectAction('update', 'domain', `<domain:name>${label(name)}</domain:name>${inside}`)
}

/** Domain <update> (RFC 5731 section 3.2.5), and the restore of RFC 3915 that travels in one. */
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
    return commandFrame(cl_trid, action(name, inside), extension)
  },
  parse: nothing,
}

type RestoreReport = {
  name: string
  /** Times in ISO 8601. */
  deleted_at: string
  restored_at: string
  /** The registration's facts before the delete and after the restore, for a person to compare. */
  before: string
  after: string
  reason: string
  /**
   * RFC 3915 section 4.1: that the registrar does not take the name for itself, and that the report
   * is true.
   */
  statements: readonly [string, string]
}

function restoreFrame(cl_trid: string, name: string, ...extensions: string[]): string {
  return commandFrame(cl_trid, action(name, '<domain:chg/>'), ...extensions)
}

/** RFC 3915 section 4.2.5: an update that asks for the restore of a name in redemption. */
export const domainRestore: Command<{ name: string; fee: Fee | null }, null> = {
  name: 'domain restore',
  transforms: true,
  frame({ name, fee }, cl_trid) {
    const restore = `<rgp:update xmlns:rgp="${ns.rgp}"><rgp:restore op="request"/></rgp:update>`
    return restoreFrame(cl_trid, name, restore, feeAgreed('update', fee))
  },
  parse: nothing,
}

/**
 * The report that ends a restore; without it most registries let the name fall back into
 * redemption.
 */
export const domainRestoreReport: Command<RestoreReport, null> = {
  name: 'domain restore report',
  transforms: true,
  frame(report, cl_trid) {
    const text = (value: string) => line(value, 'Restore report', { min: 1, max: 4_000 })
    const inside =
      `<rgp:preData>${text(report.before)}</rgp:preData>` +
      `<rgp:postData>${text(report.after)}</rgp:postData>` +
      `<rgp:delTime>${dateTime(report.deleted_at)}</rgp:delTime>` +
      `<rgp:resTime>${dateTime(report.restored_at)}</rgp:resTime>` +
      `<rgp:resReason>${text(report.reason)}</rgp:resReason>` +
      each(report.statements, (value) => `<rgp:statement>${text(value)}</rgp:statement>`)
    const restore = `<rgp:restore op="report"><rgp:report>${inside}</rgp:report></rgp:restore>`
    const extension = `<rgp:update xmlns:rgp="${ns.rgp}">${restore}</rgp:update>`
    return restoreFrame(cl_trid, report.name, extension)
  },
  parse: nothing,
}

/**
 * Domain <delete> (RFC 5731 section 3.2.2). Often answered 1001: the name then goes through its
 * redemption.
 */
export const domainDelete: Command<{ name: string }, null> = {
  name: 'domain delete',
  transforms: true,
  frame({ name }, cl_trid) {
    const inside = `<domain:name>${label(name)}</domain:name>`
    return commandFrame(cl_trid, objectAction('delete', 'domain', inside))
  },
  parse: nothing,
}

// Domain <update> (RFC 5731 section 3.2.5), and the restore of RFC 3915 that travels in one.
import { UnwritableCommand } from '../errors.ts'
import { ns } from '../xml/namespaces.ts'
import {
  type Command,
  commandFrame,
  counted,
  dateTime,
  each,
  identifier,
  label,
  line,
  nothing,
  password,
} from './command.ts'
import { type ContactType, type Glue, type HostModel, nameserverList } from './domain-create.ts'
import { type Fee, feeAgreed } from './fee.ts'
import { type DsRecord, secDnsUpdate } from './secdns.ts'

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
  const content = `<domain:name>${label(name)}</domain:name>${inside}`
  return `<update><domain:update xmlns:domain="${ns.domain}">${content}</domain:update></update>`
}

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

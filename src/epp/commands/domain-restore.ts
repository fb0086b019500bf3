// Restore of a domain in redemption (RFC 3915): the update that requests it, and its report.
import { ns } from '../xml/xml.ts'
import { type Command, commandFrame, dateTime, each, line, nothing } from './command.ts'
import { type Fee, feeAgreed, updateAction } from './domain-transform.ts'

type RestoreReport = {
  name: string
  /** The times are in ISO 8601. */
  deleted_at: string
  restored_at: string
  /**
   * The facts of the registration before the delete and after the restore, which the registry
   * compares.
   */
  before: string
  after: string
  reason: string
  /**
   * RFC 3915 section 4.1: the registrar does not take the name for itself, and the report is true.
   */
  statements: readonly [string, string]
}

function restoreFrame(cl_trid: string, name: string, ...extensions: string[]): string {
  return commandFrame(cl_trid, updateAction(name, '<domain:chg/>'), ...extensions)
}

/** RFC 3915 section 4.2.5: an update that requests the restore of a name in redemption. */
export const domainRestore: Command<{ name: string; fee: Fee | null }, null> = {
  name: 'domain restore',
  transforms: true,
  frame({ name, fee }, cl_trid) {
    const restore = `<rgp:update xmlns:rgp="${ns.rgp}"><rgp:restore op="request"/></rgp:update>`
    return restoreFrame(cl_trid, name, restore, feeAgreed('update', fee))
  },
  parse: nothing,
}

/** The report that ends a restore. Without it, most registries return the name to redemption. */
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

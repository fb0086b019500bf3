// Domain <check> (RFC 5731 section 3.1.1), alone or with fees (RFC 8748 section 4.1.1).
import { ns } from '../namespaces.ts'
import { dataOf } from '../reply.ts'
import { child, childWords, type Element, flag, words } from '../xml.ts'
import { type Command, commandFrame, counted, each, label } from './command.ts'
import { type FeeQuestion, feeCheck, type NameFees, parseFees } from './fee.ts'

export type DomainCheckInput = { names: readonly string[]; fees: FeeQuestion | null }
/** `available` null: the server's answer has no readable avail. */
export type DomainChecked = { name: string; available: boolean | null; reason: string | null }
export type DomainCheckAnswer = {
  names: Map<string, DomainChecked>
  fees: Map<string, NameFees>
}

/** Shared by checks of domains and hosts: one cd as its name, avail and reason. */
export function readChecked(cd: Element, uri: string): DomainChecked | undefined {
  const name = child(cd, uri, 'name')
  if (!name) return undefined
  return {
    name: words(name).toLowerCase(),
    available: flag(name, 'avail'),
    reason: childWords(cd, uri, 'reason'),
  }
}

/** Both maps go by name in lower case; a name that the server did not speak of is not in them. */
export const domainCheck: Command<DomainCheckInput, DomainCheckAnswer> = {
  name: 'domain check',
  transforms: false,
  frame({ names, fees }, cl_trid) {
    const list = each(
      counted(names, 'Names'),
      (name) => `<domain:name>${label(name)}</domain:name>`,
    )
    const action = `<check><domain:check xmlns:domain="${ns.domain}">${list}</domain:check></check>`
    return commandFrame(cl_trid, action, fees ? feeCheck(fees) : '')
  },
  parse(reply) {
    const names = new Map<string, DomainChecked>()
    for (const cd of dataOf(reply, ns.domain, 'chkData').children) {
      const checked = readChecked(cd, ns.domain)
      if (checked) names.set(checked.name, checked)
    }
    return { names, fees: parseFees(reply) }
  },
}

// Domain <check> (RFC 5731 section 3.1.1), alone or with fees (RFC 8748 section 4.1.1).
import { comparable } from '../replies/object-identity.ts'
import { dataOf } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { child, childWords, type Element, flag, words } from '../xml/xml.ts'
import { type Command, commandFrame, counted, each, label } from './command.ts'
import { type FeeQuestion, feeCheck, type NameFees, parseFees } from './fee.ts'

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
  parse(reply, { names: asked }) {
    const names = readChecked(dataOf(reply, ns.domain, 'chkData'), ns.domain, asked)
    return { names, fees: parseFees(reply) }
  },
}

// domain:update: name servers, contacts, statuses, registrant, authInfo and DS records.

import { MAX_NAMESERVERS } from '../model/profiles.ts'
import type { Domain, Nameserver } from '../model/records.ts'
import { RGP, SEC_DNS } from '../protocol/namespaces.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import type { Element } from '../protocol/xml.ts'
import {
  type Call,
  readDomain,
  refuseStatuses,
  requireSponsor,
  touched,
} from './command-context.ts'
import {
  readContacts,
  readNameservers,
  requireContact,
  requireGlue,
  requireRoles,
  updatedDs,
} from './domain-parts.ts'
import { child, inOrder, optionalText, readNewAuthInfo } from './field-parser.ts'
import { restoreDomain } from './restore.ts'
import { changeStatuses } from './statuses.ts'

const SETTABLE = ['Delete', 'Renew', 'Transfer', 'Update']
  .map((verb) => `client${verb}Prohibited`)
  .concat('clientHold')

/** RFC 5731 section 3.2.5. */
export function updateDomain(call: Call): Reply {
  inOrder(call.body, 'name add rem chg')
  const domain = readDomain(call)
  requireSponsor(call, domain)
  if (call.extensions.has(RGP)) return restoreDomain(call, domain)
  const add = child(call.body, 'add')
  const rem = child(call.body, 'rem')
  const chg = child(call.body, 'chg')
  if (!add && !rem && !chg && !call.extensions.has(SEC_DNS)) {
    throw new Refused(2003, 'nothing to change')
  }
  for (const part of [add, rem]) if (part !== undefined) inOrder(part, 'ns contact status')
  if (chg !== undefined) inOrder(chg, 'registrant authInfo')
  const statuses = changeStatuses({ before: domain.statuses, add, rem, settable: SETTABLE })
  refuseStatuses(permitting(call, domain, { rem, others: [add, chg] }), 'Update')
  const next: Domain = {
    ...domain,
    ...touched(call),
    ...changePeople(call, domain, { add, rem, chg }),
    statuses,
    nameservers: changeNameservers(call, domain, { add, rem }),
    auth_info: newAuthInfo(call, chg) ?? domain.auth_info,
    ds: updatedDs(call, domain.ds),
  }
  call.registry.domains.put(domain.name, next)
  return { code: 1000 }
}

type Change = { rem: Element | undefined; others: (Element | undefined)[] }

/**
 * The domain without clientUpdateProhibited where that is all that the update removes: RFC 5731
 * section 2.3 has any other one rejected.
 */
function permitting(call: Call, domain: Domain, { rem, others }: Change): Domain {
  const [only, ...more] = rem?.children ?? []
  const isAlone = more.length === 0 && others.every((part) => part === undefined)
  const lifts = only?.attributes.get('s') === 'clientUpdateProhibited'
  if (!lifts || !isAlone || call.extensions.has(SEC_DNS)) return domain
  const statuses = domain.statuses.filter((status) => status !== 'clientUpdateProhibited')
  return { ...domain, statuses }
}

function newAuthInfo(call: Call, chg: Element | undefined): string | null {
  return chg === undefined ? null : readNewAuthInfo(chg, call.registry.profile)
}

type Parts = { add: Element | undefined; rem: Element | undefined }

function changeNameservers(call: Call, domain: Domain, { add, rem }: Parts): Nameserver[] {
  const before = domain.nameservers
  const gone = readNameservers(call, rem).map(({ name }) => name)
  for (const name of gone) {
    if (before.some((each) => each.name === name)) continue
    throw new Refused(2306, `${name} is not a name server of the domain`)
  }
  const kept = before.filter(({ name }) => !gone.includes(name))
  const added = readNameservers(call, add)
  if (call.registry.profile.host_model === 'hostAttr') requireGlue(domain.name, added)
  for (const { name } of added) {
    if (!kept.some((each) => each.name === name)) continue
    throw new Refused(2306, `${name} is already a name server of the domain`)
  }
  const after = [...kept, ...added]
  if (after.length > MAX_NAMESERVERS) throw new Refused(2306, `at most ${MAX_NAMESERVERS}`)
  return after
}

function changePeople(
  call: Call,
  domain: Domain,
  { add, rem, chg }: Parts & { chg: Element | undefined },
): Pick<Domain, 'registrant' | 'contacts'> {
  const gone = rem === undefined ? [] : readContacts(call, rem)
  const added = add === undefined ? [] : readContacts(call, add)
  const registrant = (chg === undefined ? null : optionalText(chg, 'registrant')) ?? null
  if (gone.length === 0 && added.length === 0 && registrant === null) {
    return { registrant: domain.registrant, contacts: domain.contacts }
  }
  if (registrant !== null) requireContact(call, registrant)
  const same = (a: { type: string; id: string }, b: { type: string; id: string }): boolean =>
    a.type === b.type && a.id === b.id
  const kept = domain.contacts.filter((each) => !gone.some((other) => same(each, other)))
  if (kept.length + gone.length !== domain.contacts.length) {
    throw new Refused(2306, 'a contact to remove is not there')
  }
  if (added.some((each) => kept.some((other) => same(each, other)))) {
    throw new Refused(2306, 'a contact to add is already there')
  }
  const people = { registrant: registrant ?? domain.registrant, contacts: [...kept, ...added] }
  requireRoles(call, people)
  return people
}

// domain:create: everything is checked before anything is stored.

import { addYears, dateTime } from '../../support/sandbox-clock.ts'
import { graceOf } from '../model/grace-periods.ts'
import { isReserved, splitName } from '../model/names.ts'
import { priceOf } from '../model/prices.ts'
import { MAX_NAMESERVERS } from '../model/profiles.ts'
import type { Domain } from '../model/records.ts'
import { DOMAIN } from '../protocol/namespaces.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import { type Call, readDomainName } from './command-context.ts'
import {
  createdDs,
  readContacts,
  readNameservers,
  readYears,
  requireContact,
  requireGlue,
  requireRoles,
} from './domain-parts.ts'
import { renderExpiry } from './domain-view.ts'
import { acknowledgeFee, feeResult } from './fees.ts'
import { inOrder, optionalText, readNewAuthInfo } from './field-parser.ts'

/** RFC 5731 section 3.2.1. */
export function createDomain(call: Call): Reply {
  const { registry } = call
  inOrder(call.body, 'name period ns registrant contact authInfo')
  const name = readDomainName(call)
  const years = readYears(call.body)
  const auth_info = readNewAuthInfo(call.body, registry.profile)
  if (auth_info === null) throw new Refused(2003, 'authInfo is required')
  if (isReserved(splitName(name)?.label ?? '')) throw new Refused(2306, `${name} is reserved`)
  if (registry.domains.has(name)) throw new Refused(2302, `${name} exists`)
  const facts = { name, auth_info, ...readFacts(call, name) }
  const price = priceOf(registry, name, { kind: 'create', years })
  acknowledgeFee(call, price)
  registry.requireCredit(call.registrar, price.cents)
  const effect = registry.charge({
    registrar: call.registrar,
    kind: 'create',
    domain: name,
    years,
    cents: price.cents,
    at: call.now,
    cl_trid: call.cl_trid,
  })
  const domain: Domain = {
    ...facts,
    roid: registry.roid('D'),
    sponsor: call.registrar,
    creator: call.registrar,
    created_at: call.now,
    updater: null,
    updated_at: null,
    transferred_at: null,
    expires_at: addYears(call.now, years),
    statuses: [],
    graces: [graceOf('add', call.now, { effect, years })],
    phase: 'active',
    phase_ends_at: null,
    deletion: null,
    restore_at: null,
    transfer: null,
  }
  registry.domains.put(name, domain)
  return {
    code: 1000,
    data:
      `<domain:creData xmlns:domain="${DOMAIN}"><domain:name>${name}</domain:name>` +
      `<domain:crDate>${dateTime(domain.created_at)}</domain:crDate>` +
      `${renderExpiry(registry, domain.expires_at)}</domain:creData>`,
    extension: feeResult(call, 'creData', price.cents),
  }
}

function readFacts(call: Call, name: string) {
  const nameservers = readNameservers(call, call.body)
  if (nameservers.length > MAX_NAMESERVERS) {
    throw new Refused(2306, `at most ${MAX_NAMESERVERS} name servers`)
  }
  if (call.registry.profile.host_model === 'hostAttr') requireGlue(name, nameservers)
  const registrant = optionalText(call.body, 'registrant')
  if (registrant !== null) requireContact(call, registrant)
  const contacts = readContacts(call, call.body)
  requireRoles(call, { registrant, contacts })
  return { nameservers, registrant, contacts, ds: createdDs(call) }
}

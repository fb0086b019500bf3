// The commands host:check, create, info, update and delete (RFC 5732), for the registry with host
// objects.

import { dateTime } from '../../support/sandbox-clock.ts'
import { parseName } from '../model/names.ts'
import type { Address, Host } from '../model/records.ts'
import { parentOf } from '../model/registry.ts'
import { HOST } from '../protocol/namespaces.ts'
import { Refused, type Reply } from '../protocol/reply.ts'
import { collapse } from '../protocol/xml.ts'
import { type Call, requireSponsor, touched } from './command-context.ts'
import { renderAddresses } from './domain-view.ts'
import {
  child,
  children,
  inOrder,
  optionalText,
  readAddresses,
  requiredText,
} from './field-parser.ts'
import { changeStatuses } from './statuses.ts'

const SETTABLE = ['clientDeleteProhibited', 'clientUpdateProhibited']

function readHost(call: Call): Host {
  const name = parseName(requiredText(call.body, 'name'))
  const host = call.registry.hosts.get(name)
  if (host === undefined) throw new Refused(2303, `the host ${name} does not exist`)
  return host
}

export function checkHosts(call: Call): Reply {
  const { profile, hosts } = call.registry
  inOrder(call.body, 'name')
  const names = children(call.body, 'name').map((each) => parseName(collapse(each.text)))
  if (names.length === 0) throw new Refused(2003, 'name is required')
  if (names.length > profile.names_per_check) {
    throw new Refused(profile.too_many_names_code, `at most ${profile.names_per_check} names`)
  }
  const entries = names.map((name) =>
    hosts.has(name)
      ? `<host:cd><host:name avail="0">${name}</host:name>` +
        '<host:reason>In use</host:reason></host:cd>'
      : `<host:cd><host:name avail="1">${name}</host:name></host:cd>`,
  )
  return {
    code: 1000,
    data: `<host:chkData xmlns:host="${HOST}">${entries.join('')}</host:chkData>`,
  }
}

/**
 * A host within a domain of this registry (RFC 5732 section 1.1) needs its sponsor and glue; other
 * hosts must have no glue.
 */
function requirePlace(call: Call, name: string, addresses: Address[]): void {
  const parent = parentOf(name)
  const tld = parent.split('.').at(-1) ?? ''
  if (call.registry.profile.prices[tld] === undefined) {
    if (addresses.length > 0) throw new Refused(2306, 'an outside host has no address here')
    return
  }
  const domain = call.registry.domains.get(parent)
  if (domain === undefined) throw new Refused(2303, `the domain ${parent} does not exist`)
  requireSponsor(call, domain)
  if (addresses.length === 0) throw new Refused(2003, `${name} needs an address`)
}

export function createHost(call: Call): Reply {
  const { registry } = call
  inOrder(call.body, 'name addr')
  const name = parseName(requiredText(call.body, 'name'))
  const addresses = readAddresses(call.body, 'addr')
  if (registry.hosts.has(name)) throw new Refused(2302, `the host ${name} exists`)
  requirePlace(call, name, addresses)
  registry.hosts.put(name, {
    name,
    roid: registry.roid('H'),
    sponsor: call.registrar,
    creator: call.registrar,
    created_at: call.now,
    updater: null,
    updated_at: null,
    statuses: [],
    addresses,
  })
  return {
    code: 1000,
    data:
      `<host:creData xmlns:host="${HOST}"><host:name>${name}</host:name>` +
      `<host:crDate>${dateTime(call.now)}</host:crDate></host:creData>`,
  }
}

export function infoHost(call: Call): Reply {
  inOrder(call.body, 'name')
  const host = readHost(call)
  const statuses = [...host.statuses]
  if (call.registry.links.has(`host ${host.name}`)) statuses.push('linked')
  if (statuses.length === 0 || statuses[0] === 'linked') statuses.unshift('ok')
  const updated =
    host.updater === null || host.updated_at === null
      ? ''
      : `<host:upID>${host.updater}</host:upID>` +
        `<host:upDate>${dateTime(host.updated_at)}</host:upDate>`
  return {
    code: 1000,
    data:
      `<host:infData xmlns:host="${HOST}"><host:name>${host.name}</host:name>` +
      `<host:roid>${host.roid}</host:roid>` +
      statuses.map((status) => `<host:status s="${status}"/>`).join('') +
      `${renderAddresses(host.addresses, 'host:addr')}<host:clID>${host.sponsor}</host:clID>` +
      `<host:crID>${host.creator}</host:crID>` +
      `<host:crDate>${dateTime(host.created_at)}</host:crDate>${updated}</host:infData>`,
  }
}

export function updateHost(call: Call): Reply {
  const { registry, body } = call
  inOrder(body, 'name add rem chg')
  const host = readHost(call)
  requireSponsor(call, host)
  const [add, rem, chg] = ['add', 'rem', 'chg'].map((part) => child(body, part))
  if (!add && !rem && !chg) throw new Refused(2003, 'nothing to change')
  for (const part of [add, rem]) if (part !== undefined) inOrder(part, 'addr status')
  const statuses = changeStatuses({ before: host.statuses, add, rem, settable: SETTABLE })
  const lock = 'clientUpdateProhibited'
  if (host.statuses.includes(lock) && statuses.includes(lock)) throw new Refused(2304, lock)
  const gone = rem === undefined ? [] : readAddresses(rem, 'addr').map(({ address }) => address)
  const added = add === undefined ? [] : readAddresses(add, 'addr')
  const kept = host.addresses.filter(({ address }) => !gone.includes(address))
  const addresses = [...kept, ...added]
  const text = chg === undefined ? null : optionalText(chg, 'name')
  const name = text === null ? host.name : parseName(text)
  requirePlace(call, name, addresses)
  if (name !== host.name) {
    if (registry.hosts.has(name)) throw new Refused(2302, `the host ${name} exists`)
    if (registry.links.has(`host ${host.name}`)) throw new Refused(2305, 'it is linked')
    registry.hosts.remove(host.name)
  }
  registry.hosts.put(name, { ...host, ...touched(call), name, addresses, statuses })
  return { code: 1000 }
}

export function deleteHost(call: Call): Reply {
  inOrder(call.body, 'name')
  const host = readHost(call)
  requireSponsor(call, host)
  const lock = 'clientDeleteProhibited'
  if (host.statuses.includes(lock)) throw new Refused(2304, lock)
  if (call.registry.links.has(`host ${host.name}`)) throw new Refused(2305, 'it is linked')
  call.registry.hosts.remove(host.name)
  return { code: 1000 }
}

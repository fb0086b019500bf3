// Changes of a name at Openprovider that are free: name servers, lock, transfer code, approval
// of a transfer out, deletion.

import { comparable } from '../../../epp/replies/reply.ts'
import { systemClock } from '../../../kit/clock.ts'
import type { DomainName } from '../../../kit/random.ts'
import type { Attempt, Outcome, Priority, RegistryTransfer, UpdateCommand } from '../port.ts'
import { answers, type FoundDomain, nameserverList, partsOf } from './openprovider-answers.ts'
import { type Call, type Link, mapDone } from './openprovider-connection.ts'
import { after, refuse } from './openprovider-domains.ts'
import { find, glueOf, nameserversOf } from './openprovider-read.ts'

const lock = 'clientTransferProhibited'
const done: Outcome<null> = { kind: 'done', value: null, sv_trid: null }

/** Writes to the entry of a name, once its id is known; `call` makes the request. */
async function toEntry<T>(
  link: Link,
  target: { domain: DomainName; attempt: Attempt },
  call: (found: FoundDomain) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  return after(await find(link, target.domain, target.attempt.priority), call)
}

/** Name servers can only be set as a whole, so the difference is applied to the current ones. */
function changed(
  found: FoundDomain,
  { add, remove, glue }: NonNullable<UpdateCommand['nameservers']>,
) {
  const gone = new Set(remove.map(comparable))
  const kept = nameserversOf(found).filter((host) => !gone.has(host))
  const hosts = [...new Set([...kept, ...add.map(comparable)])]
  return nameserverList(hosts, { ...glueOf(found), ...glue })
}

/** The part of a command that Openprovider cannot do, or null if it can do all of it. */
function cannot({ statuses, auth_info, nameservers }: UpdateCommand): Outcome<never> | null {
  const words = [...(statuses?.add ?? []), ...(statuses?.remove ?? [])]
  const other = words.find((word) => word !== lock)
  if (other?.startsWith('server'))
    return refuse('bad_request', `${other} is not a registrar's to set (RFC 5731)`)
  if (other) return refuse('unsupported', `Openprovider sets ${lock} alone, not ${other}`)
  const full = Object.entries(nameservers?.glue ?? {}).find(([, addresses]) => {
    const v6 = addresses.filter((address) => address.includes(':')).length
    return v6 > 1 || addresses.length - v6 > 1
  })
  if (full) return refuse('unsupported', `Openprovider keeps one IPv4 and one IPv6 of ${full[0]}`)
  if (typeof auth_info === 'string')
    return refuse('unsupported', 'Openprovider chooses its transfer codes itself')
  return null
}

/**
 * If there is nothing to change, the change is done. A lock that is already set is refused, as
 * registries do. With `auth_info` null, the code is replaced by one that is not disclosed.
 */
export async function update(
  link: Link,
  command: UpdateCommand,
  attempt: Attempt,
): Promise<Outcome<null>> {
  const { domain, nameservers, statuses, auth_info } = command
  const unable = cannot(command)
  if (unable) return unable
  const lists = [nameservers?.add, nameservers?.remove, statuses?.add, statuses?.remove]
  const hosts = Object.keys(nameservers?.glue ?? {})
  if ([...lists, hosts].some((list) => (list ?? []).length > 0)) {
    const set = await toEntry(link, { domain, attempt }, (found) =>
      put(link, { found, command }, attempt),
    )
    if (set.kind !== 'done') return set
  }
  if (auth_info !== null) return done
  return mapDone(await renewAuthInfo(link, domain, attempt), () => null)
}

type Target = { found: FoundDomain; command: UpdateCommand }

async function put(
  link: Link,
  { found, command }: Target,
  attempt: Attempt,
): Promise<Outcome<null>> {
  const { nameservers, statuses, domain } = command
  const locking = statuses?.add.includes(lock) ?? false
  const unlocking = statuses?.remove.includes(lock) ?? false
  if (locking && found.is_locked) return refuse('policy', `${domain} is already locked`)
  if (unlocking && !found.is_locked) return refuse('policy', `${domain} is not locked`)
  const { id } = found
  const body = {
    id,
    domain: partsOf(domain),
    ...(nameservers ? { name_servers: changed(found, nameservers) } : {}),
    ...(locking || unlocking ? { is_locked: locking } : {}),
  }
  const call: Call = { method: 'PUT', path: `/domains/${id}`, body }
  const how = { priority: attempt.priority, attempt }
  return mapDone(await link.send(call, answers.anything, how), () => null)
}

export function renewAuthInfo(
  link: Link,
  domain: DomainName,
  attempt: Attempt,
): Promise<Outcome<{ auth_info: string }>> {
  return toEntry(link, { domain, attempt }, async ({ id }) => {
    const body = { id, domain: partsOf(domain), auth_code_type: 'external' }
    const call: Call = { method: 'POST', path: `/domains/${id}/authcode/reset`, body }
    const how = { priority: attempt.priority, attempt }
    return mapDone(await link.send(call, answers.auth_code, how), ({ auth_code }) => {
      return { auth_info: auth_code }
    })
  })
}

export async function readAuthInfo(
  link: Link,
  domain: DomainName,
  priority: Priority,
): Promise<Outcome<{ auth_info: string | null }>> {
  const found = await find(link, domain, priority)
  if (found.kind !== 'done') return found
  const { id } = found.value
  const query = { auth_code_type: 'external' }
  const call: Call = { method: 'GET', path: `/domains/${id}/authcode`, query }
  return mapDone(await link.send(call, answers.shown_auth_code, { priority }), ({ auth_code }) => {
    return { auth_info: auth_code || null }
  })
}

/** Approves or rejects a transfer out, whose other registrar the API does not show. */
export function answerTransfer(
  link: Link,
  { domain, approve }: { domain: DomainName; approve: boolean },
  attempt: Attempt,
): Promise<Outcome<RegistryTransfer>> {
  return toEntry(link, { domain, attempt }, async ({ id }) => {
    const body = { id, domain: partsOf(domain), approve: approve ? 1 : 0 }
    const call: Call = { method: 'POST', path: `/domains/${id}/transfer/approve`, body }
    const how = { priority: attempt.priority, attempt }
    const now = (link.parts.clock ?? systemClock).now().toISOString()
    return mapDone(await link.send(call, answers.anything, how), () => ({
      domain,
      status: approve ? 'clientApproved' : 'clientRejected',
      requested_by: '',
      requested_at: now,
      acts: link.profile.client_id,
      acts_at: now,
      expires_at: null,
    }))
  })
}

/**
 * If the TLD has a quarantine, the name enters it and the deletion is accepted; otherwise the name
 * is gone for good and the deletion is done.
 */
export function remove(link: Link, domain: DomainName, attempt: Attempt): Promise<Outcome<null>> {
  return toEntry(link, { domain, attempt }, async ({ id, status }) => {
    if (status === 'DEL') return refuse('status', `${domain} is already deleted`)
    const { name, extension } = partsOf(domain)
    const query = { 'domain.name': name, 'domain.extension': extension }
    const call: Call = { method: 'DELETE', path: `/domains/${id}`, query }
    const how = { priority: attempt.priority, attempt }
    const sent = await link.send(call, answers.anything, how)
    if (sent.kind !== 'done') return sent
    const left = await find(link, domain, attempt.priority)
    const gone = left.kind === 'refused' && left.reason === 'absent'
    return gone ? done : { kind: 'accepted', sv_trid: null }
  })
}

// Deletes a domain at its registry: first removes our own locks, then sends the delete. If hosts
// below the domain prevent that, they are deleted before it.

import type { Attempt, Outcome, Registry } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import { type DomainName, newId } from '../../../kit/random.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { isWithin } from '../names.ts'

type Removal =
  /** The registry accepted the delete, or had deleted the domain already, which a read shows. */
  | { kind: 'sent' }
  /** It is not known whether the delete was or will be done. */
  | { kind: 'silence'; why: string }
  /**
   * It did nothing. `in_use` means that other domains use hosts below it, so it cannot be deleted.
   */
  | { kind: 'refused' | 'in_use'; why: string }

/** The order matters: while the first is set, the registry takes no other change (RFC 5731 2.3). */
const ours = ['clientUpdateProhibited', 'clientDeleteProhibited']
const association_exists = 2305

type Sending = { registry: Registry; domain: DomainName; attempt: () => Attempt }

/**
 * The delete has a clTRID of its own each time, and a second one finds that the domain is gone
 * (2303). A domain with subordinate hosts is not deleted (RFC 5731 section 3.2.2): only then are
 * its own name servers removed from it, and the hosts deleted.
 */
export async function deleteAtRegistry(
  app: App,
  registry: Registry,
  { name: domain, epp_statuses, nameservers }: Holding,
): Promise<Removal> {
  const sending = { registry, domain, attempt: () => attemptOf(app) }
  const set = ours.filter((one) => epp_statuses.includes(one))
  const first = set.includes('clientDeleteProhibited') ? set : []
  const unlocked = await unlock(sending, first)
  if (unlocked.kind !== 'sent') return unlocked
  const deleted = await remove(sending)
  if (deleted.kind !== 'in_use') return deleted
  const open = await unlock(sending, first.length === 0 ? set : [])
  if (open.kind !== 'sent') return open
  const own = nameservers.filter((host) => isWithin(domain, host))
  const change = { domain, nameservers: { add: [], remove: own } }
  const off = removalOf(await registry.update(change, sending.attempt()))
  if (off.kind !== 'sent') return off
  const hosts = removalOf(await registry.deleteHosts(domain, 'normal'))
  return hosts.kind === 'sent' ? remove(sending) : hosts
}

export function attemptOf(app: App): Attempt {
  const cl_trid = newId('del', app.clock.now().getTime())
  return { cl_trid, priority: 'normal', at: () => undefined }
}

/** Deletes the hosts one by one. */
async function unlock(
  { registry, domain, attempt }: Sending,
  locks: readonly string[],
): Promise<Removal> {
  for (const status of locks) {
    const statuses = { add: [], remove: [status] }
    const unlocked = removalOf(await registry.update({ domain, statuses }, attempt()))
    if (unlocked.kind !== 'sent') return unlocked
  }
  return { kind: 'sent' }
}

async function remove({ registry, domain, attempt }: Sending): Promise<Removal> {
  const deleted = await registry.delete(domain, attempt())
  if (deleted.kind === 'refused' && deleted.reason === 'absent') return { kind: 'sent' }
  return removalOf(deleted)
}

function removalOf(outcome: Outcome<null>): Removal {
  switch (outcome.kind) {
    case 'done':
    case 'accepted':
      return { kind: 'sent' }
    case 'unknown':
      return { kind: 'silence', why: outcome.message }
    case 'refused': {
      const { code, message } = outcome
      if (code !== association_exists) return { kind: 'refused', why: message }
      return { kind: 'in_use', why: `Hosts below it are in use: ${message}` }
    }
  }
}

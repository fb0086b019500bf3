// Lease on a domain: one update at a time over all nodes. A command is not sent once the lease may
// have ended.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attempt, Outcome, Priority, Registry } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import { withJitter } from '../../../kit/concurrency/backoff.ts'
import { type DomainName, newId, randomBase62 } from '../../../kit/random.ts'
import { registryUnreachable } from '../faults.ts'
import { registryOf } from '../names.ts'
import { leaseMs, sendBy, sendWithinLease } from '../registry-lease.ts'
import { RightEnded, type RightToChange } from './right-to-change.ts'
import { changeUnderWay } from './update-faults.ts'
import { acquireDomain, releaseDomain } from './updates.sql.ts'

/**
 * `wait_ms` is how long to wait while another update holds the domain. `right` is checked right
 * before each command; it is absent for work of the service itself.
 */
type LeaseRequest = {
  domain: DomainName
  right?: RightToChange
  registry: Registry
  priority: Priority
  wait_ms: number
}

export type DomainLease = {
  registry: Registry
  priority: Priority
  /** Renews the lease; throws change_under_way when another update has taken it over. */
  renew(): Promise<void>
  /** Checks the right to commands that the lease does not send itself; throws RightEnded. */
  permit(): Promise<void>
  /**
   * Sends one command under a fresh clTRID, unless it comes too late. Throws RightEnded, and sends
   * nothing, if the right to it has ended.
   */
  send<T>(command: (attempt: Attempt) => Promise<Outcome<T>>): Promise<Outcome<T>>
}

const longest_step_ms = 150

/**
 * Runs a request's work under the lease of its domain. Throws change_under_way when another update
 * takes longer than the registry's timeout, registry_unreachable when no registry has the TLD.
 */
export async function withDomainLease<T>(
  app: App,
  { domain, right }: { domain: DomainName; right: RightToChange },
  work: (lease: DomainLease) => Promise<T>,
): Promise<T> {
  const registry = registryOf(app, domain)
  if (!registry) throw registryUnreachable({ retry_after_s: 60 })
  const { timeout_ms: wait_ms } = registry.profile
  return leaseDomain(app, { domain, right, registry, priority: 'normal', wait_ms }, work)
}

/** Throws change_under_way after the wait. */
export async function leaseDomain<T>(
  app: App,
  request: LeaseRequest,
  work: (lease: DomainLease) => Promise<T>,
): Promise<T> {
  const token = randomUUID()
  const lease = newLease(app, request, token)
  const until = app.monotonic_ms() + request.wait_ms
  while (!(await lease.acquire())) {
    if (app.monotonic_ms() >= until) throw changeUnderWay({ retry_after_s: 2 })
    await sleep(withJitter(longest_step_ms, { chance: app.chance }))
  }
  try {
    return await work(lease)
  } finally {
    await app.db.run(releaseDomain, { domain: request.domain, token })
  }
}

function newLease(app: App, request: LeaseRequest, token: string) {
  const { domain, registry, priority } = request
  const id = newId('chg', app.clock.now().getTime())
  let send_by_ms = 0
  let sent = 0
  const acquire = async () => {
    const began_ms = app.monotonic_ms()
    if (!(await app.db.maybe(acquireDomain, { domain, token, lease_ms: leaseMs(registry) })))
      return false
    send_by_ms = sendBy(registry, began_ms)
    return true
  }
  const permit = async () => {
    await request.right?.().catch((cause) => {
      throw new RightEnded(cause)
    })
  }
  const send: DomainLease['send'] = (command) => {
    sent += 1
    const cl_trid = `${id}-${sent}-${randomBase62(8)}`
    return sendWithinLease(app, send_by_ms, (at) => command({ cl_trid, priority, at, permit }))
  }
  const renew = async () => {
    if (!(await acquire())) throw changeUnderWay({ retry_after_s: 2 })
  }
  return { registry, priority, acquire, renew, permit, send }
}

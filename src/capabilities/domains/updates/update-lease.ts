// One change of a domain at a time, over all nodes: a claim with a lease, and commands that are not
// sent once it may have ended.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attempt, Outcome, Priority, Registry } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import { newId } from '../../../kit/id.ts'
import { randomBase62 } from '../../../kit/secret.ts'
import { changeUnderWay } from './update-faults.ts'
import { claimChange, endChange } from './updates.sql.ts'

/** What is claimed, and for how long one waits for others. */
export type Claimed = { domain: string; registry: Registry; priority: Priority; wait_ms: number }

export type Alone = {
  registry: Registry
  priority: Priority
  /** Goes on with the claim; throws change_under_way when somebody else has it by now. */
  keep(): Promise<void>
  /** Sends one command under a fresh clTRID; one that comes too late is not sent. */
  send<T>(command: (attempt: Attempt) => Promise<Outcome<T>>): Promise<Outcome<T>>
}

const step_ms = 100

/** The claim may have ended before the command could be sent. */
class LeaseOver extends Error {
  constructor() {
    super('The change came too late to be sent')
  }
}

/** Does the work while nobody else changes the domain. Throws change_under_way after the wait. */
export async function alone<T>(
  app: App,
  claimed: Claimed,
  work: (alone: Alone) => Promise<T>,
): Promise<T> {
  const token = randomUUID()
  const held = holdingClaim(app, claimed, token)
  const until = app.monotonic_ms() + claimed.wait_ms
  while (!(await held.claim())) {
    if (app.monotonic_ms() >= until) throw changeUnderWay({ retry_after_s: 2 })
    await sleep(step_ms * (0.5 + app.chance()))
  }
  try {
    return await work(held)
  } finally {
    await app.db.run(endChange, [claimed.domain, token])
  }
}

function holdingClaim(app: App, { domain, registry, priority }: Claimed, token: string) {
  const id = newId('chg', app.clock.now().getTime())
  const { timeout_ms } = registry.profile
  const lease_ms = 4 * timeout_ms + 2_000
  let send_by_ms = 0
  let sent = 0
  const claim = async () => {
    // Read before the lease begins; leaves time for the answer to what is sent at the last moment.
    const began = app.monotonic_ms()
    if (!(await app.db.maybe(claimChange, [domain, token, lease_ms]))) return false
    send_by_ms = began + lease_ms - 2 * timeout_ms
    return true
  }
  const send: Alone['send'] = (command) => {
    sent += 1
    const cl_trid = `${id}-${sent}-${randomBase62(8)}`
    const at: Attempt['at'] = (step) => {
      app.reached(step)
      if (step === 'connected' && app.monotonic_ms() > send_by_ms) throw new LeaseOver()
    }
    return command({ cl_trid, priority, at }).catch((error) => {
      if (!(error instanceof LeaseOver)) throw error
      return { kind: 'unknown', cause: 'not_sent', message: error.message }
    })
  }
  const keep = async () => {
    if (!(await claim())) throw changeUnderWay({ retry_after_s: 2 })
  }
  return { registry, priority, claim, keep, send }
}

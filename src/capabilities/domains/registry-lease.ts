// Lease on commands to a registry: how long an order or a domain is claimed for its exchanges, and
// until when a command may be sent under the claim. Another node may take over after the lease, so
// a command that would be sent later is not sent at all.
import type { Attempt, Outcome, Registry } from '../../adapters/registry/port.ts'
import type { App } from '../../app.ts'

type Profile = Pick<Registry, 'profile'>

/**
 * The length of a lease: longer than the exchanges of one attempt may take together (a restore has
 * four), so that no other node takes it over meanwhile.
 */
export function leaseMs({ profile }: Profile): number {
  return 4 * profile.timeout_ms + 2_000
}

/**
 * Until when a command may be sent, by app.monotonic_ms. `began_ms` is a moment before the lease
 * began. It leaves time for the answer to a command that is sent at the last moment.
 */
export function sendBy(registry: Profile, began_ms: number): number {
  return began_ms + leaseMs(registry) - 2 * registry.profile.timeout_ms
}

/** Thrown if reaching the registry took so long that another sender may have begun. */
class LeaseExpired extends Error {
  constructor() {
    super('The lease ended before the command could be sent')
  }
}

/** Runs one command with its crash points; after `send_by_ms` it ends as `not_sent`. */
export async function sendWithinLease<T>(
  app: Pick<App, 'reached' | 'monotonic_ms'>,
  send_by_ms: number,
  command: (at: Attempt['at']) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const at: Attempt['at'] = (step) => {
    app.reached?.(step)
    // A session is held and no byte has left: the last moment at which not sending is certain.
    if (step === 'connected' && app.monotonic_ms() > send_by_ms) throw new LeaseExpired()
  }
  return command(at).catch((error): Outcome<T> => {
    if (!(error instanceof LeaseExpired)) throw error
    return { kind: 'unknown', cause: 'not_sent', message: error.message }
  })
}

// Deletes a domain at its registry: our own locks off first, then the delete itself.
import type { App } from '../../app.ts'
import { newId } from '../../kit/id.ts'
import type { Attempt, Outcome, Registry } from '../../outside/registry/port.ts'
import type { Holding } from './holding.ts'

export type Removal =
  /** The registry took it, or has it gone already: a read tells. */
  | { kind: 'sent' }
  /** Done or not done, or done later. */
  | { kind: 'silence'; why: string }
  /** It did nothing. */
  | { kind: 'refused'; why: string }

/** In this order: while the first is set, the registry takes no other change (RFC 5731 2.3). */
const ours = ['clientUpdateProhibited', 'clientDeleteProhibited'] as const
const association_exists = 2305

/** Sent with a clTRID of its own each time; a second delete finds the first one's work (2303). */
export async function deleteAtRegistry(
  app: App,
  registry: Registry,
  { name: domain, epp_statuses }: Holding,
): Promise<Removal> {
  const attempt = (): Attempt => ({
    cl_trid: newId('del', app.clock.now().getTime()),
    priority: 'normal',
    at: () => undefined,
  })
  if (epp_statuses.includes('clientDeleteProhibited'))
    for (const status of ours.filter((one) => epp_statuses.includes(one))) {
      const statuses = { add: [], remove: [status] }
      const unlocked = judged(await registry.update({ domain, statuses }, attempt()))
      if (unlocked.kind !== 'sent') return unlocked
    }
  const deleted = await registry.delete(domain, attempt())
  if (deleted.kind === 'refused' && deleted.reason === 'absent') return { kind: 'sent' }
  return judged(deleted)
}

function judged(outcome: Outcome<null>): Removal {
  switch (outcome.kind) {
    case 'done':
    case 'accepted':
      return { kind: 'sent' }
    case 'unknown':
      return { kind: 'silence', why: outcome.message }
    case 'refused': {
      const below = outcome.code === association_exists ? 'Hosts below it are in use: ' : ''
      return { kind: 'refused', why: `${below}${outcome.message}` }
    }
  }
}

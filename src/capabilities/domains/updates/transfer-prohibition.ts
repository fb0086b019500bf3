// The time in which a registry refuses a transfer to another registrar: the 60 days after a
// registration and after a transfer (ICANN's transfer policy), by the registry's own dates.
import type { Registry, RegistryDomain } from '../../../adapters/registry/port.ts'
import type { App } from '../../../app.ts'
import { dateTime, nullable } from '../../../kit/schema.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { transferredHolding } from './updates.sql.ts'

const day_ms = 86_400_000

export const prohibitedUntilField = nullable(
  dateTime(
    'Until then the registry refuses a transfer: the domain is new, or was just transferred.',
  ),
)

/**
 * When the domain came to us from another registrar, or null if it did not. If the registry shows
 * no trDate, its record of the transfer decides, and without that the holding that the transfer
 * made.
 */
export async function arrivalOf(
  { db }: Pick<App, 'db'>,
  registry: Registry,
  { holding: { id, name }, found }: { holding: Holding; found: RegistryDomain },
): Promise<string | null> {
  if (found.transferred_at !== null) return found.transferred_at
  const holding = await db.maybe(transferredHolding, { id })
  if (!holding) return null
  const query = await registry.transferQuery(name, 'normal')
  const record = query.kind === 'done' ? query.value : undefined
  return record?.requested_by === registry.profile.client_id
    ? record.acts_at
    : holding.created_at.toISOString()
}

/** Until when the registry refuses a transfer, or null if that time is over. */
export function prohibitedUntil(
  app: Pick<App, 'calendar'>,
  { profile }: Pick<Registry, 'profile'>,
  found: Pick<RegistryDomain, 'created_at' | 'transferred_at'>,
): string | null {
  const since = [found.created_at, found.transferred_at ?? found.created_at]
  const last = Math.max(...since.map((at) => Date.parse(at)))
  const until = new Date(last + profile.transfer_lock_days * day_ms)
  return until > app.calendar.now() ? until.toISOString() : null
}

/** The next action while transfers are refused. `expires_at` is that of a code just given out. */
export function waitForTransfer(until: string, expires_at?: Date) {
  const expires = expires_at !== undefined && expires_at < new Date(until)
  const hint = expires
    ? `The registry refuses a transfer until ${until}, and this code expires before: get one then.`
    : `The registry refuses a transfer until ${until}: move the domain after that.`
  return { type: 'wait', hint, operation: 'get_transfer_auth_code' }
}

// Removal of a way to log in: by an owner whose log-in is recent, and never the last one.
import type { App, Call } from '../../../app.ts'
import { lockCustomer, requireFreshLogIn } from '../../account/index.ts'
import { lastLogIn } from '../faults.ts'
import { canLogIn } from './sessions.sql.ts'

/**
 * Runs `remove` in the call's transaction, in which removals of one account are serialized: two at
 * once would each find the other's credential left. Throws freshLogInNeeded and lastLogIn.
 */
export async function removingCredential<T>(
  app: Pick<App, 'clock'>,
  call: Call,
  remove: () => Promise<T>,
): Promise<T> {
  const { sql, customer_id } = call
  await lockCustomer(sql, customer_id)
  const removed = await remove()
  // The removal is undone with the transaction. It comes first, so that a missing credential is
  // always 404.
  requireFreshLogIn(app, call)
  if (!(await sql.one(canLogIn, { customer_id })).there) throw lastLogIn()
  return removed
}

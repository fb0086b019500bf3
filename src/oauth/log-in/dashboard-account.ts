// The account that is logged in to the dashboard in this browser, where an interaction may go on
// with it (decision 46). It never may where the app requires a log-in of its own, or names another
// account.
import { type Customer, customerById } from '../../capabilities/account/index.ts'
import { hintsOtherAccount, type InteractionState } from '../interaction/interaction-state.ts'
import { lifetimes } from '../shared/lifetimes.ts'

type DashboardAccount = { customer: Customer; session_id: bigint; signed_in_at: Date }

/** The account, or null if there is none. */
export async function dashboardAccount(state: InteractionState): Promise<DashboardAccount | null> {
  const { context, interaction, at } = state
  const { params } = interaction
  const requiresLogIn = String(params.prompt ?? '')
    .split(' ')
    .includes('login')
  if (requiresLogIn || params.max_age !== undefined) return null
  const caller = await context.ports.sessionOf(context.request)
  if (caller?.kind !== 'customer' || hintsOtherAccount(interaction, caller.customer_id)) return null
  const { customer_id, session_id, signed_in_at } = caller
  if (at.getTime() - signed_in_at.getTime() > lifetimes.session_s * 1_000) return null
  const customer = await customerById(context.app.db, customer_id)
  if (!customer || customer.status === 'closed' || session_id === null) return null
  return { customer, session_id, signed_in_at }
}

// The account of an interaction is chosen: that of the dashboard's log-in, or another one.
import { selectionIn } from '../consent/allow.ts'
import { type Form, saveProgress, signOut } from '../interaction/interaction-state.ts'
import { type NextStep, show } from '../interaction/next-step.ts'
import { dashboardAccount } from './dashboard-account.ts'
import { proveAccount } from './prove-account.ts'

/** The session keeps its age, so an action that needs a recent log-in still asks for one. */
export async function continueAs({ state }: Form): Promise<NextStep> {
  const account = await dashboardAccount(state)
  if (!account) return show(await saveProgress(state, { page: 'log_in' }))
  const { customer, session_id, signed_in_at } = account
  return proveAccount(state, { customer_id: customer.id, session_id, signed_in_at })
}

/** Ends the log-in of earlier consents in this browser; the dashboard's stays. */
export async function useAnotherAccount({ fields, state }: Form): Promise<NextStep> {
  const selection =
    fields.has('preset') || fields.has('scope') ? selectionIn({ fields, state }) : null
  const out = state.login?.session_id == null ? state : await signOut(state)
  const changed = { account: null, page: 'log_in', sign_up: null, link: null } as const
  return show(await saveProgress(out, { ...changed, ...(selection && { selection }) }))
}

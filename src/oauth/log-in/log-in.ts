// Log-in within an interaction, by password or with a passkey.
import {
  checkPassword,
  logIn,
  logInWithPasskey as logInByPasskey,
} from '../../capabilities/sign-in/index.ts'
import type { Form, InteractionState } from '../interaction/interaction-state.ts'
import { type NextStep, show } from '../interaction/next-step.ts'
import { limitedProblem } from '../interaction/problems.ts'
import { ownerOfPasskey } from '../storage/browser-sessions.sql.ts'
import {
  callApi,
  isOtherOwner,
  proveAccount,
  proveBySession,
  refused,
  textIn,
} from './prove-account.ts'

/**
 * Logs in with a password. Where an account is logged in already, its password confirms that the
 * user is its owner.
 */
export async function logInWithPassword({ fields, state }: Form): Promise<NextStep> {
  const { context, login } = state
  const email = login?.customer.email ?? textIn({ fields }, 'email')
  const password = fields.get('password') ?? ''
  const again = { email }
  if (email === '' || password === '') return show(state, 'incomplete', again)
  if (await isDashboardsOwner(state)) return confirmForDashboard(state, { email, password })
  const checked = await checkPassword(context.app, { email, password, address: context.address })
  if (checked.kind === 'limited') return show(state, limitedProblem(checked.retry_after_s), again)
  if (checked.kind === 'wrong') return show(state, 'wrong', again)
  const { customer_id, password_changed_at } = checked
  // The address may belong to another account in the meantime.
  if (login && login.customer.id !== customer_id) return show(state, 'wrong', again)
  return proveAccount(state, { customer_id, password_changed_at, amr: ['pwd'] })
}

/** Whether the owner that has to confirm is logged in to the dashboard of this browser, too. */
async function isDashboardsOwner({ context, login }: InteractionState): Promise<boolean> {
  if (!login) return false
  const caller = await context.ports.sessionOf(context.request)
  return caller?.kind === 'customer' && caller.customer_id === login.customer.id
}

/**
 * One confirmation counts for both (decision 48): it is a log-in, with a new session in place of
 * the old one.
 */
async function confirmForDashboard(
  state: InteractionState,
  given: { email: string; password: string },
): Promise<NextStep> {
  const answer = await callApi(state, { operation: logIn, body: given })
  if (answer.status === 200) return proveBySession(state, answer, ['pwd'])
  const again = { email: given.email }
  if (answer.error_code === 'wrong_credentials') return show(state, 'wrong', again)
  return refused(state, answer, again)
}

/** Logs in with the browser's response, which the script of the page put into the form. */
export async function logInWithPasskey({ fields, state }: Form): Promise<NextStep> {
  const credential = credentialIn(fields.get('credential') ?? '')
  if (!credential) return show(state, { words: 'No passkey was used.' })
  // The owner is compared before the browser is logged in to the dashboard.
  const { db } = state.context.app
  const credential_id = Buffer.from(String(credential.id ?? ''), 'base64url')
  const owner = state.login && (await db.maybe(ownerOfPasskey, { credential_id }))
  if (isOtherOwner(state, owner?.customer_id)) return show(state, 'other_owner')
  const answer = await callApi(state, { operation: logInByPasskey, body: { credential } })
  if (answer.status !== 200) return refused(state, answer)
  return proveBySession(state, answer, ['pop', 'user'])
}

/** The fields that the API takes of PublicKeyCredential.toJSON(). */
function credentialIn(text: string): Record<string, unknown> | undefined {
  try {
    const { id, rawId, type, response }: Record<string, unknown> = Object(JSON.parse(text))
    const { clientDataJSON, authenticatorData, signature, userHandle }: Record<string, unknown> =
      Object(response)
    const given = { clientDataJSON, authenticatorData, signature, userHandle }
    return { id, rawId, type, clientExtensionResults: {}, response: given }
  } catch {
    // The text is not JSON, so the page's script did not make it.
    return undefined
  }
}

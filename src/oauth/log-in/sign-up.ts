// Sign-up within an interaction, by the operations of the dashboard: the same limits, and the same
// answer for every address. Its mail may be confirmed here by the code, or elsewhere by the link.
import { resendSignUp, signUp, verifySignUp } from '../../capabilities/sign-up/index.ts'
import { type Form, saveProgress } from '../interaction/interaction-state.ts'
import { type NextStep, redirectToPage, show } from '../interaction/next-step.ts'
import { knownProblem } from '../interaction/problems.ts'
import { dashboardAccount } from './dashboard-account.ts'
import { callApi, proveAccount, proveBySession, refused, textIn } from './prove-account.ts'

export async function requestSignUp({ fields, state }: Form): Promise<NextStep> {
  const text = (name: string) => textIn({ fields }, name)
  const input = {
    email: text('email'),
    name: text('name'),
    company_name: text('company_name'),
  }
  const company_name = input.company_name === '' ? null : input.company_name
  const password = fields.get('password') ?? ''
  const body = { ...input, company_name, password }
  const answer = await callApi(state, { operation: signUp, body })
  if (answer.status !== 202) return refused(state, answer, { input })
  const { signup_id, email }: Record<string, unknown> = Object(answer.body)
  const sign_up = { id: String(signup_id), email: String(email) }
  return redirectToPage(
    await saveProgress(state, { sign_up, page: 'sign_up', email: sign_up.email }),
  )
}

export async function verifyCode({ fields, state }: Form): Promise<NextStep> {
  const { sign_up } = state.progress
  if (!sign_up) return show(state)
  const code = (fields.get('code') ?? '').replaceAll(/\s/g, '')
  const body = { signup_id: sign_up.id, code }
  const answer = await callApi(state, { operation: verifySignUp, body })
  if (answer.status === 201) return proveBySession(state, answer)
  if (answer.error_code !== 'account_exists') return refused(state, answer)
  return show(await toLogIn(state), knownProblem('account_exists') ?? null)
}

export async function resendCode({ state }: Form): Promise<NextStep> {
  const { sign_up } = state.progress
  if (!sign_up) return show(state)
  const body = { signup_id: sign_up.id }
  const answer = await callApi(state, { operation: resendSignUp, body })
  return answer.status === 202 ? show(state, null, { is_resent: true }) : refused(state, answer)
}

/**
 * The link of the mail was opened elsewhere. In another tab of this browser it has logged in to the
 * dashboard; on another device it has not, and the new password does.
 */
export async function confirmSignUp({ state }: Form): Promise<NextStep> {
  const { sign_up } = state.progress
  if (!sign_up) return show(state)
  const account = await dashboardAccount(state)
  if (account && account.customer.email.toLowerCase() === sign_up.email.toLowerCase()) {
    const { customer, session_id, signed_in_at } = account
    return proveAccount(state, { customer_id: customer.id, session_id, signed_in_at })
  }
  const words =
    'This browser is not logged in yet. If you opened the link on another device, log in with ' +
    'the password that you chose.'
  return show(await toLogIn(state), { words })
}

function toLogIn(state: Form['state']): Promise<Form['state']> {
  return saveProgress(state, { page: 'log_in', sign_up: null })
}

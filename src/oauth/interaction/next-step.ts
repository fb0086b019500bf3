// Result of a step of an interaction, as a value: the steps of log-in/ and consent/ return it, and
// only the router (routes/interaction.ts) renders it.
import type { InteractionResults } from 'oidc-provider'
import { type InteractionState, pageOf } from './interaction-state.ts'
import type { Problem, ProblemKind } from './problems.ts'

/** The user's input of the sign-up, to be shown again. */
export type SignUpInput = { email: string; name: string; company_name: string }

export type Typed = {
  /** The input in the form of the sign-up. */
  input?: SignUpInput
  /** The address in the form of the log-in. */
  email?: string
  is_resent?: boolean
}

export type NextStep =
  /** The page that the state calls for. `problem` says why it is shown again. */
  | {
      kind: 'show'
      state: InteractionState
      problem: Problem | ProblemKind | null
      typed: Typed
    }
  /** `goal` is the interaction's own page, or that of an identity provider. */
  | { kind: 'redirect'; to: string; goal: 'page' | 'provider' }
  /** The result is stored with the interaction, and its client gets it. */
  | { kind: 'decided'; state: InteractionState }
  /** The interaction can no longer be decided. */
  | { kind: 'ended'; why: 'expired' | 'password_changed' }

export function show(
  state: InteractionState,
  problem: Problem | ProblemKind | null = null,
  typed: Typed = {},
): NextStep {
  return { kind: 'show', state, problem, typed }
}

/**
 * Goes to the page of the interaction by a redirect, so that a reload does not send the form again.
 */
export function redirectToPage({ interaction }: InteractionState): NextStep {
  return { kind: 'redirect', to: pageOf(interaction), goal: 'page' }
}

/** Stores the result of the interaction. */
export async function finish(
  state: InteractionState,
  result: InteractionResults,
): Promise<NextStep> {
  const { interaction } = state
  interaction.result = result
  await interaction.persist()
  return { kind: 'decided', state }
}

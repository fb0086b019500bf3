// The owner's decision: stores the consent for the selected scopes, or denies it.

import { presetNames } from '../../../shared/scopes.ts'
import { withoutIncluded } from '../../app.ts'
import { type ChosenLimits, problemOfLimits } from '../app-limits/chosen-limits.ts'
import { dnsChoiceIn } from '../app-limits/dns-limit.ts'
import { spendChoiceIn } from '../app-limits/spend-limit.ts'
import {
  type CurrentLogin,
  type Form,
  hintsOtherAccount,
  type InteractionState,
  saveProgress,
  signedInAccount,
  signOut,
} from '../interaction/interaction-state.ts'
import { finish, type NextStep, redirectToPage, show } from '../interaction/next-step.ts'
import type { Selection } from '../interaction/progress.ts'
import { type Choice, mayChangeRecords, scopesOfChoice } from '../interaction/scope-descriptions.ts'
import { storeConsent } from './grant-consent.ts'

const choices: readonly Choice[] = [...presetNames, 'keep', 'extend']

export async function allow({ fields, state }: Form): Promise<NextStep> {
  const { login, scopes } = state
  const selection = selectionIn({ fields, state })
  if (!login) return redirectToPage(state)
  if (scopes.selectable.length > 0 && selection.scopes.length === 0)
    return show({ ...state, progress: { ...state.progress, selection } }, 'nothing_selected')
  const problem = problemOfLimits(state.context.app.registries, chosenLimits(selection))
  if (problem) return show({ ...state, progress: { ...state.progress, selection } }, problem)
  if (login.needs_proof) return show(await saveProgress(state, { selection }), 'incomplete')
  if (hintsOtherAccount(state.interaction, login.customer.id))
    return show(await saveProgress(state, { account: null, selection }), 'other_account')
  return consent(state, login, selection)
}

/** The limits of the selected scopes. The fields of other limits may hold anything. */
function chosenLimits({ scopes, spend, dns }: Selection): ChosenLimits {
  return {
    spend: scopes.includes('domains:purchase') ? spend : null,
    dns: mayChangeRecords(scopes) ? dns : null,
  }
}

/** The selection: without a preset, or with "custom", it is exactly the checked scopes. */
export function selectionIn({ fields, state }: Form): Selection {
  const preset = choices.find((name) => name === fields.get('preset')) ?? null
  const checked = fields.getAll('scope')
  const { selectable } = state.scopes
  const held = state.login?.held ?? null
  const scopes =
    preset === null
      ? withoutIncluded(selectable.filter((scope) => checked.includes(scope)))
      : scopesOfChoice({ selectable, held }, preset)
  return { preset, scopes, spend: spendChoiceIn(fields), dns: dnsChoiceIn(fields) }
}

async function consent(
  state: InteractionState,
  login: CurrentLogin,
  selection: Selection,
): Promise<NextStep> {
  const { context, interaction, client, destination, resources, scopes } = state
  const { customer, session_id, signed_in_at, amr } = login
  // Otherwise the library would have the browser log out the other account first, by a script.
  const other = await signedInAccount(state)
  const own = other && other !== customer.id ? await signOut(state) : state
  const { redirect_host } = destination
  const result = await storeConsent(context, {
    interaction: interaction.uid,
    customer_id: customer.id,
    ...login,
    client: { id: client.id, name: client.name, redirect_host },
    resources,
    scopes,
    selected: selection.scopes,
    limits: chosenLimits(selection),
    agent_identifier: agentOf(context.request.headers['user-agent']),
    address: context.address,
  })
  if (result.kind !== 'stored')
    return { kind: 'ended', why: result.kind === 'password_changed' ? result.kind : 'expired' }
  const ts = Math.floor(signed_in_at.getTime() / 1_000)
  const begun = {
    accountId: customer.id,
    ts,
    ...(amr.length === 0 ? {} : { amr: [...amr] }),
  }
  // The account was chosen with the log-in, so an app that asked for a choice has it.
  const consented = { consent: { grantId: result.grant_id }, select_account: {} }
  return finish(own, session_id === null ? { login: begun, ...consented } : consented)
}

export function deny(state: InteractionState): Promise<NextStep> {
  const error_description = 'the owner of the account did not consent'
  return finish(state, { error: 'access_denied', error_description })
}

/** The User-Agent as printable ASCII, which is safe in logs and in the audit log. */
function agentOf(text: string | undefined): string {
  const printable = (text ?? '').replaceAll(/[^\x20-\x7e]/g, '?').trim()
  return printable === '' ? 'unknown' : printable.slice(0, 200)
}

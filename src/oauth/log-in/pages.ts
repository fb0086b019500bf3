// The page of an interaction that comes next, by the steps that its user has taken.

import { hasBrowserMailbox } from '../../capabilities/sign-in/index.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { publicUrls, relyingPartyId } from '../../origins.ts'
import { consentPage, type Selection, type SignedIn } from '../consent/consent-page.ts'
import {
  type CurrentLogin,
  type InteractionState,
  interactionView,
} from '../consent/interaction-state.ts'
import type { OpenLink } from '../consent/progress.ts'
import { keptScopes, offeredPresets, selectedByDefault } from '../consent/scope-descriptions.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { waysToLogIn } from '../storage/browser-sessions.sql.ts'
import { dashboardAccount } from './dashboard-account.ts'
import { linkPage } from './link-page.ts'
import { confirmPage, continueAsPage, type LogInWays, logInPage } from './log-in-page.ts'
import { type Problem, type ProblemKind, problemOf } from './problems.ts'
import { codePage, type SignUpInput, signUpPage } from './sign-up-page.ts'

export type Shown = {
  /** Typed into the form of the sign-up. */
  input?: SignUpInput
  /** Of the log-in. */
  email?: string
  is_resent?: boolean
}

/** `problem`: why the page is shown again. */
export async function showPage(
  state: InteractionState,
  problem: Problem | ProblemKind | null | undefined = null,
  shown: Shown = {},
): Promise<PageResponse> {
  const { login, progress } = state
  const words = typeof problem === 'string' ? problemOf(problem, login !== null) : (problem ?? null)
  if (login?.needs_proof) return confirm(state, login, words)
  if (login) return consent(state, login, problem === 'nothing_selected' ? problem : null)
  if (progress.sign_up) return code(state, words, shown)
  if (progress.link) return link(state, progress.link, words)
  if (progress.page === 'sign_up') return signUp(state, words, shown)
  const known = progress.page === null && words === null ? await dashboardAccount(state) : null
  if (known) return continueAsPage({ ...interactionView(state), email: known.customer.email })
  const { sign_up, terms_url, privacy_url } = state.context.app.settings
  return logInPage({
    ...interactionView(state),
    ...waysOf(state),
    email: shown.email ?? progress.email ?? state.login_hint,
    can_sign_up: sign_up === 'open',
    ...{ terms_url, privacy_url },
    problem: words,
  })
}

function waysOf({ context }: InteractionState): LogInWays {
  const { settings } = context.app
  return { providers: settings.sso_providers, passkeys: relyingPartyId(settings) !== null }
}

async function confirm(
  state: InteractionState,
  { customer }: CurrentLogin,
  problem: Problem | null,
): Promise<PageResponse> {
  const { db } = state.context.app
  const { has_password, providers } = await db.one(waysToLogIn, { customer_id: customer.id })
  const ways = waysOf(state)
  return confirmPage({
    ...interactionView(state),
    passkeys: ways.passkeys,
    providers: ways.providers.filter(({ id }) => providers.includes(id)),
    email: customer.email,
    has_password,
    problem,
  })
}

async function consent(
  state: InteractionState,
  { customer, held: all }: CurrentLogin,
  problem: 'nothing_selected' | null,
): Promise<PageResponse> {
  const { resources, scopes, progress } = state
  const held = all && scopes.selectable.filter((scope) => all.includes(scope))
  return consentPage({
    ...interactionView(state),
    resources,
    selectable: scopes.selectable,
    held,
    kept: keptScopes({ selectable: scopes.selectable, held: all }),
    selection: progress.selection ?? firstSelection(scopes, held),
    signed_in: await signedIn(state, customer),
    problem,
  })
}

/** Of an app that is connected, what is new is for its owner to choose. */
function firstSelection(
  scopes: InteractionState['scopes'],
  held: readonly string[] | null,
): Selection {
  if (held !== null)
    return { preset: held.length === scopes.selectable.length ? 'keep' : 'none', scopes: held }
  return { preset: offeredPresets(scopes).at(-1) ?? null, scopes: selectedByDefault(scopes) }
}

async function signedIn(
  { context }: InteractionState,
  customer: CurrentLogin['customer'],
): Promise<SignedIn> {
  const balances = await Promise.all(
    currencies.map(async (currency) => {
      const { available } = await readBalance(context.app.db, customer.id, currency)
      return available > 0n ? [`${formatAmount(available)} ${currency}`] : []
    }),
  )
  const own = balances.flat()
  return {
    email: customer.email,
    balances: own.length > 0 ? own : ['0.00 USD'],
    suspended: customer.status === 'suspended',
  }
}

function signUp(state: InteractionState, problem: Problem | null, shown: Shown): PageResponse {
  const { terms_url, privacy_url } = state.context.app.settings
  const { email } = state.progress
  return signUpPage({
    ...interactionView(state),
    ...waysOf(state),
    input: shown.input ?? { email: email ?? state.login_hint, name: '', company_name: '' },
    ...{ terms_url, privacy_url, problem },
  })
}

/** Of the browser that signs up, so at the origin that has its cookie. */
function mailboxOf(dashboard_url: string) {
  const { origin } = new URL(dashboard_url)
  return { url: `${dashboard_url}/mailbox`, json_url: `${origin}/v1/sandbox/mailbox` }
}

function code(state: InteractionState, problem: Problem | null, shown: Shown): PageResponse {
  const { app } = state.context
  return codePage({
    ...interactionView(state),
    email: state.progress.sign_up?.email ?? '',
    mailbox: hasBrowserMailbox(app) ? mailboxOf(publicUrls(app.settings).dashboard_url) : null,
    is_resent: shown.is_resent ?? false,
    problem,
  })
}

function link(state: InteractionState, open: OpenLink, problem: Problem | null): PageResponse {
  const { sso_providers } = state.context.app.settings
  const provider = sso_providers.find(({ id }) => id === open.provider)
  const provider_name = provider?.name ?? open.provider
  return linkPage({ ...interactionView(state), link: open, provider_name, problem })
}

// The page of an interaction that comes next, by the steps that its user has taken.

import { type App, withoutIncluded } from '../../app.ts'
import { appTarget, readLimitsOf } from '../../capabilities/limits/index.ts'
import { hasBrowserMailbox } from '../../capabilities/sign-in/index.ts'
import { type Currency, currencies, formatAmount } from '../../kit/money.ts'
import type { CustomerId } from '../../kit/random.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { publicUrls, relyingPartyId } from '../../origins.ts'
import { firstDnsChoice } from '../app-limits/dns-limit.ts'
import { firstSpendChoice } from '../app-limits/spend-limit.ts'
import {
  type ConsentProblem,
  consentPage,
  consentProblems,
  type SignedIn,
} from '../consent/consent-page.ts'
import {
  type CurrentLogin,
  type InteractionState,
  interactionView,
} from '../interaction/interaction-state.ts'
import type { NextStep, Typed } from '../interaction/next-step.ts'
import { type Problem, problemOf } from '../interaction/problems.ts'
import type { OpenLink, Selection } from '../interaction/progress.ts'
import {
  among,
  keptScopes,
  offeredPresets,
  scopesOfPreset,
  selectedByDefault,
} from '../interaction/scope-descriptions.ts'
import { dashboardAccount } from '../log-in/dashboard-account.ts'
import { linkPage } from '../log-in/link-page.ts'
import { confirmPage, continueAsPage, type LogInWays, logInPage } from '../log-in/log-in-page.ts'
import { codePage, signUpPage } from '../log-in/sign-up-page.ts'
import type { PageResponse } from '../shared/page-layout.ts'
import { waysToLogIn } from '../storage/browser-sessions.sql.ts'

export async function showPage({
  state,
  problem,
  typed,
}: Extract<NextStep, { kind: 'show' }>): Promise<PageResponse> {
  const { login, progress } = state
  const words = typeof problem === 'string' ? problemOf(problem, login !== null) : problem
  if (login?.needs_proof) return confirm(state, login, words)
  const ofConsent = consentProblems.find((one) => one === problem) ?? null
  if (login) return consent(state, login, ofConsent)
  if (progress.sign_up) return code(state, words, typed)
  if (progress.link) return link(state, progress.link, words)
  if (progress.page === 'sign_up') return signUp(state, words, typed)
  const known = progress.page === null && words === null ? await dashboardAccount(state) : null
  if (known) return continueAsPage({ ...interactionView(state), email: known.customer.email })
  const { sign_up, terms_url, privacy_url } = state.context.app.settings
  return logInPage({
    ...interactionView(state),
    ...waysOf(state),
    email: typed.email ?? progress.email ?? state.login_hint,
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
  problem: ConsentProblem | null,
): Promise<PageResponse> {
  const { context, client, resources, scopes, progress } = state
  const { app } = context
  const target = appTarget(customer.id, client.id)
  const held = all && among(scopes.selectable, all)
  const balances = await balancesOf(app, customer.id)
  const [limits, now] = [await readLimitsOf(app.db, target), app.clock.now()]
  const spend = firstSpendChoice(limits, {
    now,
    funded: balances.map(({ currency }) => currency),
  })
  return consentPage({
    ...interactionView(state),
    resources,
    selectable: scopes.selectable,
    held,
    kept: keptScopes({ selectable: scopes.selectable, held: all }),
    selection: {
      ...{ ...firstSelection(scopes, held), spend, dns: firstDnsChoice(limits, now) },
      ...progress.selection,
    },
    signed_in: signedIn(customer, balances),
    problem,
  })
}

/** The first selection. For an app that is connected already, its owner chooses the new scopes. */
function firstSelection(
  scopes: InteractionState['scopes'],
  held: readonly string[] | null,
): Omit<Selection, 'spend' | 'dns'> {
  if (held !== null) {
    const hasAll = held.length === scopes.selectable.length
    return { preset: hasAll ? 'keep' : 'none', scopes: withoutIncluded(held) }
  }
  const selected = selectedByDefault(scopes)
  const chosen = offeredPresets(scopes).find(
    (name) => scopesOfPreset(scopes, name).join() === selected.join(),
  )
  return { preset: chosen ?? null, scopes: selected }
}

type Balances = readonly { currency: Currency; available: bigint }[]

/** The balances with money in them. */
async function balancesOf({ db }: Pick<App, 'db'>, customer_id: CustomerId): Promise<Balances> {
  const all = await Promise.all(
    currencies.map(async (currency) => {
      const { available } = await readBalance(db, customer_id, currency)
      return { currency, available }
    }),
  )
  return all.filter(({ available }) => available > 0n)
}

function signedIn(customer: CurrentLogin['customer'], balances: Balances): SignedIn {
  const own = balances.map(({ available, currency }) => `${formatAmount(available)} ${currency}`)
  return {
    email: customer.email,
    balances: own.length > 0 ? own : ['0.00 USD'],
    suspended: customer.status === 'suspended',
  }
}

function signUp(state: InteractionState, problem: Problem | null, typed: Typed): PageResponse {
  const { terms_url, privacy_url } = state.context.app.settings
  const { email } = state.progress
  return signUpPage({
    ...interactionView(state),
    ...waysOf(state),
    input: typed.input ?? { email: email ?? state.login_hint, name: '', company_name: '' },
    ...{ terms_url, privacy_url, problem },
  })
}

/** The mailbox of the browser that signs up, at the origin that has its cookie. */
function mailboxOf(dashboard_url: string) {
  const { origin } = new URL(dashboard_url)
  return { url: `${dashboard_url}/mailbox`, json_url: `${origin}/v1/sandbox/mailbox` }
}

function code(state: InteractionState, problem: Problem | null, typed: Typed): PageResponse {
  const { app } = state.context
  return codePage({
    ...interactionView(state),
    email: state.progress.sign_up?.email ?? '',
    mailbox: hasBrowserMailbox(app) ? mailboxOf(publicUrls(app.settings).dashboard_url) : null,
    is_resent: typed.is_resent ?? false,
    problem,
  })
}

function link(state: InteractionState, open: OpenLink, problem: Problem | null): PageResponse {
  const { sso_providers } = state.context.app.settings
  const provider = sso_providers.find(({ id }) => id === open.provider)
  const provider_name = provider?.name ?? open.provider
  return linkPage({ ...interactionView(state), link: open, provider_name, problem })
}

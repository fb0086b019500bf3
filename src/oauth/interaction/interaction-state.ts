// State of an interaction while its page is shown: the client, the requested scopes, and the
// logged-in customer, in this interaction or in an earlier one of the browser.

import type { Provider } from 'oidc-provider'
import { type Customer, customerById } from '../../capabilities/account/index.ts'
import { parseEmail } from '../../kit/net/email.ts'
import type { CustomerId } from '../../kit/random.ts'
import { pageRoot } from '../../origins.ts'
import type { InteractionContext } from '../host-ports.ts'
import {
  type ClientDisplay,
  type Destination,
  destinationOf,
  displayClient,
} from '../shared/display-name.ts'
import { routes } from '../shared/endpoints.ts'
import {
  endBrowserLogin,
  findBrowserLogin,
  isConnected,
  isProofAlive,
  scopesOfApp,
} from '../storage/browser-sessions.sql.ts'
import { browserSession } from './browser-session.ts'
import { type CsrfFacts, csrfToken } from './csrf.ts'
import { isOwnInteraction } from './interaction-cookies.ts'
import type { InteractionView } from './interaction-form.ts'
import { type Progress, type ProvenAccount, progressOf, proofOf } from './progress.ts'
import { isSensitive, type RequestedScopes, requestedScopesOf } from './scope-descriptions.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
/** The login that the consent is given in. */
export type CurrentLogin = {
  customer: Customer
  /** Whether the log-in is too old, or the client too new, for the requested scopes. */
  needs_proof: boolean
  /** The scopes that the app has already, or null if it is not connected. */
  held: readonly string[] | null
  signed_in_at: Date
  /** The session of an earlier consent in this browser, or null if one begins with this consent. */
  session_id: bigint | null
  /** The dashboard's session in which a new one begins. */
  begun_in: bigint | null
  /** A later change of the password invalidates the consent. */
  password_of: Date
  /** The time in the form that beginSession takes. */
  password_changed_at: Date | null
  amr: readonly string[]
}
export type InteractionState = {
  context: InteractionContext
  interaction: Interaction
  /** When this was read. */
  at: Date
  client: ClientDisplay & { id: string }
  destination: Destination
  resources: readonly string[]
  scopes: RequestedScopes
  progress: Progress
  /** The login whose consent is requested, or null if the user has to log in first. */
  login: CurrentLogin | null
  login_hint: string
}

/** A submission of one of the pages. */
export type Form = { fields: URLSearchParams; state: InteractionState }

/** How long a login needs no new password, as for a change of the password. */
const fresh_ms = 10 * 60_000

export function isFreshLogin(signed_in_at: Date, now: Date): boolean {
  return now.getTime() - signed_in_at.getTime() <= fresh_ms
}

/**
 * Loads the state, or undefined where the interaction has expired or did not begin in this browser.
 */
export async function loadInteractionState(
  context: InteractionContext,
  uid: string,
): Promise<InteractionState | undefined> {
  const { app, provider } = context
  const at = app.clock.now()
  const interaction = await interactionOf(context, uid)
  if (!interaction) return undefined
  const { params } = interaction
  const client_id = textOf(params.client_id)
  const client = await provider.Client.find(client_id)
  if (!client) return undefined
  const { clientName: client_name, clientUri: client_uri } = client
  const scopes = requestedScopesOf(textOf(params.scope))
  const progress = progressOf(interaction)
  const requested = { scopes, client_id, at }
  return {
    context,
    interaction,
    at,
    client: { ...displayClient({ client_id, client_name, client_uri }), id: client_id },
    destination: destinationOf(interaction.deviceCode ? null : textOf(params.redirect_uri)),
    resources: [params.resource].flat().map(textOf),
    scopes,
    progress,
    login: progress.account
      ? await provenLoginOf(context, progress.account, requested)
      : await browserLoginOf(context, interaction, requested),
    login_hint: parseEmail(textOf(params.login_hint)) ?? '',
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The interaction, or undefined also where the login ended under which the page was shown. */
async function interactionOf(
  context: InteractionContext,
  uid: string,
): Promise<Interaction | undefined> {
  const { provider } = context
  const interaction = await provider.Interaction.find(uid)
  if (!interaction || !isOwnInteraction(context, interaction)) return undefined
  const known = interaction.session
  if (!known?.uid) return interaction
  const session = await provider.Session.findByUid(known.uid)
  return session && session.accountId === known.accountId ? interaction : undefined
}

type Requested = { scopes: RequestedScopes; client_id: string; at: Date }

/**
 * The login of this browser, or null where the client asks for a login, because it may require the
 * password again.
 */
async function browserLoginOf(
  { app }: InteractionContext,
  { prompt, session }: Interaction,
  requested: Requested,
): Promise<CurrentLogin | null> {
  if (prompt.name !== 'consent' || !session?.uid) return null
  const row = await app.db.maybe(findBrowserLogin, { oauth_uid: session.uid, now: requested.at })
  const customer = row && (await customerById(app.db, session.accountId))
  if (!row || !customer || customer.status === 'closed') return null
  const { signed_in_at } = row
  const needs_proof = await needsProof(app, requested, { customer, signed_in_at })
  const password = { password_of: requested.at, password_changed_at: null, amr: [], begun_in: null }
  const held = await heldBy(app, requested, customer)
  return { customer, needs_proof, held, signed_in_at, session_id: row.id, ...password }
}

/**
 * The login that was proven in this interaction. It is null also where the password changed, or
 * where the dashboard's session in which it was given has ended.
 */
async function provenLoginOf(
  { app }: InteractionContext,
  account: ProvenAccount,
  requested: Requested,
): Promise<CurrentLogin | null> {
  const { customer_id, session_id, amr } = account
  const customer = await customerById(app.db, customer_id)
  if (!customer || customer.status === 'closed') return null
  const signed_in_at = new Date(account.signed_in_at)
  const needs_proof = await needsProof(app, requested, { customer, signed_in_at })
  const changed_at = account.password_changed_at
  const password_changed_at = changed_at === null ? null : new Date(changed_at)
  const password_of = password_changed_at ?? new Date(account.proven_at)
  const begun_in = session_id === null ? null : BigInt(session_id)
  const proof = { customer_id, begun_in, password_of, now: requested.at }
  if (!(await app.db.one(isProofAlive, proof)).alive) return null
  return {
    ...{ customer, needs_proof, signed_in_at, amr },
    held: await heldBy(app, requested, customer),
    ...{ session_id: null, begun_in, password_of, password_changed_at },
  }
}

async function heldBy(
  { db }: InteractionContext['app'],
  { client_id }: Requested,
  { id: customer_id }: Customer,
): Promise<readonly string[] | null> {
  return (await db.maybe(scopesOfApp, { customer_id, client_id }))?.scopes ?? null
}

type Known = Pick<CurrentLogin, 'customer' | 'signed_in_at'>

/**
 * Whether the login needs proof. Each request evaluates it, because a page may be open for long.
 */
async function needsProof(
  { db }: InteractionContext['app'],
  { scopes, client_id, at }: Requested,
  { customer, signed_in_at }: Known,
): Promise<boolean> {
  if (isFreshLogin(signed_in_at, at)) return false
  if (scopes.selectable.some(isSensitive)) return true
  return !(await db.one(isConnected, { customer_id: customer.id, client_id })).connected
}

/** Stores a step of the user. Parts that are not given stay. */
export async function saveProgress(
  state: InteractionState,
  changed: Partial<Progress>,
): Promise<InteractionState> {
  const { interaction, context } = state
  interaction.lastSubmission = { ...state.progress, ...changed }
  await interaction.persist()
  return (await loadInteractionState(context, interaction.uid)) ?? state
}

/** The path and query of the interaction's page. */
export function pageOf({ uid }: Pick<Interaction, 'uid'>): string {
  return `${routes.authorization}?interaction=${uid}`
}

/** The input of the form's token. */
export function csrfFacts({ interaction, progress }: InteractionState): CsrfFacts {
  const { uid, cid, session } = interaction
  return { uid, cid, session: `${session?.uid ?? ''} ${proofOf(progress)}` }
}

/**
 * Whether `id_token_hint` (OpenID Connect Core section 3.1.2.1) names another account than this
 * one. The library has verified the hint when the interaction began, and would prompt again after
 * the consent is stored.
 */
export function hintsOtherAccount(
  { params }: Pick<Interaction, 'params'>,
  customer_id: CustomerId,
): boolean {
  const { id_token_hint } = params
  if (typeof id_token_hint !== 'string') return false
  const [, payload = ''] = id_token_hint.split('.')
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const { sub }: { sub?: unknown } = Object(claims)
  return sub !== customer_id
}

/** The account that is logged in to this browser now, perhaps from another tab. */
export async function signedInAccount({ context }: InteractionState): Promise<string | undefined> {
  return (await browserSession(context))?.accountId
}

/** Ends the login of this browser. */
export async function signOut(state: InteractionState): Promise<InteractionState> {
  const { interaction, context } = state
  const session = await browserSession(context)
  if (session) await endSession(context, session)
  interaction.session = undefined
  await interaction.persist()
  return { ...state, login: null }
}

function endSession({ app }: InteractionContext, { uid }: { uid: string }): Promise<number> {
  return app.db.count(endBrowserLogin, { oauth_uid: uid, ended_at: app.clock.now() })
}

/**
 * Ends a login of another account that another tab has begun, before a login is resumed. The
 * library would redirect to a logout page that we do not have.
 */
export async function signOutOtherAccount(context: InteractionContext, uid: string): Promise<void> {
  const interaction = await interactionOf(context, uid)
  const login = interaction?.result?.login
  if (!login || interaction.session?.uid) return
  const session = await browserSession(context)
  if (session?.accountId && session.accountId !== login.accountId)
    await endSession(context, session)
}

/** The part of the view that all pages have. */
export function interactionView(state: InteractionState): InteractionView {
  const { context, interaction, client, destination } = state
  return {
    interaction: interaction.uid,
    csrf: csrfToken(csrfFacts(state)),
    registrar: new URL(pageRoot(context.app.settings)).host,
    client,
    destination,
  }
}

/** The path is relative, because the pages of a sandbox have another origin than its API. */
export function resumePath({ returnTo }: Pick<Interaction, 'returnTo'>): string {
  const { pathname, search } = new URL(returnTo)
  return pathname + search
}

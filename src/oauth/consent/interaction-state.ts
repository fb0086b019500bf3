// State of an interaction while its page is shown: the client, the requested scopes, and the
// logged-in customer.
import type { InteractionResults, Provider } from 'oidc-provider'
import { type Customer, customerById } from '../../capabilities/account/index.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import { parseEmail } from '../../kit/net/email.ts'
import { readBalance } from '../../ledger/ledger.ts'
import type { InteractionContext } from '../host-ports.ts'
import {
  type ClientDisplay,
  type Destination,
  destinationOf,
  displayClient,
} from '../shared/display-name.ts'
import { type PageResponse, seeOther } from '../shared/page-layout.ts'
import { endBrowserLogin, findBrowserLogin, isConnected } from '../storage/browser-sessions.sql.ts'
import type { ConsentView, SignedIn } from './consent-page.ts'
import { type CsrfFacts, csrfToken } from './csrf.ts'
import { isOwnInteraction } from './interaction-cookies.ts'
import { isSensitive, type RequestedScopes, requestedScopesOf } from './scope-descriptions.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
/** The login of this browser. */
export type BrowserLogin = { session_id: bigint; customer: Customer; needs_password: boolean }
export type InteractionState = {
  context: InteractionContext
  interaction: Interaction
  /** When this was read. */
  at: Date
  client: ClientDisplay & { id: string }
  destination: Destination
  resources: readonly string[]
  scopes: RequestedScopes
  /** The login whose consent is requested; null: the user has to log in first. */
  login: BrowserLogin | null
  login_hint: string
}

/** How long a login needs no new password: as for a change of the password. */
const fresh_ms = 10 * 60_000

/** Undefined where the interaction has expired, or did not begin in this browser. */
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
  return {
    context,
    interaction,
    at,
    client: { ...displayClient({ client_id, client_name, client_uri }), id: client_id },
    destination: destinationOf(textOf(params.redirect_uri)),
    resources: [params.resource].flat().map(textOf),
    scopes,
    login: await browserLoginOf(context, interaction, { scopes, client_id, at }),
    login_hint: parseEmail(textOf(params.login_hint)) ?? '',
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Undefined also where the login ended that the page was shown under. */
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

/** Null where the login itself is requested: the client may require the password again. */
async function browserLoginOf(
  { app }: InteractionContext,
  { prompt, session }: Interaction,
  { scopes, client_id, at }: Requested,
): Promise<BrowserLogin | null> {
  if (prompt.name !== 'consent' || !session?.uid) return null
  const row = await app.db.maybe(findBrowserLogin, { oauth_uid: session.uid, now: at })
  const customer = row && (await customerById(app.db, session.accountId))
  if (!row || !customer || customer.status === 'closed') return null
  const fresh = at.getTime() - row.signed_in_at.getTime() <= fresh_ms
  const enough =
    fresh ||
    (!scopes.selectable.some(isSensitive) &&
      (await app.db.one(isConnected, { customer_id: customer.id, client_id })).connected)
  return { session_id: row.id, customer, needs_password: !enough }
}

/** The input of the form's token. */
export function csrfFacts({ interaction }: InteractionState): CsrfFacts {
  const { uid, cid, session } = interaction
  return { uid, cid, session: session?.uid ?? '' }
}

/** The account that is logged in to this browser now, perhaps from another tab. */
export async function signedInAccount({ context }: InteractionState): Promise<string | undefined> {
  return (await browserSession(context))?.accountId
}

async function browserSession({ provider, request, reply }: InteractionContext) {
  const { cookies } = provider.createContext(request.raw, reply.raw)
  const id = cookies.get(provider.cookieName('session'), { signed: true })
  return id === undefined ? undefined : provider.Session.find(id)
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
 * Before a login is resumed: ends a login of another account that another tab began since. The
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

/** The view of the page, without the user's input. */
export async function consentView(
  state: InteractionState,
): Promise<Omit<ConsentView, 'selected' | 'email' | 'problem'>> {
  const { context, interaction, client, destination, resources, scopes } = state
  return {
    interaction: interaction.uid,
    csrf: csrfToken(csrfFacts(state)),
    registrar: new URL(context.app.settings.base_url).host,
    client,
    destination,
    resources,
    selectable: scopes.selectable,
    signed_in: await signedIn(state),
  }
}

async function signedIn({ context, login }: InteractionState): Promise<SignedIn | null> {
  if (!login) return null
  const { customer, needs_password } = login
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
    needs_password,
  }
}

/** Stores the result and redirects. */
export async function finish(
  state: InteractionState,
  result: InteractionResults,
): Promise<PageResponse> {
  const { interaction } = state
  interaction.result = result
  await interaction.persist()
  return redirectBack(state)
}

/** A browser is redirected by a page of ours (notice-pages.ts says why), other clients at once. */
export function redirectBack({ context, interaction }: InteractionState): PageResponse {
  const isBrowser = context.request.headers['sec-fetch-dest'] === 'document'
  const page = `/oauth/authorize?interaction=${interaction.uid}`
  return seeOther(isBrowser ? page : interaction.returnTo)
}

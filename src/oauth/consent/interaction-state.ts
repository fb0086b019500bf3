// How an authorization stands while its owner looks at the page: what was asked for, by whom, and
// who is signed in.
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
import { type Asked, askedScopes, isCareful } from './scope-descriptions.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
/** The log-in of this browser. */
export type BrowserLogin = { session_id: bigint; customer: Customer; needs_password: boolean }
export type InteractionState = {
  context: InteractionContext
  interaction: Interaction
  /** When this was read. */
  at: Date
  client: ClientDisplay & { id: string }
  destination: Destination
  resources: readonly string[]
  asked: Asked
  /** Whose consent is asked for; null: they have to log in first. */
  login: BrowserLogin | null
  login_hint: string
}

/** How long a password is fresh: as for a change of it. */
const fresh_ms = 10 * 60_000

/** How an interaction stands; undefined when it is over, or did not begin in this browser. */
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
  const asked = askedScopes(textOf(params.scope))
  return {
    context,
    interaction,
    at,
    client: { ...displayClient({ client_id, client_name, client_uri }), id: client_id },
    destination: destinationOf(textOf(params.redirect_uri)),
    resources: [params.resource].flat().map(textOf),
    asked,
    login: await browserLoginOf(context, interaction, { asked, client_id, at }),
    login_hint: parseEmail(textOf(params.login_hint)) ?? '',
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Undefined also where the log-in ended that the page was shown under. */
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

type Wanted = { asked: Asked; client_id: string; at: Date }

/** Nobody where the log-in itself is asked for: the client may want the password anew. */
async function browserLoginOf(
  { app }: InteractionContext,
  { prompt, session }: Interaction,
  { asked, client_id, at }: Wanted,
): Promise<BrowserLogin | null> {
  if (prompt.name !== 'consent' || !session?.uid) return null
  const row = await app.db.maybe(findBrowserLogin, [session.uid, at])
  const customer = row && (await customerById(app.db, session.accountId))
  if (!row || !customer || customer.status === 'closed') return null
  const fresh = at.getTime() - row.signed_in_at.getTime() <= fresh_ms
  const enough =
    fresh ||
    (!asked.boxes.some(isCareful) &&
      (await app.db.one(isConnected, [customer.id, client_id])).known)
  return { session_id: row.id, customer, needs_password: !enough }
}

/** What the form's token is made of. */
export function csrfFacts({ interaction }: InteractionState): CsrfFacts {
  const { uid, cid, session } = interaction
  return { uid, cid, session: session?.uid ?? '' }
}

/** Whose log-in this browser has now, perhaps by another tab. */
export async function signedInAccount({ context }: InteractionState): Promise<string | undefined> {
  return (await browserSession(context))?.accountId
}

async function browserSession({ provider, request, reply }: InteractionContext) {
  const { cookies } = provider.createContext(request.raw, reply.raw)
  const id = cookies.get(provider.cookieName('session'), { signed: true })
  return id === undefined ? undefined : provider.Session.find(id)
}

/** Purges who is signed in to this browser: its log-in ends. */
export async function signOut(state: InteractionState): Promise<InteractionState> {
  const { interaction, context } = state
  const session = await browserSession(context)
  if (session) await endSession(context, session)
  interaction.session = undefined
  await interaction.persist()
  return { ...state, login: null }
}

function endSession({ app }: InteractionContext, { uid }: { uid: string }): Promise<number> {
  return app.db.count(endBrowserLogin, [uid, app.clock.now()])
}

/**
 * Before the way on from a log-in: that of another account ends, which another tab began since. The
 * library would lead to a page of its own that we do not have.
 */
export async function signOutOtherAccount(context: InteractionContext, uid: string): Promise<void> {
  const interaction = await interactionOf(context, uid)
  const login = interaction?.result?.login
  if (!login || interaction.session?.uid) return
  const session = await browserSession(context)
  if (session?.accountId && session.accountId !== login.accountId)
    await endSession(context, session)
}

/** The page's facts, but for what was typed into it. */
export async function consentView(
  state: InteractionState,
): Promise<Omit<ConsentView, 'checked' | 'email' | 'problem'>> {
  const { context, interaction, client, destination, resources, asked } = state
  return {
    interaction: interaction.uid,
    csrf: csrfToken(csrfFacts(state)),
    registrar: new URL(context.app.settings.base_url).host,
    client,
    destination,
    resources,
    boxes: asked.boxes,
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

/** Notes the owner's answer and leads on. */
export async function finish(
  state: InteractionState,
  result: InteractionResults,
): Promise<PageResponse> {
  const { interaction } = state
  interaction.result = result
  await interaction.persist()
  return redirectBack(state)
}

/** A browser goes on from a page of ours (notice-pages.ts says why), a program at once. */
export function redirectBack({ context, interaction }: InteractionState): PageResponse {
  const browser = context.request.headers['sec-fetch-dest'] === 'document'
  const page = `/oauth/authorize?interaction=${interaction.uid}`
  return seeOther(browser ? page : interaction.returnTo)
}

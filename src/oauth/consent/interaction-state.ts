// How an authorization stands while its owner looks at the page: what was asked for, by whom, and
// who is signed in.
import type { InteractionResults, Provider } from 'oidc-provider'
import { type Customer, customerById } from '../../capabilities/account/index.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import { parseEmail } from '../../kit/net/email.ts'
import { readBalance } from '../../ledger/ledger.ts'
import type { Visit } from '../host-ports.ts'
import {
  type Destination,
  destinationOf,
  type ShownClient,
  shownClient,
} from '../shared/display-name.ts'
import { type PageAnswer, seeOther } from '../shared/page-layout.ts'
import { endLogIn, isKnown, logInOfBrowser } from '../storage/browser-sessions.sql.ts'
import type { ConsentView, SignedIn } from './consent-page.ts'
import { type CsrfFacts, csrfToken } from './csrf.ts'
import { isTab } from './interaction-cookies.ts'
import { type Asked, askedScopes, isCareful } from './scope-descriptions.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
/** The log-in of this browser. */
export type LogIn = { session_id: bigint; customer: Customer; asks_password: boolean }
export type Standing = {
  visit: Visit
  interaction: Interaction
  /** When this was read. */
  at: Date
  client: ShownClient & { id: string }
  destination: Destination
  resources: readonly string[]
  asked: Asked
  /** Whose consent is asked for; null: they have to log in first. */
  log_in: LogIn | null
  login_hint: string
}

/** How long a password is fresh: as for a change of it. */
const fresh_ms = 10 * 60_000

/** How an interaction stands; undefined when it is over, or did not begin in this browser. */
export async function openStanding(visit: Visit, uid: string): Promise<Standing | undefined> {
  const { app, provider } = visit
  const at = app.clock.now()
  const interaction = await interactionOf(visit, uid)
  if (!interaction) return undefined
  const { params } = interaction
  const client_id = textOf(params.client_id)
  const client = await provider.Client.find(client_id)
  if (!client) return undefined
  const { clientName: client_name, clientUri: client_uri } = client
  const asked = askedScopes(textOf(params.scope))
  return {
    visit,
    interaction,
    at,
    client: { ...shownClient({ client_id, client_name, client_uri }), id: client_id },
    destination: destinationOf(textOf(params.redirect_uri)),
    resources: [params.resource].flat().map(textOf),
    asked,
    log_in: await logInOf(visit, interaction, { asked, client_id, at }),
    login_hint: parseEmail(textOf(params.login_hint)) ?? '',
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Undefined also where the log-in ended that the page was shown under. */
async function interactionOf(visit: Visit, uid: string): Promise<Interaction | undefined> {
  const { provider } = visit
  const interaction = await provider.Interaction.find(uid)
  if (!interaction || !isTab(visit, interaction)) return undefined
  const known = interaction.session
  if (!known?.uid) return interaction
  const session = await provider.Session.findByUid(known.uid)
  return session && session.accountId === known.accountId ? interaction : undefined
}

type Wanted = { asked: Asked; client_id: string; at: Date }

/** Nobody where the log-in itself is asked for: the client may want the password anew. */
async function logInOf(
  { app }: Visit,
  { prompt, session }: Interaction,
  { asked, client_id, at }: Wanted,
): Promise<LogIn | null> {
  if (prompt.name !== 'consent' || !session?.uid) return null
  const row = await app.db.maybe(logInOfBrowser, [session.uid, at])
  const customer = row && (await customerById(app.db, session.accountId))
  if (!row || !customer || customer.status === 'closed') return null
  const fresh = at.getTime() - row.signed_in_at.getTime() <= fresh_ms
  const enough =
    fresh ||
    (!asked.boxes.some(isCareful) && (await app.db.one(isKnown, [customer.id, client_id])).known)
  return { session_id: row.id, customer, asks_password: !enough }
}

/** What the form's token is made of. */
export function csrfOf({ interaction }: Standing): CsrfFacts {
  const { uid, cid, session } = interaction
  return { uid, cid, session: session?.uid ?? '' }
}

/** Whose log-in this browser has now, perhaps by another tab. */
export async function accountInBrowser({ visit }: Standing): Promise<string | undefined> {
  return (await sessionIn(visit))?.accountId
}

async function sessionIn({ provider, request, reply }: Visit) {
  const { cookies } = provider.createContext(request.raw, reply.raw)
  const id = cookies.get(provider.cookieName('session'), { signed: true })
  return id === undefined ? undefined : provider.Session.find(id)
}

/** Purges who is signed in to this browser: its log-in ends. */
export async function signOut(standing: Standing): Promise<Standing> {
  const { interaction, visit } = standing
  const session = await sessionIn(visit)
  if (session) await endIt(visit, session)
  interaction.session = undefined
  await interaction.persist()
  return { ...standing, log_in: null }
}

function endIt({ app }: Visit, { uid }: { uid: string }): Promise<number> {
  return app.db.count(endLogIn, [uid, app.clock.now()])
}

/**
 * Before the way on from a log-in: that of another account ends, which another tab began since. The
 * library would lead to a page of its own that we do not have.
 */
export async function signOutOther(visit: Visit, uid: string): Promise<void> {
  const interaction = await interactionOf(visit, uid)
  const login = interaction?.result?.login
  if (!login || interaction.session?.uid) return
  const session = await sessionIn(visit)
  if (session?.accountId && session.accountId !== login.accountId) await endIt(visit, session)
}

/** The page's facts, but for what was typed into it. */
export async function viewOf(
  standing: Standing,
): Promise<Omit<ConsentView, 'checked' | 'email' | 'problem'>> {
  const { visit, interaction, client, destination, resources, asked } = standing
  return {
    interaction: interaction.uid,
    csrf: csrfToken(csrfOf(standing)),
    registrar: new URL(visit.app.settings.base_url).host,
    client,
    destination,
    resources,
    boxes: asked.boxes,
    signed_in: await signedIn(standing),
  }
}

async function signedIn({ visit, log_in }: Standing): Promise<SignedIn | null> {
  if (!log_in) return null
  const { customer, asks_password } = log_in
  const balances = await Promise.all(
    currencies.map(async (currency) => {
      const { available } = await readBalance(visit.app.db, customer.id, currency)
      return available > 0n ? [`${formatAmount(available)} ${currency}`] : []
    }),
  )
  const own = balances.flat()
  return {
    email: customer.email,
    balances: own.length > 0 ? own : ['0.00 USD'],
    suspended: customer.status === 'suspended',
    asks_password,
  }
}

/** Notes the owner's answer and leads on. */
export async function finish(standing: Standing, result: InteractionResults): Promise<PageAnswer> {
  const { interaction } = standing
  interaction.result = result
  await interaction.persist()
  return onward(standing)
}

/** A browser goes on from a page of ours (notice-pages.ts says why), a program at once. */
export function onward({ visit, interaction }: Standing): PageAnswer {
  const browser = visit.request.headers['sec-fetch-dest'] === 'document'
  const page = `/oauth/authorize?interaction=${interaction.uid}`
  return seeOther(browser ? page : interaction.returnTo)
}

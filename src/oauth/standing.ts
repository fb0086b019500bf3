// How an authorization stands while its owner looks at the page: what was asked for, by whom, and
// who is signed in.
import type { InteractionResults, Provider } from 'oidc-provider'
import { type Customer, customerById } from '../capabilities/account/index.ts'
import { parseEmail } from '../kit/email.ts'
import { currencies, formatAmount } from '../kit/money.ts'
import { readBalance } from '../ledger/ledger.ts'
import { type CsrfFacts, csrfToken } from './csrf.ts'
import type { Visit } from './doors.ts'
import { type PageAnswer, seeOther } from './frame.ts'
import { libraryOf } from './library.ts'
import type { ConsentView, SignedIn } from './page.ts'
import { type Asked, askedScopes } from './scope-words.ts'
import { type Destination, destinationOf, type ShownClient, shownClient } from './shown.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
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
  customer: Customer | null
  login_hint: string
}

/**
 * How the interaction of this browser's cookie stands; undefined when there is none, it is over, or
 * it is another one than the page was made for.
 */
export async function openStanding(visit: Visit, uid: string): Promise<Standing | undefined> {
  const { app, provider } = visit
  const at = app.clock.now()
  const interaction = await interactionOf(visit)
  if (!interaction || interaction.uid !== uid) return undefined
  const { params } = interaction
  const client_id = textOf(params.client_id)
  const client = await provider.Client.find(client_id)
  if (!client) return undefined
  const { clientName: client_name, clientUri: client_uri } = client
  return {
    visit,
    interaction,
    at,
    client: { ...shownClient({ client_id, client_name, client_uri }), id: client_id },
    destination: destinationOf(textOf(params.redirect_uri)),
    resources: [params.resource].flat().map(textOf),
    asked: askedScopes(textOf(params.scope)),
    customer: await customerOf(visit, interaction),
    login_hint: parseEmail(textOf(params.login_hint)) ?? '',
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

async function interactionOf({ app, provider, request, reply }: Visit) {
  try {
    return await provider.interactionDetails(request.raw, reply.raw)
  } catch (error) {
    if (error instanceof libraryOf(app.log).errors.SessionNotFound) return undefined
    throw error
  }
}

/** Nobody where the log-in itself is asked for: the client may want the password anew. */
async function customerOf({ app }: Visit, { prompt, session }: Interaction) {
  if (prompt.name !== 'consent' || !session) return null
  const customer = await customerById(app.db, session.accountId)
  return customer && customer.status !== 'closed' ? customer : null
}

/** What the form's token is made of. */
export function csrfOf({ interaction }: Standing): CsrfFacts {
  const { uid, cid, session } = interaction
  return { uid, cid, session: session?.uid ?? '' }
}

/** Forgets who is signed in to this browser. */
export async function signOut(standing: Standing): Promise<Standing> {
  const { interaction, visit } = standing
  const { provider, request, reply } = visit
  const cookies = provider.createContext(request.raw, reply.raw).cookies
  const id = cookies.get(provider.cookieName('session'), { signed: true })
  const session = id === undefined ? undefined : await provider.Session.find(id)
  await session?.destroy()
  interaction.session = undefined
  await interaction.persist()
  return { ...standing, customer: null }
}

/** The page's facts, but for what was typed into it. */
export async function viewOf(
  standing: Standing,
): Promise<Omit<ConsentView, 'checked' | 'email' | 'problem'>> {
  const { visit, interaction, client, destination, resources, asked } = standing
  return {
    interaction: interaction.uid,
    csrf: csrfToken(csrfOf(standing)),
    house: new URL(visit.app.settings.base_url).host,
    client,
    destination,
    resources,
    boxes: asked.boxes,
    signed_in: await signedIn(standing),
  }
}

async function signedIn({ visit, customer }: Standing): Promise<SignedIn | null> {
  if (!customer) return null
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
  }
}

/** Notes the owner's answer and leads on. */
export async function finish(standing: Standing, result: InteractionResults): Promise<PageAnswer> {
  const { provider, request, reply } = standing.visit
  await provider.interactionResult(request.raw, reply.raw, result, {
    mergeWithLastSubmission: false,
  })
  return onward(standing)
}

/** A browser goes on from a page of ours (notices.ts says why), a program at once. */
export function onward({ visit, interaction }: Standing): PageAnswer {
  const browser = visit.request.headers['sec-fetch-dest'] === 'document'
  const page = `/oauth/authorize?interaction=${interaction.uid}`
  return seeOther(browser ? page : interaction.returnTo)
}

// Stores a consent: the library's grant with exactly the selected scopes, the owner's row, the
// audit row, and an email to the owner.
import type { Provider } from 'oidc-provider'
import { type App, scopes as serviceScopes, withoutIncluded } from '../../app.ts'
import { notifyAccessRevoked } from '../../capabilities/api-keys/index.ts'
import { auditRowOf, storeAuditRow } from '../../capabilities/audit/index.ts'
import {
  appTarget,
  type LimitsRow,
  limitsBody,
  readLimitsOf,
  replaceLimits,
} from '../../capabilities/limits/index.ts'
import { customerMail } from '../../capabilities/mail/index.ts'
import { beginSession } from '../../capabilities/sign-in/index.ts'
import type { Sql } from '../../db/database.ts'
import { type CustomerId, type GrantId, hashSecret } from '../../kit/random.ts'
import { type ChosenLimits, limitsWith } from '../app-limits/chosen-limits.ts'
import type { DnsLimit } from '../app-limits/dns-limit.ts'
import type { SpendChoice } from '../app-limits/spend-limit.ts'
import { isFreshLogin } from '../interaction/interaction-state.ts'
import { among, type RequestedScopes } from '../interaction/scope-descriptions.ts'
import { lifetimes } from '../shared/lifetimes.ts'
import { lockOpenAccount, lockSession } from '../storage/browser-sessions.sql.ts'
import {
  findGrantOfInteraction,
  insertGrant,
  lockPassword,
  setGrantSession,
} from '../storage/grants.sql.ts'
import { appConnectedEmail } from './emails.ts'
import { withdrawScopes } from './withdraw-scopes.ts'

type ConsentParts = { app: App; provider: Provider }
type Consent = {
  /** The id of the interaction. */
  interaction: string
  customer_id: CustomerId
  /** The login that the consent is given in, or null if one begins with it. */
  session_id: bigint | null
  /** The dashboard's session in which this login began; the two end together. */
  begun_in: bigint | null
  client: { id: string; name: string; redirect_host: string }
  /** The resources as they were requested, each once. */
  resources: readonly string[]
  scopes: RequestedScopes
  selected: readonly string[]
  limits: ChosenLimits
  /** When the owner logged in. */
  signed_in_at: Date
  /** A later change of the password invalidates the consent. */
  password_of: Date
  /** The time in the form that beginSession takes. */
  password_changed_at: Date | null
  agent_identifier: string
  /** The address, as rate limits count it. */
  address: string
}

/**
 * `other_consent` says that the interaction has a consent of another account, or of other scopes.
 */
type StoredConsent =
  | { kind: 'stored'; grant_id: GrantId }
  | { kind: 'password_changed' | 'other_consent' | 'logged_out' }

/**
 * Stores the consent, or finds the one that the same interaction has already. It grants no scope
 * that was not requested, and none that was not selected.
 */
export async function storeConsent(parts: ConsentParts, consent: Consent): Promise<StoredConsent> {
  const { scopes, selected } = consent
  const granted = [
    ...withoutIncluded(scopes.selectable.filter((scope) => selected.includes(scope))),
    ...scopes.implicit,
  ]
  const grant = newGrant(parts, consent, granted)
  // The library saves it on a connection of its own. If the process ends here, no interaction names
  // this grant, and it is purged when it expires.
  const id = await grant.save()
  const result = await parts.app.db.transaction((sql) =>
    write(parts, sql, { id, consent, granted }),
  )
  if (result.kind !== 'stored' || result.grant_id !== id) await grant.destroy()
  return result
}

type NewConsent = { id: string; consent: Consent; granted: readonly string[] }

async function write(
  parts: ConsentParts,
  sql: Sql,
  { id, consent, granted }: NewConsent,
): Promise<StoredConsent> {
  const { app } = parts
  const { client, customer_id } = consent
  const password = await sql.maybe(lockPassword, { customer_id })
  if (password && password.changed_at > consent.password_of) return { kind: 'password_changed' }
  const logIn = consent.session_id ?? consent.begun_in
  if (logIn !== null && !(await sql.maybe(lockSession, { id: logIn })))
    return { kind: 'logged_out' }
  if (!(await sql.maybe(lockOpenAccount, { id: customer_id }))) return { kind: 'logged_out' }
  const row = { id, client_name: client.name, redirect_host: client.redirect_host, scopes: granted }
  const hash = hashSecret(consent.interaction)
  const made = await sql.maybe(insertGrant, {
    id,
    customer_id,
    client_id: client.id,
    client_name: row.client_name,
    redirect_host: row.redirect_host,
    scopes: [...granted],
    resource: consent.resources.join(' '),
    created_at: app.clock.now(),
    interaction_hash: hash,
  })
  if (!made) {
    const first = await sql.one(findGrantOfInteraction, { interaction_hash: hash })
    const isSame = first.customer_id === customer_id && sameScopes(first.scopes, granted)
    return isSame ? { kind: 'stored', grant_id: first.id } : { kind: 'other_consent' }
  }
  await sql.count(setGrantSession, {
    id,
    session_id: consent.session_id ?? (await beginLogin(app, sql, consent)),
  })
  const narrowed = await withdrawScopes(app, sql, {
    ...{ customer_id, client_id: client.id, grant_id: id },
    scopes: refusedScopes(consent, granted),
  })
  const own = await limitApp(app, sql, consent)
  const { spend, dns } = consent.limits
  const limits = { spend, dns: dns && limitsBody(own, app.clock.now()).dns }
  await storeAuditRow(sql, auditRow(parts, consent, { ...row, ...limits, narrowed }))
  await customerMail(sql, customer_id, appConnectedEmail({ ...row, ...limits }, app.settings))
  return { kind: 'stored', grant_id: id }
}

/** Sets the limits for all consents of the app. The limits that it has beside these stay. */
async function limitApp(
  app: App,
  sql: Sql,
  { customer_id, client, limits: chosen, signed_in_at }: Consent,
): Promise<LimitsRow | undefined> {
  if (chosen.spend === null && chosen.dns === null) return undefined
  const target = appTarget(customer_id, client.id)
  const in_person = isFreshLogin(signed_in_at, app.clock.now())
  const old = await readLimitsOf(sql, target)
  const limits = limitsWith(app.registries, old, { ...chosen, in_person })
  // The form was read before.
  if (!limits) throw new Error('A limit of a consent is malformed')
  const own = await replaceLimits(sql, target, { limits, now: app.clock.now() })
  app.authentications.invalidate()
  await notifyAccessRevoked(sql, customer_id)
  return own
}

function notGiven({ selectable }: RequestedScopes, granted: readonly string[]): string[] {
  const given = among(selectable, granted)
  return selectable.filter((scope) => !given.includes(scope))
}

/**
 * The scopes that the owner did not allow. Earlier consents lose them, with the scopes within them.
 */
function refusedScopes({ scopes }: Pick<Consent, 'scopes'>, granted: readonly string[]): string[] {
  const refused = notGiven(scopes, granted)
  const included = serviceScopes.filter((scope) => among([scope], refused).length > 0)
  return [...new Set([...refused, ...included])].filter((scope) => !granted.includes(scope))
}

function sameScopes(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join(' ') === other.toSorted().join(' ')
}

/** Begins a session in its owner's list, whose token is not given out. */
async function beginLogin(app: App, sql: Sql, consent: Consent): Promise<bigint> {
  const { customer_id, password_changed_at, signed_in_at, agent_identifier, address } = consent
  const now_ms = app.clock.now().getTime()
  // The time counts from the log-in, and may end while a page is open.
  const until_ms = Math.max(now_ms + 1_000, signed_in_at.getTime() + lifetimes.session_s * 1_000)
  const session = await beginSession(app, sql, {
    customer_id,
    password_changed_at,
    signed_in_at,
    agent: `consent page: ${agent_identifier}`.slice(0, 200),
    address,
    until: new Date(until_ms),
    begun_in: consent.begun_in,
  })
  // The password is locked, and was compared.
  if (!session) throw new Error('A password changed while its row was locked')
  return session.session_id
}

/**
 * The library lists our scopes as scopes of OpenID, too, so it requires them twice: among those and
 * among the scopes of the resource.
 */
function newGrant(
  { provider }: ConsentParts,
  { customer_id, client, resources }: Consent,
  granted: readonly string[],
) {
  const grant = new provider.Grant({ accountId: customer_id, clientId: client.id })
  grant.addOIDCScope(granted.join(' '))
  for (const resource of resources) grant.addResourceScope(resource, granted.join(' '))
  return grant
}

type StoredGrant = {
  id: string
  client_name: string
  redirect_host: string
  scopes: readonly string[]
  spend: SpendChoice | null
  dns: DnsLimit | null
  /** The earlier consents of the client that lost scopes which this one does not give. */
  narrowed: readonly string[]
}

function auditRow({ app }: ConsentParts, consent: Consent, row: StoredGrant) {
  const { client, customer_id, scopes, resources, agent_identifier } = consent
  return auditRowOf(
    {
      entry_point: 'dashboard',
      action: 'grant_oauth_client',
      caller: { kind: 'customer', customer_id },
      agent_identifier,
      now: app.clock.now(),
    },
    {
      target_type: 'oauth_grant',
      target: row.id,
      status_code: 303,
      metadata: {
        client_id: client.id,
        client_name: row.client_name,
        redirect_host: row.redirect_host,
        resources,
        scopes: row.scopes,
        scopes_not_given: withoutIncluded(notGiven(scopes, row.scopes)),
        ...(row.spend && { spend_limit: row.spend }),
        ...(row.dns && { dns: row.dns }),
        ...(row.narrowed.length > 0 && { narrowed_grants: row.narrowed }),
      },
    },
  )
}

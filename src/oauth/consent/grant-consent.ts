// Writes a consent down: the library's grant with exactly what was checked, the owner's row, the
// audit row, and a letter to the owner.
import type { Provider } from 'oidc-provider'
import type { App } from '../../app.ts'
import { auditRowOf, storeAuditRow } from '../../capabilities/audit/index.ts'
import { customerMail } from '../../capabilities/mail/index.ts'
import { beginSession } from '../../capabilities/sign-in/index.ts'
import type { Sql } from '../../db/database.ts'
import { hashSecret } from '../../kit/secret.ts'
import { lifetimes } from '../provider/lifetimes.ts'
import {
  findGrantOfInteraction,
  insertGrant,
  lockPassword,
  setGrantSession,
} from '../storage/grants.sql.ts'
import { programConnected } from './emails.ts'
import type { Asked } from './scope-descriptions.ts'

export type ConsentParts = { app: App; provider: Provider }
export type Consent = {
  /** The id of the interaction that it answers. */
  interaction: string
  customer_id: string
  /** The log-in that it is given in; null: one begins with it. */
  session_id: bigint | null
  client: { id: string; name: string; redirect_host: string }
  /** As they were asked for, each once. */
  resources: readonly string[]
  asked: Asked
  checked: readonly string[]
  /** A password that was changed later makes the consent void. */
  password_of: Date
  agent_identifier: string
  /** As counted in limits. */
  address: string
}

/** `changed`: the password was. `another`: the interaction was answered for another account. */
export type Given = { kind: 'given'; grant_id: string } | { kind: 'changed' } | { kind: 'another' }

/**
 * Writes the consent, or finds the one that the same interaction has already. It gives no scope
 * that was not asked for, and none that was not checked.
 */
export async function giveConsent(parts: ConsentParts, consent: Consent): Promise<Given> {
  const boxes = consent.asked.boxes.filter((scope) => consent.checked.includes(scope))
  const given = [...boxes, ...consent.asked.silent]
  const grant = newGrant(parts, consent, given)
  const id = await grant.save()
  const kept = await parts.app.db.transaction((sql) => write(parts, sql, { id, consent, given }))
  if (kept.kind !== 'given' || kept.grant_id !== id) await grant.destroy()
  return kept
}

type Writing = { id: string; consent: Consent; given: readonly string[] }

async function write(
  parts: ConsentParts,
  sql: Sql,
  { id, consent, given }: Writing,
): Promise<Given> {
  const { app } = parts
  const { client, customer_id } = consent
  const password = await sql.maybe(lockPassword, [customer_id])
  if (password && password.changed_at > consent.password_of) return { kind: 'changed' }
  const row = { id, client_name: client.name, redirect_host: client.redirect_host, scopes: given }
  const hash = hashSecret(consent.interaction)
  const made = await sql.maybe(insertGrant, [
    id,
    customer_id,
    client.id,
    row.client_name,
    row.redirect_host,
    [...given],
    consent.resources.join(' '),
    app.clock.now(),
    hash,
  ])
  if (!made) {
    const first = await sql.one(findGrantOfInteraction, [hash])
    const own = first.customer_id === customer_id
    return own ? { kind: 'given', grant_id: first.id } : { kind: 'another' }
  }
  await sql.count(setGrantSession, [id, consent.session_id ?? (await logIn(app, sql, consent))])
  await storeAuditRow(sql, auditRow(parts, consent, row))
  await customerMail(sql, customer_id, programConnected(row, app.settings))
  return { kind: 'given', grant_id: id }
}

/** A session that its owner sees in their list, with a token that nobody knows. */
async function logIn(app: App, sql: Sql, consent: Consent): Promise<bigint> {
  const { customer_id, password_of, agent_identifier, address } = consent
  const session = await beginSession(app, sql, {
    customer_id,
    password_changed_at: password_of,
    agent: `consent page: ${agent_identifier}`.slice(0, 200),
    address,
    until: new Date(app.clock.now().getTime() + lifetimes.session_s * 1_000),
  })
  // The password is held, and was compared.
  if (!session) throw new Error('A held password changed')
  return session.session_id
}

/**
 * Our scopes stand in the library's list of scopes too, so it looks for them twice: as scopes of
 * OpenID and as those of the resource.
 */
function newGrant(
  { provider }: ConsentParts,
  { customer_id, client, resources }: Consent,
  given: readonly string[],
) {
  const grant = new provider.Grant({ accountId: customer_id, clientId: client.id })
  grant.addOIDCScope(given.join(' '))
  for (const resource of resources) grant.addResourceScope(resource, given.join(' '))
  return grant
}

type Stored = { id: string; client_name: string; redirect_host: string; scopes: readonly string[] }

function auditRow({ app }: ConsentParts, consent: Consent, row: Stored) {
  const { client, customer_id, asked, resources, agent_identifier } = consent
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
        scopes_not_given: asked.boxes.filter((scope) => !row.scopes.includes(scope)),
      },
    },
  )
}

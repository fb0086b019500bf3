// Writes a consent down: the library's grant with exactly what was checked, the owner's row, the
// audit row, and a letter to the owner.
import type { Provider } from 'oidc-provider'
import type { App } from '../app.ts'
import { auditRowOf, storeAuditRow } from '../capabilities/audit/index.ts'
import { customerMail } from '../capabilities/mail/index.ts'
import { programConnected } from './grant-letters.ts'
import { holdPassword, insertGrant } from './grants.sql.ts'
import type { Asked } from './scope-words.ts'

export type ConsentParts = { app: App; provider: Provider }
export type Consent = {
  customer_id: string
  client: { id: string; name: string; redirect_host: string }
  /** As they were asked for, each once. */
  resources: readonly string[]
  asked: Asked
  checked: readonly string[]
  /** A password that was changed later makes the consent void. */
  password_of: Date
  agent_identifier: string
}

/**
 * The id of the new consent; undefined when the password changed meanwhile. It gives no scope that
 * was not asked for, and none that was not checked.
 */
export async function giveConsent(
  parts: ConsentParts,
  consent: Consent,
): Promise<string | undefined> {
  const { app } = parts
  const boxes = consent.asked.boxes.filter((scope) => consent.checked.includes(scope))
  const given = [...boxes, ...consent.asked.silent]
  const grant = newGrant(parts, consent, given)
  const id = await grant.save()
  const kept = await app.db.transaction(async (sql) => {
    const password = await sql.maybe(holdPassword, [consent.customer_id])
    if (password && password.changed_at > consent.password_of) return false
    const { client, customer_id } = consent
    const row = { id, client_name: client.name, redirect_host: client.redirect_host, scopes: given }
    await sql.count(insertGrant, [
      id,
      customer_id,
      client.id,
      row.client_name,
      row.redirect_host,
      given,
      consent.resources.join(' '),
      app.clock.now(),
    ])
    await storeAuditRow(sql, auditRow(parts, consent, row))
    await customerMail(sql, customer_id, programConnected(row, app.settings.site_url))
    return true
  })
  if (kept) return id
  await grant.destroy()
  return undefined
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

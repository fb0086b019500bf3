// Creates the account of a verified e-mail address, with its key for MCP and the accepted terms,
// and logs its owner in: the end of a sign-up, by mail or through an identity provider.

import Type, { type Static } from 'typebox'
import { type App, type Call, type Caller, Reply, scopes } from '../../app.ts'
import type { CustomerId } from '../../kit/random.ts'
import { nullable } from '../../kit/schema.ts'
import { addVerifiedCustomer, customerResponse } from '../account/index.ts'
import { createMcpKey } from '../api-keys/index.ts'
import { auditRowOf, storeAuditRow } from '../audit/index.ts'
import { giveSession, putFirstPassword, putKnownPlace, sessionGiven } from '../sign-in/index.ts'
import { insertAcceptance } from './sign-ups.sql.ts'

export const dashboardRegisterResponse = Type.Object(
  {
    customer: customerResponse,
    ...sessionGiven,
    mcp_api_key: nullable(
      Type.String({
        description:
          'An API key for MCP clients. It is shown only here, when the account is created, ' +
          'and is null otherwise.',
      }),
    ),
  },
  { title: 'DashboardRegisterResponse' },
)

type NewAccount = {
  email: string
  name: string
  company_name: string | null
  terms_version: string | null
  /** Null if the owner logs in without a password. */
  password_hash: string | null
  x_session: 'cookie' | undefined
  audit: { action: string; status_code: number; metadata: Record<string, unknown> }
}
type Created = { customer_id: CustomerId; reply: Reply<Static<typeof dashboardRegisterResponse>> }

/** Runs in a transaction. Undefined if an account has the address. */
export async function createAccount(
  app: App,
  call: Call,
  account: NewAccount,
): Promise<Created | undefined> {
  const { sql, address, entry_point, agent_identifier } = call
  const now = app.clock.now()
  const { email, name, company_name, password_hash: hash, terms_version, audit } = account
  const customer = await addVerifiedCustomer(sql, { email, name, company_name, now })
  if (!customer) return undefined
  const customer_id = customer.id
  if (hash === null) await putKnownPlace(sql, { customer_id, address, last_at: now })
  else await putFirstPassword(sql, { customer_id, hash, changed_at: now, address })
  if (terms_version !== null)
    await sql.count(insertAcceptance, { customer_id, version: terms_version, accepted_at: now })
  const { x_session } = account
  const password_changed_at = hash === null ? null : now
  const session = await giveSession(app, call, { customer_id, password_changed_at, x_session })
  if (!session) return undefined
  const { session_id } = session
  const { api_key, key_id, key_prefix } = await createMcpKey(app, sql, {
    customer_id,
    made_by: 'service',
  })
  // The caller is authenticated at this point, though not by a token, so the audit row is the
  // owner's.
  const caller: Caller = {
    kind: 'customer',
    customer_id,
    suspended: false,
    session_id,
    signed_in_at: now,
    scopes: new Set(scopes),
  }
  const { action, status_code } = audit
  const context = { entry_point, action, caller, agent_identifier, now }
  const facts = { target_type: 'customer', target: customer_id, status_code }
  const made = { session_id: String(session_id), api_key_id: String(key_id), key_prefix }
  const metadata = { ...audit.metadata, terms_version, ...made }
  await storeAuditRow(sql, auditRowOf(context, { ...facts, metadata }))
  const body = { customer, ...session.fields, mcp_api_key: api_key }
  return { customer_id, reply: new Reply(body, session.headers) }
}

// Another person as the registrant may take a domain away: such a change needs a fresh log-in
// (decision 48), and for a protected domain the owner's approval (decision 69).
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Static } from 'typebox'
import type { App, Call } from '../../../app.ts'
import { requireFreshSession } from '../../account/index.ts'
import { askApproval, requestChanged } from '../../approvals/index.ts'
import type { updateFields } from '../contact.ts'
import { type ContactRow, contactOfId, domainOfRegistrant } from '../contacts.sql.ts'
import { contactNotFound } from '../faults.ts'
import { differ, merged, readFacts } from '../fields/contact-fields.ts'

type Fields = { [Name in keyof typeof updateFields]?: Static<(typeof updateFields)[Name]> }
type Wanted = { id: bigint; change: Fields }

/**
 * Throws freshLogInNeeded, approvalRequired, requestChanged where the service makes another request
 * than the approved one, contactNotFound, and 422.
 */
export async function guardRegistrant(app: App, call: Call, { id, change }: Wanted) {
  const { sql, customer_id, caller, approval } = call
  const before = await sql.maybe(contactOfId, { customer_id, id })
  if (!before) throw contactNotFound()
  const facts = readFacts(merged(before, change), new Set(Object.keys(change)))
  const digest = digestOf(before, change)
  if (approval && approval.digest !== digest) throw requestChanged()
  if (approval || !differ(before, facts)) return
  const domain = await sql.maybe(domainOfRegistrant, { customer_id, contact_id: id })
  if (!domain && !before.default_registrant) return
  requireFreshSession(app, call)
  const isAgent = caller.kind === 'api_key' || caller.kind === 'oauth_client'
  if (!isAgent || !domain?.protected) return
  throw await askApproval(app, call, {
    ...{ action: 'update_contact', domain: domain.name, reason: 'protected_domain', price: null },
    ...{ request_digest: digest, digest },
    request: { handle: before.handle, ...change },
    input: { customer_id, contact_id: Number(id), ...change },
  })
}

/** The digest of the change to exactly this version of the contact. */
function digestOf({ id, version }: ContactRow, change: Fields): string {
  const facts = { action: 'update_contact', id: String(id), version: String(version), change }
  return createHash('sha256')
    .update(canonicalize(facts) ?? '')
    .digest('hex')
}

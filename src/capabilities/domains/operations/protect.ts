// Protects a domain, so that keys and apps need the owner's approval for changes that may lose it:
// POST /v1/domains/{domain}/protect and /unprotect.

import Type from 'typebox'
import { type App, type Call, ownerInPerson } from '../../../app.ts'
import type { DomainName } from '../../../kit/random.ts'
import { freshLogInNeeded, requireFreshLogIn, sessionRequired } from '../../account/index.ts'
import {
  openChangesShape,
  readOpenChanges,
  shownOpenChanges,
} from '../dns/unconfirmed/open-changes.ts'
import { domainNotFound } from '../faults.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { hostOf } from '../names.ts'
import { statusWithOrder } from '../orders/order-presenter.ts'
import { lastOrder } from '../orders/orders.sql.ts'
import { domainStatus } from '../schemas.ts'
import { setProtected } from '../updates/updates.sql.ts'
import { domainOperation } from './domain-operation.ts'

export const protectDomain = domainOperation({
  name: 'protect_domain',
  does: 'Protect one of your domains: keys and apps then need your approval for some changes.',
  more:
    'They need it to unlock the domain, to read or replace its transfer code, to approve a ' +
    'transfer away, or to change its name servers. Your own session does these as before. ' +
    'Changes of DNS records and name servers that wait for their confirmation then stay, and you ' +
    'decide about them.',
  at: 'POST /v1/domains/{domain}/protect',
  scope: ownerInPerson(),
  gives: Type.Object(
    { ...domainStatus.properties, unconfirmed_changes: openChangesShape },
    { title: 'ProtectedDomainResponse' },
  ),
  effect: 'transaction',
  fails: [domainNotFound, sessionRequired],
  async run(input, call, app) {
    const { status, id } = await setProtection(app, call, { ...input, is_protected: true })
    const open = await readOpenChanges(call.sql, id)
    const unconfirmed_changes = await shownOpenChanges(call.sql, { open, domain_id: id })
    return { ...status, unconfirmed_changes }
  },
})

export const unprotectDomain = domainOperation({
  name: 'unprotect_domain',
  does: 'End the protection of one of your domains.',
  more: 'It needs a session with a log-in within the last ten minutes.',
  at: 'POST /v1/domains/{domain}/unprotect',
  scope: ownerInPerson(),
  effect: 'transaction',
  fails: [domainNotFound, freshLogInNeeded, sessionRequired],
  run: async (input, call, app) =>
    (await setProtection(app, call, { ...input, is_protected: false })).status,
})

type Protection = { domain: DomainName; is_protected: boolean }

async function setProtection(app: App, call: Call, { domain, is_protected }: Protection) {
  const { sql, customer_id } = call
  const name = hostOf(domain)
  if (!(await sql.maybe(holdingByName, { customer_id, name }))) throw domainNotFound()
  if (!is_protected) requireFreshLogIn(app, call)
  const holding = await sql.maybe(setProtected, { customer_id, name, is_protected })
  if (!holding) throw domainNotFound()
  const order = await sql.maybe(lastOrder, { customer_id, domain: name })
  return { id: holding.id, status: statusWithOrder(holding, order, app.calendar.now()) }
}

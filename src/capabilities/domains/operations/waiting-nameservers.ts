// The change of name servers of a domain that waits for the new ones: GET and DELETE
// /v1/domains/{domain}/waiting-nameservers.

import Type from 'typebox'
import type { Call } from '../../../app.ts'
import type { DomainName } from '../../../kit/random.ts'
import { nullable, stringOf } from '../../../kit/schema.ts'
import { domainNotFound, domainPending } from '../faults.ts'
import { hostOf } from '../names.ts'
import { dropWaiting, waitingOfHolding } from '../updates/waiting/waiting.sql.ts'
import { shownWaiting, waitingShape } from '../updates/waiting/waiting.ts'
import { domainOperation, requireHolding } from './domain-operation.ts'

const at = '/v1/domains/{domain}/waiting-nameservers'
const gives = Type.Object(
  {
    domain: stringOf<DomainName>({ description: 'Lower-case A-labels.' }),
    waiting: nullable(waitingShape),
  },
  { title: 'WaitingNameserversResponse' },
)

export const getWaitingNameservers = domainOperation({
  name: 'get_waiting_nameservers',
  does: 'Show the change of name servers of one of your domains that waits for the new ones.',
  more: 'update_domain with require_served makes it wait until they serve the domain.',
  at: `GET ${at}`,
  scope: 'domains:read',
  gives,
  fails: [domainNotFound, domainPending],
  effect: 'none',
  async run(input, call) {
    const { domain, holding } = await heldBy(call, input)
    const { id: domain_id, customer_id } = holding
    const row = await call.sql.maybe(waitingOfHolding, { domain_id, customer_id })
    return { domain, waiting: row ? shownWaiting(row) : null }
  },
})

export const cancelWaitingNameservers = domainOperation({
  name: 'cancel_waiting_nameservers',
  does: 'Cancel the change of name servers of one of your domains that waits for the new ones.',
  more: 'The present name servers stay. It is no error if no change waits.',
  at: `DELETE ${at}`,
  scope: 'domains:write',
  gives,
  fails: [domainNotFound, domainPending],
  effect: 'transaction',
  async run(input, call) {
    const { domain, holding } = await heldBy(call, input)
    await call.sql.maybe(dropWaiting, { domain_id: holding.id })
    return { domain, waiting: null }
  },
})

async function heldBy(call: Call, input: { domain: DomainName }) {
  const domain = hostOf(input.domain)
  return { domain, holding: await requireHolding(call, domain, 'update_nameservers') }
}

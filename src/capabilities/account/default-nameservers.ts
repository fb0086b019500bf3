// Sets the name servers of domains that are bought without any.
import Type from 'typebox'
import { operation, owner } from '../../app.ts'
import { foldNameservers } from './customer.ts'
import { updateDefaultNameservers } from './customers.sql.ts'
import { freshLogInNeeded } from './faults.ts'
import { requireFreshSession } from './fresh-log-in.ts'

const nameservers = Type.Array(Type.String({ maxLength: 255 }), {
  minItems: 2,
  maxItems: 13,
  description: 'Host names without duplicates; case and a final dot are ignored.',
})

export const setDefaultNameservers = operation({
  name: 'update_default_nameservers',
  does: 'Set the default name servers of new domains.',
  more: 'A session needs a log-in within the last ten minutes.',
  at: 'PATCH /v1/account/default-nameservers',
  area: 'Account and customers',
  who: owner('account:write'),
  takes: Type.Object(
    { default_nameservers: nameservers },
    { title: 'AccountDefaultNameserversUpdateRequest' },
  ),
  gives: Type.Object(
    { default_nameservers: nameservers },
    { title: 'AccountDefaultNameserversResponse' },
  ),
  fails: [freshLogInNeeded],
  effect: 'transaction',
  target: (_input, output) => ({
    target_type: 'customer',
    target: null,
    metadata: { default_nameservers: output?.default_nameservers ?? null },
  }),
  async run(input, call, app) {
    requireFreshSession(app, call)
    const { idn_exceptions: exceptions } = app.registries
    const given = input.default_nameservers
    const hosts = foldNameservers('default_nameservers', given, { exceptions })
    return call.sql.one(updateDefaultNameservers, {
      id: call.customer_id,
      default_nameservers: hosts,
      updated_at: app.clock.now(),
    })
  },
})

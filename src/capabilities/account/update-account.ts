// Updates the caller's profile and default name servers.
import Type from 'typebox'
import { operation, owner } from '../../app.ts'
import { FieldReader, requireAField } from '../../kit/field-reader.ts'
import { sameEmail } from '../../kit/net/email.ts'
import { nullable } from '../../kit/schema.ts'
import { customerOf, customerResponse, foldNameservers } from './customer.ts'
import { customerOfId, updateDefaultNameservers, updateProfile } from './customers.sql.ts'
import { sessionRequired } from './faults.ts'

export const updateAccount = operation({
  name: 'update_account',
  does: "Change the account's name or company.",
  more:
    'At least one field. The e-mail address changes only after a fresh log-in of its owner, ' +
    'never by a key.',
  at: 'PATCH /v1/account',
  area: 'Account and customers',
  who: owner('account:write'),
  takes: Type.Object({
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'A person or a team.' }),
    ),
    company_name: Type.Optional(
      nullable(Type.String({ maxLength: 200, description: 'null or blank removes it.' })),
    ),
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 320,
        description: 'Takes effect once it is verified.',
      }),
    ),
  }),
  gives: Type.Object(
    {
      customer: customerResponse,
      email_verification_sent: Type.Boolean({
        description: 'Whether a code went to a new e-mail address.',
      }),
    },
    { title: 'CustomerProfileUpdateResponse' },
  ),
  fails: [sessionRequired],
  effect: 'transaction',
  target: (input, output) => ({
    target_type: 'customer',
    target: output?.customer.id ?? null,
    metadata: { fields: Object.keys(input).sort() },
  }),
  async run(input, call, app) {
    requireAField(input)
    const reading = new FieldReader()
    const name = input.name === undefined ? null : reading.line('name', input.name)
    const company = reading.optionalLine('company_name', input.company_name)
    const email = input.email === undefined ? null : reading.email('email', input.email)
    reading.finish()
    const current = await call.sql.one(customerOfId, { id: call.customer_id })
    // The current address is no change: an agent may send back what it has read.
    if (email !== null && !sameEmail(email, current.email)) throw sessionRequired()
    const row = await call.sql.one(updateProfile, {
      id: call.customer_id,
      name,
      sets_company_name: input.company_name !== undefined,
      company_name: company,
      updated_at: app.clock.now(),
    })
    return { customer: customerOf(row), email_verification_sent: false }
  },
})

const nameservers = Type.Array(Type.String({ maxLength: 255 }), {
  minItems: 2,
  maxItems: 13,
  description: 'Host names without duplicates; case and a final dot are ignored.',
})

export const setDefaultNameservers = operation({
  name: 'update_default_nameservers',
  does: 'Set the default name servers of new domains.',
  at: 'PATCH /v1/account/default-nameservers',
  area: 'Account and customers',
  who: owner('account:write'),
  takes: Type.Object({ default_nameservers: nameservers }),
  gives: Type.Object(
    { default_nameservers: nameservers },
    { title: 'AccountDefaultNameserversResponse' },
  ),
  fails: [],
  effect: 'transaction',
  target: (_input, output) => ({
    target_type: 'customer',
    target: null,
    metadata: { default_nameservers: output?.default_nameservers ?? null },
  }),
  async run(input, call, app) {
    const hosts = foldNameservers('default_nameservers', input.default_nameservers)
    return call.sql.one(updateDefaultNameservers, {
      id: call.customer_id,
      default_nameservers: hosts,
      updated_at: app.clock.now(),
    })
  },
})

// Customers: their response schema, the rules of their fields, and the operations that read them.

import Type, { type Static } from 'typebox'
import { operation, owner, ownerOf } from '../../app.ts'
import type { Json } from '../../db/statement.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { type HostReading, readHost } from '../../kit/net/host.ts'
import type { CustomerId } from '../../kit/random.ts'
import { dateTime, nullable, oneOf, stringOf, wordOf } from '../../kit/schema.ts'
import { callerLimitEntries, limitEntries } from '../limits/index.ts'
import { type CustomerRow, customerOfId } from './customers.sql.ts'
import { customerAbsent } from './faults.ts'

const customerStatuses = ['active', 'suspended', 'closed'] as const

const providerClientStates = ['none', 'active', 'stale', 'failed'] as const

const providerClient = Type.Object(
  {
    provider: Type.String({ description: 'The registry or the reseller.' }),
    client_id: Type.String({ description: 'The id of the contact object there.' }),
    state: oneOf(providerClientStates, {
      description:
        'active: it matches the default registrant. stale: the default registrant has changed ' +
        'since. failed: the provider refused it. none: it does not exist yet, or is not known to ' +
        'exist.',
    }),
    reconciled_at: nullable(dateTime('When the provider last accepted it.')),
  },
  { additionalProperties: false },
)

export const customerResponse = Type.Object(
  {
    id: stringOf<CustomerId>({ description: '"cus_" and 26 characters.' }),
    email: Type.String({ description: 'The address that mail is sent to.' }),
    email_verified: Type.Boolean({ description: 'Whether its owner has verified it.' }),
    name: Type.String({ description: 'A person or a team.' }),
    company_name: nullable(Type.String({ description: 'The company, if any.' })),
    status: oneOf(customerStatuses, {
      description: 'A suspended account can be read, but not changed.',
    }),
    default_nameservers: Type.Array(Type.String(), {
      description:
        'Name servers of a domain that is bought without any. If the list is empty, the ' +
        'domain gets the name servers of the service.',
    }),
    provider_client: nullable(providerClient),
    created_at: dateTime('When it was created.'),
    updated_at: dateTime('When it was last changed.'),
  },
  { title: 'CustomerResponse' },
)
export type Customer = Static<typeof customerResponse>

const accountResponse = Type.Object(
  { ...customerResponse.properties, limits: nullable(limitEntries) },
  { title: 'AccountResponse' },
)

/** The response for a row. */
export function customerOf(row: CustomerRow): Customer {
  return {
    id: row.id,
    email: row.email,
    email_verified: row.email_verified,
    name: row.name,
    company_name: row.company_name,
    status: wordOf(customerStatuses, row.status),
    default_nameservers: row.default_nameservers,
    provider_client: providerClientOf(row.provider_client),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function providerClientOf(stored: Json): Customer['provider_client'] {
  if (typeof stored !== 'object' || stored === null || !('provider' in stored)) return null
  return {
    provider: String(stored.provider),
    client_id: String(stored.client_id),
    state: wordOf(providerClientStates, String(stored.state)),
    reconciled_at:
      stored.reconciled_at === null ? null : new Date(String(stored.reconciled_at)).toISOString(),
  }
}

/**
 * Host names as lower-case A-labels without the final dot. Throws InvalidInput that names every
 * entry which is an address, has fewer than two labels, is malformed, or is a duplicate.
 */
export function foldNameservers(
  field: string,
  given: readonly string[],
  reading: HostReading,
): string[] {
  const read = given.map((text) => readHost(text, reading))
  const hosts = read.map((one) => ('host' in one ? one.host : undefined))
  const problems = read.flatMap((one, i) => {
    const refused = (msg: string) => [{ path: [field, i], msg, type: 'value_error' }]
    if ('problem' in one && one.problem !== '') return refused(`Host name ${one.problem}`)
    if (!hosts[i]?.includes('.'))
      return refused('Input should be a host name, such as ns1.example.net')
    return hosts.indexOf(hosts[i]) === i ? [] : refused('Host name is a duplicate')
  })
  if (problems.length > 0) throw new InvalidInput(problems)
  return hosts.filter((host) => host !== undefined)
}

export const getAccount = operation({
  name: 'get_account',
  does: 'Read the account that the token belongs to.',
  more:
    'Its "id" is the customer_id in other operations. "limits" shows how much the owner lets ' +
    'your token spend, buy and see, or is null if nothing but the balance and its scopes limits ' +
    'it.',
  at: 'GET /v1/account',
  area: 'Account and customers',
  who: owner('account:read'),
  takes: Type.Object({}),
  gives: accountResponse,
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'account',
      title: 'Read the account',
      examples: [{}],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run(_input, call, app) {
    const [row, limits] = await Promise.all([
      call.sql.one(customerOfId, { id: call.customer_id }),
      callerLimitEntries(app, call),
    ])
    return { ...customerOf(row), limits }
  },
})

export const getCustomer = operation({
  name: 'get_customer',
  does: 'Read a customer.',
  at: 'GET /v1/customers/{customer_id}',
  area: 'Account and customers',
  who: ownerOf('account:read'),
  takes: Type.Object({ customer_id: stringOf<CustomerId>({ description: 'The customer.' }) }),
  gives: customerResponse,
  fails: [customerAbsent],
  effect: 'none',
  async run(_input, call) {
    const row = await call.sql.maybe(customerOfId, { id: call.customer_id })
    if (!row) throw customerAbsent()
    return customerOf(row)
  },
})

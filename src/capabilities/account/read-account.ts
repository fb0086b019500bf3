// Reads the caller's own account, or a customer by id.
import Type from 'typebox'
import { operation, owner, ownerOf } from '../../app.ts'
import { customerOf, customerResponse } from './customer.ts'
import { customerOfId } from './customers.sql.ts'
import { customerAbsent } from './faults.ts'

export const getAccount = operation({
  name: 'get_account',
  does: 'Read the account that the token belongs to.',
  more: 'Its "id" is the customer_id of other operations.',
  at: 'GET /v1/account',
  area: 'Account and customers',
  who: owner('account:read'),
  takes: Type.Object({}),
  gives: customerResponse,
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
  async run(_input, call) {
    return customerOf(await call.sql.one(customerOfId, [call.customer_id]))
  },
})

export const getCustomer = operation({
  name: 'get_customer',
  does: 'Read a customer.',
  at: 'GET /v1/customers/{customer_id}',
  area: 'Account and customers',
  who: ownerOf('account:read'),
  takes: Type.Object({ customer_id: Type.String({ description: 'The customer.' }) }),
  gives: customerResponse,
  fails: [customerAbsent],
  effect: 'none',
  async run(_input, call) {
    const row = await call.sql.maybe(customerOfId, [call.customer_id])
    if (!row) throw customerAbsent()
    return customerOf(row)
  },
})

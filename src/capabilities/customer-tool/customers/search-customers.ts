// Searches customers for support staff, by a literal substring, an exact address or a status: GET
// /v1/customer-tool/customers.
import Type from 'typebox'
import { customerTool, operation } from '../../../app.ts'
import { limitField } from '../../../lists/paging.ts'
import { inspect, inspectionFaults, noteReading } from '../inspect.ts'
import { offsetField, pageOf } from '../offsets.ts'
import { type FoundCustomer, searchByEmail, searchCustomers } from './customers.sql.ts'
import { customerToolList } from './profile-schemas.ts'

export const searchCustomersOperation = operation({
  name: 'search_customers',
  does: 'Search customers by a part of their id, email address, name or company.',
  more: 'All filters that are given must match. Case does not matter, and there are no wildcards.',
  at: 'GET /v1/customer-tool/customers',
  area: 'Customer tool',
  who: customerTool(),
  takes: Type.Object({
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A literal part of the id, email address, name or company.',
      }),
    ),
    email: Type.Optional(
      Type.String({ minLength: 3, maxLength: 320, description: 'The exact email address.' }),
    ),
    status: Type.Optional(
      Type.String({ minLength: 1, maxLength: 32, description: 'active, suspended or closed.' }),
    ),
    limit: limitField({ default: 50, maximum: 200 }),
    offset: offsetField,
  }),
  gives: customerToolList,
  fails: inspectionFaults,
  effect: 'own',
  target: (asked) => ({ target_type: 'customers', target: null, metadata: { asked } }),
  async run(asked, call, app) {
    const { q = null, email, status = null, limit, offset } = asked
    const filters = { q, status, limit: BigInt(limit) + 1n, offset: BigInt(offset) }
    const rows = await inspect(app, (sql) =>
      email === undefined
        ? sql.run(searchCustomers, filters)
        : sql.run(searchByEmail, { email, ...filters }),
    )
    const { page, next_offset } = pageOf(rows, { limit, offset })
    const metadata = { asked, customers: page.map(({ id }) => id) }
    await noteReading(app, call, { target_type: 'customers', target: null, metadata })
    return { customers: page.map(shownCustomer), limit, next_offset }
  },
})

export function shownCustomer({ created_at, updated_at, ...row }: FoundCustomer) {
  return { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() }
}

// Lists the API keys of a customer, newest first, revoked ones included.
import Type from 'typebox'
import { operation, ownerOf } from '../../app.ts'
import { apiKeyOf, apiKeyResponse, customerId } from './api-key.ts'
import { keysOfCustomer } from './api-keys.sql.ts'

export const listApiKeys = operation({
  name: 'list_api_keys',
  does: 'List the API keys, newest first.',
  at: 'GET /v1/customers/{customer_id}/api-keys',
  area: 'API keys',
  who: ownerOf('keys:read'),
  takes: Type.Object({ customer_id: customerId }),
  gives: Type.Array(apiKeyResponse),
  fails: [],
  effect: 'none',
  async run(_input, call) {
    const rows = await call.sql.run(keysOfCustomer, { customer_id: call.customer_id })
    return rows.map(apiKeyOf)
  },
})

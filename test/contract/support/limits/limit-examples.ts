// Valid calls of the operations on limits and on money kept for renewals.
import { type Example, type Fixture, keyOf } from '../fixture.ts'
import { freshConsent } from '../fresh-consent.ts'
import { recentSession } from '../passkey-examples.ts'
import { quoteExamples } from './quote-examples.ts'

const inPerson = { access: 'session', operator: false }

async function freshKey(fixture: Fixture): Promise<Example> {
  const { id } = await keyOf(fixture, [])
  return { path: { customer_id: fixture.id, api_key_id: id } }
}

export const limitExamples = {
  ...quoteExamples,
  'GET /v1/account/limits': { access: 'account:read', operator: false, make: () => ({}) },
  'GET /v1/account/runway': {
    access: 'billing:read',
    operator: false,
    make: () => ({ query: { limit: '10' } }),
  },
  'PATCH /v1/customers/{customer_id}/api-keys/{api_key_id}': {
    ...inPerson,
    make: async (fixture: Fixture) => ({
      ...(await freshKey(fixture)),
      ...(await recentSession(fixture)),
      body: { spend_limit: { amount: '25.00', currency: 'USD', window: 'month' } },
    }),
  },
  'PATCH /v1/account/oauth-grants/{id}': {
    ...inPerson,
    make: async (fixture: Fixture) => ({
      ...(await freshConsent(fixture)),
      ...(await recentSession(fixture)),
      body: { max_price: { amount: '15.00', currency: 'USD' } },
    }),
  },
}

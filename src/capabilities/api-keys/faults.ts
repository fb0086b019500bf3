// Errors of API keys.
import Type from 'typebox'
import { fault } from '../../kit/fault.ts'

export const apiKeyNotFound = fault('api_key_not_found', 'absent', {
  sentence: 'There is no API key with this id.',
  hint: 'List the API keys of the customer.',
})
export const apiKeyRevoked = fault('api_key_revoked', 'conflict', {
  sentence: 'The API key is revoked, which is final.',
  hint: 'Create a new key.',
  next: 'choose_alternative',
})
export const scopeNotHeld = fault('scope_not_held', 'forbidden', {
  sentence: 'A key cannot grant, or take over, scopes that it does not hold itself.',
  hint: 'Name only scopes that your own key holds, or ask the owner; see "scopes_not_held".',
  facts: {
    scopes_not_held: Type.Array(Type.String(), {
      description: 'The scopes that the caller lacks.',
    }),
  },
})
export const apiKeyNotOwn = fault('api_key_not_own', 'forbidden', {
  sentence: 'A key or an app rotates only itself and the keys that it created.',
  hint: 'Ask the owner, who rotates any key in the dashboard at "API keys".',
})
export const tooManyApiKeys = fault('too_many_api_keys', 'conflict', {
  sentence: 'The account has reached its limit of active API keys.',
  hint: 'Revoke keys that are no longer used: "limit" is the number of active ones.',
  next: 'choose_alternative',
  page: '/api-keys',
  facts: {
    limit: Type.Integer({
      minimum: 1,
      description: 'The number of active keys that an account may have.',
    }),
  },
})

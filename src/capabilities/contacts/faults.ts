// Errors of contacts.
import Type from 'typebox'
import { fault } from '../../kit/fault.ts'

export const contactNotFound = fault('contact_not_found', 'absent', {
  sentence: 'There is no contact with this id.',
  hint: 'List the contacts of the customer.',
})
export const handleTaken = fault('handle_taken', 'conflict', {
  sentence: 'Another contact of the customer has this handle.',
  hint: 'Choose another handle, or leave it out to get one.',
  next: 'choose_alternative',
})
export const contactInUse = fault('contact_in_use', 'conflict', {
  sentence: 'The contact is used by a domain or by an order that is still open.',
  hint: 'Give those domains another contact first, or change this one instead of deleting it.',
})
export const clientRegistrantMissing = fault('default_registrant_required', 'conflict', {
  sentence: 'The customer has no default registrant to represent it at the provider.',
  hint: 'Create a contact with default_registrant true, or set it on an existing contact.',
  next: 'fix_request',
})
export const providerWithoutClients = fault('provider_without_clients', 'conflict', {
  sentence: 'No registry of this service stores contacts, so there is no provider client.',
  hint: 'There is nothing to update.',
  next: 'none',
})
export const providerClientBusy = fault('provider_client_busy', 'conflict', {
  sentence: 'The provider client of this customer is being updated.',
  hint: 'Wait a moment, then read the customer.',
  next: 'wait_and_retry',
  retryable: true,
})
export const providerRefused = fault('provider_refused', 'conflict', {
  sentence: "The provider refused the customer's default registrant.",
  hint: 'Its message is in "detail": change the contact, and try again.',
  next: 'fix_request',
})
export const providerUnreachable = fault('provider_unreachable', 'unavailable', {
  sentence: 'The provider is not responding.',
  hint: 'Try again after Retry-After. Nothing is done twice.',
})
export const tooManyContacts = fault('too_many_contacts', 'conflict', {
  sentence: 'The account has reached its limit of contacts.',
  hint: 'Use one contact for several domains, or delete some: "limit" is their number.',
  next: 'choose_alternative',
  page: '/contacts',
  facts: {
    limit: Type.Integer({
      minimum: 1,
      description: 'The number of contacts that an account may have.',
    }),
  },
})

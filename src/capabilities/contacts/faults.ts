// How the contacts room says no.
import { fault } from '../../kit/fault.ts'

export const contactNotFound = fault('contact_not_found', 'absent', {
  sentence: 'There is no contact with this id.',
  hint: 'List the contacts of the customer.',
})
export const handleTaken = fault('handle_taken', 'conflict', {
  sentence: 'This handle is taken.',
  hint: 'Choose another handle, or leave it out to get one.',
  next: 'choose_alternative',
})
export const contactInUse = fault('contact_in_use', 'conflict', {
  sentence: 'The contact is used by a domain or by an order that is still open.',
  hint: 'Give those domains another contact first, or change this one instead of deleting it.',
})

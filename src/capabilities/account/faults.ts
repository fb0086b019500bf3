// How the account room says no; `customerAbsent` is said by every room that an operator may ask
// about a customer.
import { fault } from '../../kit/fault.ts'

export const customerAbsent = fault('customer_not_found', 'absent', {
  sentence: 'There is no customer with this id.',
  hint: 'Check customer_id.',
})
export const emailTaken = fault('email_taken', 'conflict', {
  sentence: 'A customer with this e-mail address is there already.',
  hint: 'Use that customer, or another address.',
  next: 'choose_alternative',
})
export const sessionRequired = fault('session_required', 'forbidden', {
  sentence: 'The e-mail address is changed by its owner after a fresh log-in, never by a key.',
  hint: 'Ask the owner to change it in the dashboard; leave "email" out to change the rest.',
})

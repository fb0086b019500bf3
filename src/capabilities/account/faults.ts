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
  sentence: 'Only the owner may do this, in person after a log-in; never a key or an OAuth client.',
  hint: 'Ask the owner to log in and do it; leave out what needs it to change the rest.',
})

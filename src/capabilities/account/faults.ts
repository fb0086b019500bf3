// Errors of accounts; `customerAbsent` is shared by all operations that take a customer_id.
import { fault } from '../../kit/fault.ts'

export const customerAbsent = fault('customer_not_found', 'absent', {
  sentence: 'There is no customer with this id.',
  hint: 'Check customer_id.',
})
export const emailTaken = fault('email_taken', 'conflict', {
  sentence: 'A customer with this email address already exists.',
  hint: 'Use that customer, or another address.',
  next: 'choose_alternative',
})
export const freshLogInNeeded = fault('fresh_log_in_needed', 'forbidden', {
  sentence: 'The log-in is older than ten minutes.',
  hint: 'Log in again, with the password, a passkey or an identity provider, and repeat the call.',
  next: 'authenticate',
})
export const sessionRequired = fault('session_required', 'forbidden', {
  sentence: 'Only the owner may do this, after logging in; an API key or an OAuth client may not.',
  hint: 'Ask the owner to log in and do it; the other fields need no log-in.',
})

// SQL about clients that nobody ever gave anything.
import { statement } from '../db/statement.ts'

/** Whether anybody ever gave this client a consent, also one that is over. */
export const wasGiven = statement(
  'oauth_grants_was_given',
  'select exists (select from oauth_grants where client_id = $1) as given',
  { not_null: ['given'] },
)

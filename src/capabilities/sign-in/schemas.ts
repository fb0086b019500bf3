// Fields that several operations of the module share.
import Type from 'typebox'
import { InvalidInput } from '../../kit/fault.ts'
import { dateTime } from '../../kit/schema.ts'
import { longest, passwordProblem, shortest } from './passwords/password.ts'

export const emailField = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'The email address of the account.',
})
/** Any string that could be a password. */
export const givenPassword = Type.String({
  minLength: 1,
  maxLength: longest,
  description: 'The password, in which case and spaces are significant.',
})
export const newPassword = Type.String({
  minLength: shortest,
  maxLength: longest,
  description: 'The password: characters of any kind, but not a common password.',
})
export const passwordSet = {
  changed_at: dateTime('When the password was set.'),
  sessions_ended: Type.Integer({ description: 'The number of other sessions that it ended.' }),
}

/** Throws 422 for a password that the policy rejects. */
export async function requireAcceptablePassword(
  field: string,
  password: string,
  email?: string,
): Promise<void> {
  const msg = await passwordProblem(password, email)
  if (msg !== null) throw new InvalidInput([{ path: [field], msg, type: 'value_error' }])
}

// The generator of authorization information for domains and contacts (RFC 9154 section 4).
import { randomBase62 } from './secret.ts'

// 142 bits, 128 being asked for: 24 characters of base62, less the few that lack a class.
const random_length = 24
const classes = [/[a-z]/, /[A-Z]/, /[0-9]/]

export type AuthInfoForm =
  /** With "-" and "!", for registries that demand more than letters and digits. */
  | 'with_symbols'
  /** For a registry that refused one with symbols. */
  | 'alphanumeric'

/**
 * New authorization information: always with a lower-case letter, an upper-case letter and a digit.
 * Texts that lack one are drawn again as a whole, so that all others stay equally likely.
 */
export function newAuthInfo(form: AuthInfoForm = 'with_symbols'): string {
  let text = randomBase62(random_length)
  while (!classes.every((wanted) => wanted.test(text))) text = randomBase62(random_length)
  return form === 'alphanumeric' ? text : `${text.slice(0, -2)}-${text.slice(-2)}!`
}

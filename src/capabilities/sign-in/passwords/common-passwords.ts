// Common passwords from leaks, by the dictionary of zxcvbn-ts (MIT).
import { dictionary } from '@zxcvbn-ts/language-common'

/** Some 49,000 passwords in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])

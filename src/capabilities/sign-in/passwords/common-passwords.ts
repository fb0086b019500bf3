// Common passwords: those of leaks, by the dictionary of zxcvbn-ts (MIT).
import { dictionary } from '@zxcvbn-ts/language-common'

/** Some 49 000, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])

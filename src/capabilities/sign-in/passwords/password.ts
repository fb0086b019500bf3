// Password policy (decision 22), pure.
import { toNfc } from './hashing.ts'

export const shortest = 8
export const longest = 256
const serviceWords = ['agent-registrar', 'agentregistrar', 'agent registrar', 'registrar']

/**
 * Why a password is rejected for the account with this email address, as a sentence, or null if it
 * is accepted. A password has 8 to 256 characters (code points) of any kind, U+0000 and spaces too.
 * It must not be a common one, the account's own address or our name. Without an address that part
 * is left out.
 */
export async function passwordProblem(password: string, email = ''): Promise<string | null> {
  if (!password.isWellFormed()) return 'Password should not have lone surrogates'
  if ([...toNfc(password)].length < shortest)
    return `Password should have at least ${shortest} characters`
  if ([...password].length > longest) return `Password should have at most ${longest} characters`
  const folded = toNfc(password).toLowerCase()
  if ([...serviceWords, ...wordsOf(email)].some((word) => isHardlyMoreThan(word, folded)))
    return 'Password should not be made of the email address or the name of this service'
  if (isRepeated(folded)) return 'Password should not be one short pattern over and over'
  // The list is loaded with the first password that is set, not at every start.
  const { commonPasswords } = await import('./common-passwords.ts')
  return tellingsOf(folded).some((one) => commonPasswords.has(one))
    ? 'Password should not be one that many people use'
    : null
}

const dressing = 4

/** The password, and the rest of it without up to four digits or signs at its ends. */
function tellingsOf(folded: string): string[] {
  const text = folded.trim()
  const cut = text.replace(/[^\p{L}]{1,4}$/u, '')
  return [text, cut, cut.replace(/^[^\p{L}]{1,4}/u, '')].filter((one) => one.length >= dressing)
}

/** The address, what is before the @ and behind it, and the name of the domain alone. */
function wordsOf(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  return [email.toLowerCase(), local, domain, domain.split('.')[0] ?? ''].filter(
    (word) => word.length >= dressing,
  )
}

function isHardlyMoreThan(word: string, folded: string): boolean {
  return folded.includes(word) && folded.length - word.length <= dressing
}

function isRepeated(text: string): boolean {
  const pattern = /^(.{1,4}?)\1+(.{0,3})$/su.exec(text)
  return pattern !== null && (pattern[1] ?? '').startsWith(pattern[2] ?? '')
}

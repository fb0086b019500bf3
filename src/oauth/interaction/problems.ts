// Error messages of a page that is shown again, by the page's own rules or from the API's refusal.
import type { LimitProblem } from '../app-limits/chosen-limits.ts'
import { dnsProblemWords } from '../app-limits/dns-limit.ts'
import type { PageCallAnswer } from '../host-ports.ts'
import { waitOf } from '../shared/form-parts.ts'

export type ProblemKind =
  | 'wrong'
  | 'incomplete'
  | 'nothing_selected'
  | LimitProblem
  | 'other_account'
  | 'other_owner'
export type Problem = {
  words: string
  /** Messages beside fields, by the names of the fields. */
  fields?: Readonly<Record<string, string>>
  /** The wait after too many attempts. */
  retry_after_s?: number
}

export function problemOf(kind: ProblemKind, isSignedIn: boolean): Problem {
  switch (kind) {
    case 'wrong':
      return {
        words: isSignedIn
          ? 'Incorrect password. Please try again.'
          : 'Incorrect email address or password. Please try again.',
      }
    case 'incomplete':
      return {
        words: isSignedIn
          ? 'Enter your password: you logged in more than ten minutes ago.'
          : 'Enter your email address and password.',
      }
    case 'other_account':
      return {
        words:
          'The app requested another account. Log in with that account, or choose Deny and ' +
          'connect the app again.',
      }
    case 'other_owner':
      return {
        words:
          'That log-in belongs to another account. Confirm as this account, or use another one.',
      }
    case 'nothing_selected':
      return { words: 'Nothing is selected.' }
    case 'spend_limit':
      return { words: 'The spending limit is not an amount.' }
    case 'dns_hosts':
    case 'dns_types':
      return { words: dnsProblemWords[kind] }
  }
}

export function limitedProblem(retry_after_s: number, tried = 'login attempts'): Problem {
  return {
    words: `Too many ${tried}. Wait ${waitOf(retry_after_s)}, then try again.`,
    retry_after_s,
  }
}

const sentences: Readonly<Record<string, string>> = {
  sign_up_closed: 'This service creates no new accounts. Existing accounts can still log in.',
  invitation_needed:
    'Accounts are created by invitation. Ask the operators of this service for one.',
  code_not_valid: 'The code is wrong, or has expired. Check it, or send another code.',
  sign_up_not_found: 'This sign-up is no longer open. Use another address, or sign up again.',
  account_exists: 'The account has already been created. Log in with its password.',
  passkey_refused: 'The passkey was not accepted. Try again, or log in another way.',
  passkeys_unavailable: 'Passkeys cannot be used at this address. Log in another way.',
  sso_code_not_valid: 'The code is wrong, or has expired. Check it, or send another code.',
  wrong_password: 'Incorrect password. Please try again.',
  sso_refused: 'The log-in was canceled at the identity provider.',
  sso_state_not_valid: 'The log-in took too long, or was started in another browser. Try again.',
  sso_ticket_not_valid: 'The log-in took too long, or was started in another browser. Try again.',
  sso_response_not_valid: 'The answer of the identity provider is not valid. Try again.',
  sso_provider_not_found: 'This identity provider is no longer offered.',
  sso_provider_failed: 'The identity provider answered with an error. Try another way.',
  sso_provider_unreachable: 'The identity provider is not responding. Try another way.',
  sso_email_not_verified:
    'The identity provider gave no verified email address. Verify yours there, or sign up with ' +
    'email and password.',
  sso_identity_exists: 'This identity already belongs to another account.',
  account_closed: 'This account is closed.',
}

/** The problem of a code, or undefined for a code that no page here meets. */
export function knownProblem(code: string): Problem | undefined {
  const words = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return words === undefined ? undefined : { words }
}

/**
 * The problem of a refusal, or undefined for an answer that only a failure of the service explains.
 */
export function refusalOf(answer: PageCallAnswer): Problem | undefined {
  const { status, headers, error_code, body } = answer
  if (status === 429 || status === 503) {
    const retry_after_s = Number(headers['Retry-After'] ?? 60)
    return limitedProblem(retry_after_s, 'attempts')
  }
  if (status === 422) return invalidInput(body)
  return knownProblem(error_code ?? '')
}

/** The problem of a 422, with the first message of each field. */
function invalidInput(body: unknown): Problem {
  const fields: Record<string, string> = {}
  for (const one of [Object(body).detail].flat()) {
    const { loc = [], msg = '' }: { loc?: unknown[]; msg?: string } = Object(one)
    const name = String(loc.at(-1) ?? '')
    fields[name] ??= sentenceOf(name, msg)
  }
  return { words: 'Please check the marked fields.', fields }
}

const labels: Readonly<Record<string, string>> = {
  email: 'The email address',
  password: 'The password',
  name: 'The name',
  code: 'The code',
}

/** Turns "String should have at least 8 characters" into a sentence about the field. */
function sentenceOf(name: string, message: string): string {
  const rest = message.replace(/^(String|Value|Password) /, '')
  return `${labels[name] ?? 'This'} ${rest}.`
}

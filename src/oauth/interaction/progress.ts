// Progress of an interaction: the steps that its user has taken, stored with it, so that its pages
// go on after a reload, a return from an identity provider, or a confirmation in another tab.
import type { CustomerId } from '../../kit/random.ts'
import type { DnsChoice } from '../app-limits/dns-limit.ts'
import type { SpendChoice } from '../app-limits/spend-limit.ts'
import type { Choice } from './scope-descriptions.ts'

/** If `preset` is null, exactly `scopes` are selected; if it is 'none', nothing is chosen yet. */
export type Selection = {
  preset: Choice | 'none' | null
  scopes: readonly string[]
  spend: SpendChoice
  /** Null if the form had no such fields. */
  dns: DnsChoice | null
}

/** An account that was logged in to within the interaction; its session begins with the consent. */
export type ProvenAccount = {
  customer_id: CustomerId
  /** The time in ISO 8601, as all times here. */
  signed_in_at: string
  /** The time of the proof, which is later than the log-in where an earlier one was continued. */
  proven_at: string
  /** When the checked password was set, or null after another way to log in. */
  password_changed_at: string | null
  /**
   * The dashboard's session in which the proof was given and with which it ends, or null if the
   * password was given here.
   */
  session_id: string | null
  /** Authentication Method Reference Values (RFC 8176). */
  amr: readonly string[]
}

/** An account has the address of an identity already, and its owner has to confirm the link. */
export type OpenLink = {
  /** The ticket, encrypted: it is a bearer secret. */
  sealed: string
  email: string
  provider: string
  methods: readonly string[]
  code_sent: boolean
}

export type Progress = {
  account: ProvenAccount | null
  /** The page that the user asked for instead of the usual one. */
  page: 'log_in' | 'sign_up' | null
  /** A sign-up whose address is not verified. */
  sign_up: { id: string; email: string } | null
  link: OpenLink | null
  /** The selection is kept while the owner logs in again. */
  selection: Selection | null
  /** The initial value of the address. */
  email: string | null
}

const none: Progress = {
  account: null,
  page: null,
  sign_up: null,
  link: null,
  selection: null,
  email: null,
}

type LoggedIn = {
  customer_id: CustomerId
  /** Now, if it is left out. */
  signed_in_at?: Date
  /** When the checked password was set. */
  password_changed_at?: Date
  session_id?: bigint
  amr?: readonly string[]
}

export function provenAccount(now: Date, { customer_id, ...loggedIn }: LoggedIn): ProvenAccount {
  return {
    customer_id,
    amr: loggedIn.amr ?? [],
    proven_at: now.toISOString(),
    signed_in_at: (loggedIn.signed_in_at ?? now).toISOString(),
    password_changed_at: loggedIn.password_changed_at?.toISOString() ?? null,
    session_id: loggedIn.session_id?.toString() ?? null,
  }
}

type Storing = { lastSubmission?: unknown }

export function progressOf({ lastSubmission }: Storing): Progress {
  return { ...none, ...Object(lastSubmission) }
}

/** Names the log-in that a form was shown under. */
export function proofOf({ account }: Progress): string {
  return account === null ? '' : `${account.customer_id} ${account.proven_at}`
}

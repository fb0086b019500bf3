// The registry port: what the service asks of any registry, in our own words. Adapters implement
// it; rooms see only this.

/** What every registry's entry of registries.yaml says, whatever it speaks. */
type CommonProfile = {
  name: string
  tlds: string[]
  /** Our name at the registry: a read shows it as the sponsor of what is ours. */
  client_id: string
  password: string
  names_per_check: number
  /** How many commands it takes at once. */
  sessions: number
  /** How long one answer (and one connection with log-in) may take. */
  timeout_ms: number
  contacts: 'required' | 'prohibited' | 'optional'
  /** It tells what things cost, and no command is to cost more than its `fee`. */
  fee: boolean
  periods: { min: number; max: number }
  max_term_years: number
  currency: string
}

export type EppProfile = CommonProfile & {
  adapter: 'epp'
  host: string
  port: number
  /** Paths of PEM files. `servername` null: the host's own name is expected of the certificate. */
  tls: {
    ca_file: string | null
    cert_file: string | null
    key_file: string | null
    servername: string | null
  }
  /** The registry ends a session after so much silence; a hello goes out at 40 % of it. */
  idle_s: number
  host_model: 'hostObj' | 'hostAttr'
  auth_info_on_create: 'random' | 'empty'
  /** RFC 8807 is spoken: passwords above 16 characters travel in the extension. */
  login_security: boolean
}

export type OpenproviderProfile = CommonProfile & {
  adapter: 'openprovider'
  /** Up to and with the version: https://api.openprovider.eu/v1beta */
  base_url: string
}

/** One entry of registries.yaml, parsed. EPP: `fee` says that RFC 8748 is spoken. */
export type RegistryProfile = EppProfile | OpenproviderProfile

/** A queue never lets background pass a purchase. */
export type Priority = 'purchase' | 'normal' | 'background'

/** What became of one attempt. On `unknown` a hold stays: re-send with the same fence. */
export type Outcome<T> =
  | { kind: 'done'; value: T; sv_trid: string | null }
  /** 1001: the registry took it on; poll or a read will tell. */
  | { kind: 'accepted'; sv_trid: string | null }
  /** Final, unless an earlier attempt was unknown: that may have done it, so read back. */
  | {
      kind: 'refused'
      reason: Refusal
      code: number | null
      message: string
      sv_trid: string | null
    }
  | { kind: 'unknown'; cause: Unknown; message: string }

export type Refusal =
  /** 2302 */
  | 'exists'
  /** 2303 */
  | 'absent'
  /** 2004 on a priced command; to a renew it may also say that `cur_exp_date` is no longer true. */
  | 'fee_mismatch'
  /** 2003 on a priced command */
  | 'fee_required'
  /** 2105, 2106, 2301, 2304, 2305: the object's state forbids it */
  | 'status'
  /** 2201 */
  | 'not_ours'
  /** 2202 */
  | 'bad_auth_code'
  /** 2300 */
  | 'pending_transfer'
  /** 2306, 2308; 2201 on a transfer request */
  | 'policy'
  /** 2000-2005, or our own check of the command failed (code null, nothing sent) */
  | 'bad_request'
  /** 2100-2103, 2307 */
  | 'unsupported'

export type Unknown =
  /** Certain: no byte of the command left. */
  | 'not_sent'
  /** Bytes left and no usable answer came: done, not done, or done later. */
  | 'silence'
  /** 2400, 2500 and codes that no RFC knows */
  | 'server_failed'
  /** 2502 */
  | 'session_limit'
  /** 2104: the house's credit at the registry is out, not the customer's fault */
  | 'registry_credit'
  /** 2200, 2501 */
  | 'authentication'
  /** No connection, circuit open or queue full: nothing was sent. */
  | 'unreachable'

/** Decimal strings as the registry wrote them, in all for 1 year (restore: for the restore). */
export type RegistryFee = { currency: string; amount: string }
export const feeVerbs = ['create', 'renew', 'transfer', 'restore'] as const
export type FeeVerb = (typeof feeVerbs)[number]
export type Fees = { currency: string } & Record<FeeVerb, string | null>
export type Prices = { currency: string } & Record<FeeVerb, string>

export type CheckedName = {
  domain: string
  /** null: not known (then `unreachable`). */
  available: boolean | null
  /** Why not available: registered, reserved, premium, or null for words that we do not know. */
  reason: string | null
  premium: boolean
  fees: Fees | null
  unreachable: boolean
}

/** `fees`: true asks for create and renew; a list asks for just those. */
export type CheckOptions = { priority: Priority; fees: boolean | readonly FeeVerb[] }

/** Times are ISO 8601 in UTC as the registry wrote them. */
export type RegistryDomain = {
  domain: string
  roid: string
  /** clID: the registrar that sponsors it. */
  sponsor: string
  created_at: string
  updated_at: string | null
  expires_at: string
  epp_statuses: string[]
  rgp_statuses: string[]
  nameservers: string[]
  registrant: string | null
  contacts: { type: string; id: string }[]
  auth_info: string | null
  transferred_at: string | null
}

export type RegisterCommand = {
  domain: string
  period_years: number
  nameservers: string[]
  registrant: string | null
  contacts: { type: 'admin' | 'tech' | 'billing'; id: string }[]
  /** Sent where the profile says `random`; an `empty` registry gets an empty one (RFC 9154). */
  auth_info: string
  fee: RegistryFee | null
}

export type RenewCommand = {
  domain: string
  /** The fence: the expiry that we know, YYYY-MM-DD in UTC (RFC 5731 curExpDate). */
  cur_exp_date: string
  period_years: number
  fee: RegistryFee | null
}

export type TransferCommand = {
  domain: string
  auth_info: string
  /** null where the registry adds no year by a transfer. */
  period_years: number | null
  fee: RegistryFee | null
  /**
   * What a reseller's API must be told at once. At an EPP registry a name keeps its own until it is
   * ours.
   */
  nameservers?: string[]
  registrant?: string | null
  contacts?: RegisterCommand['contacts']
}

/** RFC 5731 trnData. */
export type RegistryTransfer = {
  domain: string
  status:
    | 'pending'
    | 'clientApproved'
    | 'clientCancelled'
    | 'clientRejected'
    | 'serverApproved'
    | 'serverCancelled'
  requested_by: string
  requested_at: string
  /** Who must act, or has acted. */
  acts: string
  acts_at: string
  expires_at: string | null
}

export type UpdateCommand = {
  domain: string
  nameservers?: { add: string[]; remove: string[] }
  statuses?: { add: string[]; remove: string[] }
  /** A text sets it, null takes it away (RFC 9154 section 5.2), left out leaves it. */
  auth_info?: string | null
}

export type RestoreCommand = { domain: string; fee: RegistryFee | null }

/** RFC 3915 section 4.1. `before`, `after`: the registration's facts as one line of text each. */
export type RestoreReport = {
  domain: string
  deleted_at: string
  restored_at: string
  before: string
  after: string
  reason: string
}

/** A message of the registry's queue: `about` is what we could read of it, `raw` all of it. */
export type PollMessage = {
  id: string
  /** Messages in the queue, this one too. */
  count: number
  queued_at: string | null
  text: string
  about:
    | { kind: 'transfer'; transfer: RegistryTransfer }
    /** The late end of a 1001: `cl_trid` is the attempt's (RFC 5731 panData). */
    | {
        kind: 'pending_action'
        domain: string
        done: boolean
        cl_trid: string | null
        sv_trid: string
        at: string
      }
    | { kind: 'domain'; domain: RegistryDomain }
    | { kind: 'other' }
  raw: string
}

/** A contact object. `voice` in EPP's form, e.g. +48.501234567, or empty. */
export type RegistryContact = {
  id: string
  name: string
  organization: string | null
  street: string[]
  city: string
  state: string | null
  postal_code: string
  country_code: string
  voice: string
  email: string
  auth_info: string
}

export type AttemptStep = 'connected' | 'half_frame_written' | 'frame_written' | 'reply_read'

/**
 * One sending of a command. `at` is called synchronously at each step: logged in and about to
 * write; (only with `half_frames`) half the frame handed to the kernel; all of it; the answer read.
 * A re-send that the pool makes by itself (nothing had left, or 2002 "not logged in") goes by
 * `<cl_trid>.2` and starts again at `connected`.
 */
export type Attempt = {
  cl_trid: string
  priority: Priority
  at: (step: AttemptStep) => void
  half_frames?: boolean
}

export type RegistryHealth = {
  state: 'up' | 'down' | 'idle'
  sessions: number
  queued: number
  last_error: string | null
}

/** What a customer pays a registry for. */
export type PaidCommand = 'register' | 'renew' | 'transfer' | 'restore'

/**
 * How a paid command whose outcome is unknown may be sent again. None of them reads for the caller.
 * - `fenced`: at any time, as it was; the registry refuses what is done already (RFC 5731).
 * - `after_read`: once a read shows that nothing of it is there; it is only refused a second time
 *   while the first is to be seen, so one that lands late must have had its time.
 * - `never`: done twice it costs twice; reads tell, or a person does.
 */
export type Resend = 'fenced' | 'after_read' | 'never'

/** A registry. No member throws for what a registry does: the outcome says it. */
export type Registry = {
  profile: RegistryProfile
  resends: Record<PaidCommand, Resend>
  /** Same order; split by `names_per_check`; a part that fails gives `unreachable` entries. */
  check(names: string[], options: CheckOptions): Promise<CheckedName[]>
  register(
    command: RegisterCommand,
    attempt: Attempt,
  ): Promise<Outcome<{ expires_at: string; created_at: string }>>
  renew(command: RenewCommand, attempt: Attempt): Promise<Outcome<{ expires_at: string }>>
  transferRequest(command: TransferCommand, attempt: Attempt): Promise<Outcome<RegistryTransfer>>
  transferQuery(domain: string, priority: Priority): Promise<Outcome<RegistryTransfer>>
  transferCancel(domain: string, attempt: Attempt): Promise<Outcome<RegistryTransfer>>
  transferApprove(domain: string, attempt: Attempt): Promise<Outcome<RegistryTransfer>>
  transferReject(domain: string, attempt: Attempt): Promise<Outcome<RegistryTransfer>>
  update(command: UpdateCommand, attempt: Attempt): Promise<Outcome<null>>
  /**
   * Gives the name another transfer code and tells it: `wanted`, or one of the registry's own where
   * it chooses.
   */
  renewAuthInfo(
    command: { domain: string; wanted: string },
    attempt: Attempt,
  ): Promise<Outcome<{ auth_info: string }>>
  /** The request, which costs. Where a read then shows `pendingRestore`, a report must follow. */
  restore(command: RestoreCommand, attempt: Attempt): Promise<Outcome<null>>
  restoreReport(report: RestoreReport, attempt: Attempt): Promise<Outcome<null>>
  delete(domain: string, attempt: Attempt): Promise<Outcome<null>>
  /** Refused `absent` when 2303, `not_ours` when 2201. */
  read(domain: string, priority: Priority): Promise<Outcome<RegistryDomain>>
  /** Create; on 2302 an update of the one there is, to the same facts. */
  putContact(contact: RegistryContact, priority: Priority): Promise<Outcome<{ id: string }>>
  /** Makes missing host objects, without glue; done at once where the model is hostAttr. */
  ensureHosts(hosts: string[], priority: Priority): Promise<Outcome<null>>
  /** What a plain name costs today, by TLD; a TLD that could not be read is left out. */
  prices(tlds: string[]): Promise<Map<string, Prices>>
  /** The oldest message, or null when the queue is empty. */
  poll(): Promise<Outcome<PollMessage | null>>
  /** Takes a message off the queue; one that is gone already is done. */
  ack(id: string): Promise<Outcome<null>>
  health(): RegistryHealth
  close(): Promise<void>
}

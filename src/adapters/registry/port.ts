// The registry port: the operations that the service needs of any registry, independent of its
// protocol. Adapters implement it; modules see only this.

import type { DomainName } from '../../kit/random.ts'
import type { CheckedName, CheckOptions, Prices, Priority, RegistryFee } from './checked-names.ts'
import type { RegistryProfile } from './config/registry-profile.ts'
import type { Outcome } from './outcome.ts'

export {
  type CheckedName,
  type CheckOptions,
  type Fees,
  type FeeVerb,
  feeVerbs,
  type Prices,
  type Priority,
  priorities,
  type RegistryFee,
} from './checked-names.ts'
export type { EppProfile, OpenproviderProfile, RegistryProfile } from './config/registry-profile.ts'
export { type Outcome, type Refusal, refusesAuthInfo, type Unknown } from './outcome.ts'

/**
 * IP addresses of name servers by host in lower case, for those below the domain itself, which
 * cannot be looked up without them.
 */
export type Glue = Readonly<Record<string, readonly string[]>>

/** The times are ISO 8601 in UTC, as the registry wrote them. */
export type RegistryDomain = {
  domain: DomainName
  roid: string
  /** The clID: the registrar that sponsors it. */
  sponsor: string
  created_at: string
  updated_at: string | null
  expires_at: string
  /**
   * Whether it shows no expiry (`expiry: computed`), so that `expires_at` is a year after its
   * creation.
   */
  expiry_computed?: true
  epp_statuses: string[]
  rgp_statuses: string[]
  nameservers: string[]
  /**
   * The addresses that are stored with the domain itself; where hosts are objects, `readGlue` reads
   * them.
   */
  glue?: Glue
  registrant: string | null
  contacts: { type: string; id: string }[]
  auth_info: string | null
  transferred_at: string | null
}

export type RegisterCommand = {
  domain: DomainName
  period_years: number
  nameservers: string[]
  glue?: Glue
  registrant: string | null
  contacts: { type: 'admin' | 'tech' | 'billing'; id: string }[]
  /** It is sent if the profile says `random`; an `empty` registry gets an empty one (RFC 9154). */
  auth_info: string
  fee: RegistryFee | null
}

export type RenewCommand = {
  domain: DomainName
  /** The fence: the expiry that we know, as YYYY-MM-DD in UTC (RFC 5731 curExpDate). */
  cur_exp_date: string
  period_years: number
  fee: RegistryFee | null
}

export type TransferCommand = {
  domain: DomainName
  auth_info: string
  /** It is null if the registry adds no year by a transfer. */
  period_years: number | null
  fee: RegistryFee | null
  /**
   * A reseller's API requires it at once. At an EPP registry, a name keeps its own until it is
   * ours.
   */
  nameservers?: readonly string[]
  glue?: Glue
  registrant?: string | null
  contacts?: RegisterCommand['contacts']
}

/** The state of a transfer (RFC 5731 trnData). */
export type RegistryTransfer = {
  domain: DomainName
  status:
    | 'pending'
    | 'clientApproved'
    | 'clientCancelled'
    | 'clientRejected'
    | 'serverApproved'
    | 'serverCancelled'
  requested_by: string
  requested_at: string
  /** The registrar that must act, or has acted. */
  acts: string
  acts_at: string
  expires_at: string | null
}

export type UpdateCommand = {
  domain: DomainName
  /** `glue` is for name servers that are added, or that stay and get these addresses instead. */
  nameservers?: { add: string[]; remove: string[]; glue?: Glue }
  statuses?: { add: string[]; remove: string[] }
  /** A text sets it, null removes it (RFC 9154 section 5.2), and leaving it out keeps it. */
  auth_info?: string | null
}

export type RestoreCommand = { domain: DomainName; fee: RegistryFee | null }

/** RFC 3915 section 4.1. `before` and `after` are the registration's facts, each in one line. */
type RestoreReport = {
  domain: DomainName
  deleted_at: string
  restored_at: string
  before: string
  after: string
  reason: string
}

/** A message of the registry's queue: `about` has the understood parts, `raw` all of it. */
export type PollMessage = {
  id: string
  /** The number of messages in the queue, including this one. */
  count: number
  queued_at: string | null
  text: string
  about:
    | { kind: 'transfer'; transfer: RegistryTransfer }
    /** The late end of a 1001; `cl_trid` is that of the attempt (RFC 5731 panData). */
    | {
        kind: 'pending_action'
        domain: DomainName
        done: boolean
        cl_trid: string | null
        sv_trid: string
        at: string
      }
    | { kind: 'domain'; domain: RegistryDomain }
    /** The registry has auto-renewed it. */
    | { kind: 'renewal'; domain: DomainName; expires_at: string | null }
    /** The message is not understood. If it names a domain, that is given. */
    | { kind: 'other'; domain: DomainName | null }
  raw: string
}

/** A contact object. `voice` is in EPP's form, such as +48.501234567, or empty. */
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

/** How a command is sent. */
export type Sending = {
  priority: Priority
  /**
   * Called for each command that changes something, once a session is held for it and before its
   * first byte. If it rejects, the caller gets the rejection, and the command is not sent.
   */
  permit?: () => Promise<unknown>
}

/**
 * One sending of a command. `at` is called synchronously at each step: logged in and about to
 * write; (only with `half_frames`) half the frame handed to the kernel; the whole frame; the answer
 * read. An automatic re-send of the pool (nothing had been sent, or an answer said that nothing
 * ran: 2002, 2200, 2501, 2502) uses `<cl_trid>.2` and starts again at `connected`.
 */
export type Attempt = Sending & {
  cl_trid: string
  at: (step: AttemptStep) => void
  half_frames?: boolean
}

export type RegistryHealth = {
  state: 'up' | 'down' | 'idle'
  sessions: number
  /** The number of sessions on which no command runs. */
  idle: number
  queued: number
  /** No session is opened for now, after failures. */
  circuit_open: boolean
  last_error: string | null
}

/** The paid operations of a registry. */
type PaidCommand = 'register' | 'renew' | 'transfer' | 'restore'

/**
 * How a paid command whose outcome is unknown may be sent again. None of them reads for the caller.
 * - `fenced`: at any time without a change; the registry refuses a command that is done already
 * (RFC 5731).
 * - `after_read`: once a read shows that it had no effect. It is refused a second time only while
 * the first is visible, so one that arrives late must have had its time.
 * - `never`: if it is done twice, it costs twice; a read shows the result, or an operator decides.
 */
type Resend = 'fenced' | 'after_read' | 'never'

/** The requirements of a registry's host model for commands with name servers. */
type HostRules = {
  /** A host below a name is an object that can only be made once the name exists (RFC 5732). */
  own_hosts_later: boolean
  /** It stores at most one IPv4 and one IPv6 address for a host. */
  one_address_of_a_kind: boolean
  /** A transfer in must name them; at other registries a name keeps its own. */
  transfer_names_them: boolean
}

/** A registry. No member throws because of a registry's answer: the outcome reports it. */
export type Registry = {
  profile: RegistryProfile
  resends: Record<PaidCommand, Resend>
  /** A registration sends authorization information that it may refuse by its own policy. */
  sends_auth_info: boolean
  hosts: HostRules
  /**
   * The results have the same order. The check is split by `names_per_check`, and a part that fails
   * gives `unreachable` entries.
   */
  check(names: string[], options: CheckOptions): Promise<CheckedName[]>
  register(
    command: RegisterCommand,
    attempt: Attempt,
  ): Promise<Outcome<{ expires_at: string; created_at: string }>>
  renew(command: RenewCommand, attempt: Attempt): Promise<Outcome<{ expires_at: string }>>
  transferRequest(command: TransferCommand, attempt: Attempt): Promise<Outcome<RegistryTransfer>>
  transferQuery(domain: DomainName, priority: Priority): Promise<Outcome<RegistryTransfer>>
  transferCancel(domain: DomainName, attempt: Attempt): Promise<Outcome<RegistryTransfer>>
  transferApprove(domain: DomainName, attempt: Attempt): Promise<Outcome<RegistryTransfer>>
  transferReject(domain: DomainName, attempt: Attempt): Promise<Outcome<RegistryTransfer>>
  update(command: UpdateCommand, attempt: Attempt): Promise<Outcome<null>>
  /** Gives the name another transfer code and returns it: `wanted`, or the registry's own. */
  renewAuthInfo(
    command: { domain: DomainName; wanted: string },
    attempt: Attempt,
  ): Promise<Outcome<{ auth_info: string }>>
  /** The current transfer code. It is left out if `read` shows everything there is to see of it. */
  readAuthInfo?(
    domain: DomainName,
    priority: Priority,
  ): Promise<Outcome<{ auth_info: string | null }>>
  /** The request, which costs money. If a read then shows `pendingRestore`, a report must come. */
  restore(command: RestoreCommand, attempt: Attempt): Promise<Outcome<null>>
  restoreReport(report: RestoreReport, attempt: Attempt): Promise<Outcome<null>>
  delete(domain: DomainName, attempt: Attempt): Promise<Outcome<null>>
  /** The refusal is `absent` for 2303, and `not_ours` for 2201. */
  read(domain: DomainName, priority: Priority): Promise<Outcome<RegistryDomain>>
  /** Creates the contact, or on 2302 updates the existing one to the same facts. */
  putContact(contact: RegistryContact, priority: Priority): Promise<Outcome<{ id: string }>>
  /**
   * Creates missing host objects, and gives those in `glue` exactly these addresses. It is done at
   * once where hosts are not objects.
   */
  ensureHosts(hosts: string[], how: Priority | Sending, glue?: Glue): Promise<Outcome<null>>
  /**
   * Deletes the host objects below a domain, which no domain may use any longer: it is refused with
   * 2305 at the first that is used. A host that is gone already counts as done, and so does
   * everything where hosts are not objects.
   */
  deleteHosts(domain: DomainName, priority: Priority): Promise<Outcome<null>>
  /**
   * The hosts among these that it has as objects, with their addresses, or none where hosts are not
   * objects.
   */
  readGlue?(hosts: string[], priority: Priority): Promise<Outcome<Glue>>
  /** The current price of a standard name for each TLD. A TLD that cannot be read is left out. */
  prices(tlds: string[]): Promise<Map<string, Prices>>
  /** The oldest message, or null if the queue is empty. */
  poll(): Promise<Outcome<PollMessage | null>>
  /** Takes a message off the queue. A message that is gone already counts as done. */
  ack(id: string): Promise<Outcome<null>>
  health(): RegistryHealth
  close(): Promise<void>
}

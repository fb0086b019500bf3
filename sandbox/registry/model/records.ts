// Rows of a registry. Times are epoch milliseconds, money is US cents.

export type Address = { ip: string; address: string }
export type Nameserver = { name: string; addresses: Address[] }
export type DsRecord = { key_tag: number; alg: number; digest_type: number; digest: string }
export type Trids = { cl_trid: string | null; sv_trid: string }

/** A period in which a paid effect can still be refunded (RFC 3915, RFC 8748 grace-period). */
export type Grace = {
  kind: 'add' | 'renew' | 'auto_renew' | 'transfer'
  ends_at: number
  effect: string
  years: number
}

export type TransferStatus =
  | 'pending'
  | 'clientApproved'
  | 'clientCancelled'
  | 'clientRejected'
  | 'serverApproved'

export type Transfer = Trids & {
  status: TransferStatus
  gaining: string
  losing: string
  requested_at: number
  acts_at: number
}

export type Domain = {
  name: string
  roid: string
  sponsor: string
  creator: string
  created_at: number
  updater: string | null
  updated_at: number | null
  transferred_at: number | null
  expires_at: number
  statuses: string[]
  nameservers: Nameserver[]
  registrant: string | null
  contacts: { type: string; id: string }[]
  auth_info: string
  ds: DsRecord[]
  graces: Grace[]
  phase: 'active' | 'redemption' | 'pending_restore' | 'pending_delete'
  phase_ends_at: number | null
  deletion: (Trids & { at: number }) | null
  /** When its restore was requested, or null if it never was or its report was accepted. */
  restore_at: number | null
  transfer: Transfer | null
}

export type PostalInfo = {
  type: string
  name: string
  org: string | null
  street: string[]
  city: string
  sp: string | null
  pc: string | null
  cc: string
}

export type Contact = {
  id: string
  roid: string
  sponsor: string
  creator: string
  created_at: number
  updater: string | null
  updated_at: number | null
  statuses: string[]
  postal: PostalInfo[]
  voice: { number: string; x: string | null } | null
  fax: { number: string; x: string | null } | null
  email: string
  auth_info: string
}

export type Host = {
  name: string
  roid: string
  sponsor: string
  creator: string
  created_at: number
  updater: string | null
  updated_at: number | null
  statuses: string[]
  addresses: Address[]
}

/** A registrar's account at the registry. */
export type Account = { id: string; password: string; credit_cents: number }

/** A message in a registrar's poll queue; `data` is its rendered resData XML. */
export type Message = {
  id: string
  registrar: string
  at: number
  text: string
  data: string | null
}

export type EffectKind = 'create' | 'renew' | 'transfer' | 'restore' | 'autorenew' | 'refund'

/** A row of the log of paid effects. A refund returns the `fee` of the effect that it `refunds`. */
export type Effect = {
  id: string
  registrar: string
  kind: EffectKind
  domain: string
  years: number
  fee: string
  at: string
  cl_trid: string | null
  refunds: string | null
}

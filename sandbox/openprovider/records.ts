// Rows of the simulated Openprovider. Times are epoch milliseconds, money is US cents.
import type { Effect } from '../registry/model/records.ts'

export type { Effect }

/** Openprovider's states of a name in an account. */
type Status = 'ACT' | 'REQ' | 'PEN' | 'SCH' | 'FAI' | 'DEL' | 'RRQ'

export type Handles = {
  owner_handle: string
  admin_handle: string
  tech_handle: string
  billing_handle: string
}

export type Nameserver = { name: string; ip: string; ip6: string }

export type Domain = Handles & {
  id: number
  /** The label and the extension, with a dot between them. */
  full_name: string
  status: Status
  type: 'NEW' | 'TRANSFER'
  is_locked: boolean
  autorenew: 'on' | 'off'
  auth_code: string
  comments: string
  name_servers: Nameserver[]
  ordered_at: number
  active_at: number | null
  created_at: number | null
  changed_at: number
  expires_at: number | null
  /** The request that is carried out at `due_at`: its years, and the agreed price. */
  request: { verb: 'create' | 'transfer' | 'restore'; due_at: number; years: number } | null
  deleted_at: number | null
  delete_status: '' | 'softquarantine' | 'quarantine'
  restorable_until: number | null
  /** A pending transfer out, which is approved automatically at this time. */
  leaves_at: number | null
}

/** A name at another registrar. */
export type Foreign = {
  full_name: string
  auth_code: string
  is_locked: boolean
  created_at: number
  expires_at: number
  name_servers?: Nameserver[]
}

export type Customer = {
  id: number
  handle: string
  comments: string
  company_name: string
  email: string
  name: Record<string, string>
  phone: Record<string, string>
  address: Record<string, string>
}

export type AccountRow = { credit_cents: number }

// A domain as the simulated Openprovider presents it (GetDomainResponseData in its swagger.json).
import { RESELLER_ID } from './catalog.ts'
import type { Domain } from './records.ts'

const NONE = '0000-00-00 00:00:00'

/** A time in the form "2020-04-29 17:15:19". */
export function moment(time: number | null): string {
  return time === null ? NONE : new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

function partsOf(fullName: string): { name: string; extension: string } {
  const dot = fullName.indexOf('.')
  return { name: fullName.slice(0, dot), extension: fullName.slice(dot + 1) }
}

export function viewDomain(domain: Domain): Record<string, unknown> {
  const { id, status, type, is_locked, comments, deleted_at } = domain
  const locked = { is_changeable: true, value: is_locked ? 1 : 0 }
  return {
    id,
    domain: partsOf(domain.full_name),
    status,
    type,
    is_deleted: false,
    is_locked,
    is_lockable: true,
    is_client_hold_enabled: 'no',
    registry_statuses: {
      client_hold: { is_changeable: true, value: 0 },
      client_transfer_prohibited: locked,
    },
    autorenew: domain.autorenew,
    auth_code: domain.auth_code,
    comments,
    unit: 'y',
    reseller_id: RESELLER_ID,
    owner_handle: domain.owner_handle,
    admin_handle: domain.admin_handle,
    tech_handle: domain.tech_handle,
    billing_handle: domain.billing_handle,
    name_servers: domain.name_servers.map((one, at) => ({ ...one, seq_nr: at + 1 })),
    order_date: moment(domain.ordered_at),
    active_date: moment(domain.active_at),
    creation_date: moment(domain.created_at),
    last_changed: moment(domain.changed_at),
    expiration_date: moment(domain.expires_at),
    renewal_date: moment(domain.expires_at),
    registry_expiration_date: moment(domain.expires_at),
    deleted_at: moment(deleted_at),
    delete_status: domain.delete_status,
    restorable_until: domain.restorable_until === null ? '' : moment(domain.restorable_until),
    can_renew: status === 'ACT',
    transfer_cancel_supported: false,
  }
}

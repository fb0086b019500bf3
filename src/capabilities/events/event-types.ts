// The types of events: facts in the past tense, by the family that a token's scope covers.
import type { Scope } from '../../app.ts'

/** The scope by which a token sees the events of a family (the word before the dot). */
const families = {
  domain: 'domains:read',
  transfer: 'domains:read',
  order: 'domains:read',
  approval: 'domains:read',
  payment: 'billing:read',
  balance: 'billing:read',
  invoice: 'billing:read',
  contact: 'contacts:read',
  api_key: 'keys:read',
  app: 'keys:read',
  support: 'support:read',
  account: 'account:read',
  webhook: 'account:read',
} as const satisfies Readonly<Record<string, Scope>>

/** Every type, and the fact that it names. */
const eventTypes = {
  'order.placed': 'A paid request was accepted: its price is held.',
  'order.failed': 'A registration, renewal or restore failed; the held money is available again.',
  'order.parked': 'An order waits for an operator to decide; its price stays held.',
  'order.refunded': 'Money of an order was given back.',
  'approval.requested': "A request of a key or an app waits for the owner's approval.",
  'approval.approved': 'The owner approved a request; the service makes it now.',
  'approval.declined': 'The owner declined a request.',
  'approval.failed': 'An approved request was refused, or was no longer the approved one.',
  'domain.registered': 'A domain was registered, and paid.',
  'domain.renewed': 'A domain was renewed, and paid.',
  'domain.restored': 'A domain was restored from redemption, and paid.',
  'domain.renewal_failed': 'The automatic renewal of a domain was not possible.',
  'domain.expiring':
    'A domain expires in 30 or 7 days, or in 14 days or 1 day and money is missing.',
  'domain.expired': 'A domain expired three days ago, and has not been renewed.',
  'domain.held': 'An expired domain was taken out of the DNS at its registry.',
  'domain.statuses_removed': 'Statuses that a former registrar left were taken off.',
  'domain.unheld': 'A renewed domain was put back into the DNS.',
  'domain.deleting': 'The deletion of an unpaid domain was started.',
  'domain.deleted': 'An unpaid domain was deleted at its registry; it can be restored for a time.',
  'domain.dropped': 'The registry no longer has the domain.',
  'domain.updated': 'Name servers and automatic renewal were changed in one call.',
  'domain.nameservers_changed': 'The name servers were changed.',
  'domain.auto_renew_changed': 'Automatic renewal was turned on or off.',
  'domain.locked': 'The domain was locked against transfers.',
  'domain.unlocked': 'The domain was unlocked for transfers.',
  'domain.protected':
    "Keys and apps now need the owner's approval for changes that could lose the domain.",
  'domain.unprotected': 'The protection of the domain ended.',
  'domain.reserve_changed':
    'Renewals of the domain now draw on the renewal reserve, or no longer do.',
  'balance.reserve_changed':
    'The owner changed how much is kept for renewals, or an operator released it.',
  'domain.dns_record_set': 'A DNS record was set on our name servers.',
  'domain.dns_records_changed':
    'DNS records were changed; the event has each set with its records before.',
  'domain.tsig_key_created': 'A key for DNS updates was created.',
  'domain.tsig_key_deleted': 'A key for DNS updates was deleted.',
  'domain.dns_change_confirmed': 'A change of DNS records or name servers was confirmed.',
  'domain.dns_change_kept':
    'A change of DNS records or name servers could not be reverted; the owner decides.',
  'domain.auth_code_read': 'The transfer code was read.',
  'domain.auth_code_replaced': 'The transfer code was replaced.',
  'domain.auth_code_removed': 'The transfer code ended, and was removed at the registry.',
  'transfer.requested': 'A transfer to this account was ordered: its price is held.',
  'transfer.completed': 'A transfer to this account is complete, and paid.',
  'transfer.failed': 'A transfer to this account failed; the held money is available again.',
  'transfer.cancelled': 'A transfer to this account was canceled by its owner.',
  'transfer.away_requested': 'Another registrar has requested a transfer of the domain.',
  'transfer.away_approved': 'The request of another registrar was approved.',
  'transfer.away_rejected': 'The request of another registrar was rejected.',
  'transfer.away_completed': 'The domain is at another registrar now.',
  'payment.credited': 'A payment was credited to the balance.',
  'payment.parked': 'A payment waits for an operator to decide.',
  'payment.dismissed': 'A parked payment was dismissed, and stays uncredited.',
  'payment.reversed': 'A credited payment was taken back, in whole or in part.',
  'payment.reinstated': 'A reversed payment was credited again.',
  'payment.failed': 'A signed payment was not settled.',
  'balance.adjusted': 'An operator corrected the balance.',
  'invoice.created': 'An invoice was made.',
  'invoice.paid': 'An invoice was marked as paid.',
  'contact.created': 'A contact was added.',
  'contact.updated': 'A contact was changed.',
  'contact.deleted': 'A contact was deleted.',
  'api_key.created': 'An API key was created.',
  'api_key.updated': 'The name, the expiry or the limits of an API key were changed.',
  'api_key.rotated': 'An API key got a new secret.',
  'api_key.revoked': 'An API key was revoked.',
  'app.connected': 'An app was connected by OAuth.',
  'app.updated': 'The limits of a connected app were changed.',
  'app.disconnected': 'A connected app was disconnected.',
  'support.message_sent': 'The account sent a message to support.',
  'support.message_received': 'The operators sent a message to the account.',
  'webhook.created': 'A webhook was created.',
  'webhook.updated': 'A webhook was changed, or got a new secret.',
  'webhook.deleted': 'A webhook was deleted.',
  'webhook.disabled': 'A webhook is no longer called because it failed for days or is gone.',
  'webhook.test': 'A test event was requested. Only the tested webhook gets it.',
  'account.updated': 'The name, company or email address of the account was changed.',
  'account.suspended': 'The account was suspended by an operator.',
  'account.resumed': 'The suspension of the account was ended.',
  'account.closed': 'The account was closed.',
  'account.email_verified': 'A new email address was verified.',
  'account.password_changed': 'The password was set or changed.',
} as const satisfies Readonly<Record<`${keyof typeof families}.${string}`, string>>

export type EventType = keyof typeof eventTypes

const isFamily = (word: string): word is keyof typeof families => Object.hasOwn(families, word)

function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventTypes, text)
}

export const allEventTypes: readonly EventType[] = Object.keys(eventTypes).filter(isEventType)

export function scopeOfEvent(type: EventType): Scope {
  const [family = ''] = type.split('.')
  if (!isFamily(family)) throw new Error(`The event ${type} has no family`)
  return families[family]
}

/** Whether a word names the type: the type itself, or its family with "*". */
export function matchesType(word: string, type: EventType): boolean {
  return word === type || (word.endsWith('.*') && type.startsWith(word.slice(0, -1)))
}

/** The scope that manages webhooks covers the events of the account itself. */
export function covers(held: ReadonlySet<Scope>, scope: Scope): boolean {
  return held.has(scope) || (scope === 'account:read' && held.has('account:write'))
}

/** The families that these scopes cover, as words for `matchesType`. */
export function familiesOf(held: ReadonlySet<Scope>): string[] {
  return Object.entries(families).flatMap(([family, scope]) =>
    covers(held, scope) ? [`${family}.*`] : [],
  )
}

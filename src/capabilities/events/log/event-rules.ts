// Rules that derive events from rows of the audit log, pure: by action and result. Every action is
// here or in `silentActions`, so that none is forgotten.
import type { LoggedRow } from '../../audit/index.ts'
import type { EventType } from '../event-types.ts'

type Facts = { readonly [field: string]: unknown }
export type EventDraft = { type: EventType; data: Facts }
type Rule = (row: LoggedRow) => EventDraft | null

const longest_text = 500

/** These fields of a row's metadata, bounded: an event is small, and holds no secret. */
function picked(row: LoggedRow, fields: readonly string[]): Facts {
  const metadata: Facts = Object(row.metadata)
  const pairs = fields.flatMap((field) => {
    const value = metadata[field]
    return value === undefined ? [] : [[field, bounded(value)] as const]
  })
  return Object.fromEntries(pairs)
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, longest_text)
  if (Array.isArray(value)) return value.slice(0, 50).map(bounded)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .slice(0, 20)
          .map(([key, one]) => [key, bounded(one)]),
      )
    : value
}

/** A request that was repeated had its effect before. */
function isRepeated(row: LoggedRow): boolean {
  const { repeated }: Facts = Object(row.metadata)
  return repeated === true
}

/** Only a row of a success is an event. */
function done(type: EventType, ...fields: string[]): Rule {
  return (row) =>
    row.result === 'success' && !isRepeated(row) ? { type, data: picked(row, fields) } : null
}

/** Every row is an event, since its result is never a refusal. */
function noted(type: EventType, ...fields: string[]): Rule {
  return (row) => ({ type, data: picked(row, fields) })
}

type Ends = { placed: EventType; succeeded: EventType; failed: EventType }

/** Rows of an order name it; those of a refused request do not. */
function order({ placed, succeeded, failed }: Ends): Rule {
  return (row) => {
    const data = { ...picked(row, ['order', 'expires_at']), ...errorOf(row) }
    if (!('order' in data)) return null
    if (row.result === 'pending') return { type: placed, data }
    if (row.result === 'success') return { type: succeeded, data }
    return row.result === 'failed' ? { type: failed, data } : null
  }
}

function errorOf({ result, error_code }: LoggedRow): Facts {
  return result === 'failed' && error_code !== null ? { error_code } : {}
}

const paid = { placed: 'order.placed', failed: 'order.failed' } as const
const payment = ['payment_id', 'amount_cents', 'currency', 'kind', 'reason'] as const

const dnsChanged: Rule = done(
  'domain.dns_records_changed',
  ...['change', 'serial', 'digest', 'sets', 'sets_total', 'reverts'],
  ...['state', 'reverts_at', 'unreverted'],
)

const reversal: Rule = (row) => {
  const { kind }: Facts = Object(row.metadata)
  return done(kind === 'reinstatement' ? 'payment.reinstated' : 'payment.reversed', ...payment)(row)
}

const notice: Rule = (row) => {
  const { kind }: Facts = Object(row.metadata)
  const type = kind === 'expired' ? 'domain.expired' : 'domain.expiring'
  return done(type, 'kind', 'expiry', 'auto_renew')(row)
}

const deletion: Rule = (row) =>
  noted(row.result === 'success' ? 'domain.deleted' : 'domain.deleting', 'expiry')(row)

const renewalFailed: Rule = (row) => ({
  type: 'domain.renewal_failed',
  data: { ...picked(row, ['expiry']), ...errorOf(row) },
})

const signedPayment: Rule = (row) =>
  row.result === 'failed'
    ? { type: 'payment.failed', data: picked(row, ['state', 'reason']) }
    : null

const domainRules: Readonly<Record<string, Rule>> = {
  register_domain: order({ ...paid, succeeded: 'domain.registered' }),
  renew_domain: order({ ...paid, succeeded: 'domain.renewed' }),
  restore_domain: order({ ...paid, succeeded: 'domain.restored' }),
  transfer_domain: order({
    placed: 'transfer.requested',
    succeeded: 'transfer.completed',
    failed: 'transfer.failed',
  }),
  park_order: noted('order.parked', 'order', 'detail'),
  refund_order: done('order.refunded', 'refund_id', 'amount_cents', 'reason'),
  auto_renew: renewalFailed,
  expiry_notice: notice,
  hold_unpaid_domain: done('domain.held', 'expiry'),
  remove_client_statuses: done('domain.statuses_removed', 'removed'),
  lift_unpaid_hold: done('domain.unheld', 'expiry'),
  delete_unpaid_domain: deletion,
  domain_dropped: done('domain.dropped', 'expiry'),
  domain_transferred_away: done('transfer.away_completed', 'expiry'),
  transfer_out_requested: noted(
    'transfer.away_requested',
    'requested_by',
    'requested_at',
    'acts_at',
  ),
  approve_transfer: done('transfer.away_approved', 'requested_by', 'requested_at'),
  reject_transfer: done('transfer.away_rejected', 'requested_by', 'requested_at'),
  cancel_transfer: done('transfer.cancelled', 'order'),
  update_domain: done('domain.updated', 'nameservers', 'before', 'auto_renew'),
  update_nameservers: done('domain.nameservers_changed', 'nameservers', 'before', 'revert_after'),
  revert_unconfirmed_nameservers: done(
    'domain.nameservers_changed',
    ...['nameservers', 'before', 'reverts', 'state'],
  ),
  set_auto_renew: done('domain.auto_renew_changed', 'auto_renew'),
  lock_domain: done('domain.locked'),
  unlock_domain: done('domain.unlocked'),
  protect_domain: done('domain.protected'),
  unprotect_domain: done('domain.unprotected'),
  set_domain_reserve: done('domain.reserve_changed', 'from_reserve'),
  set_reserve: done('balance.reserve_changed', 'reserved', 'currency'),
  release_reserve: done('balance.reserve_changed', 'reserved', 'currency', 'reason'),
  configure_dns_record: done('domain.dns_record_set', 'host', 'value', 'type'),
  put_record_set: dnsChanged,
  delete_record_set: dnsChanged,
  change_dns_records: dnsChanged,
  replace_dns_records: dnsChanged,
  revert_dns_change: dnsChanged,
  import_dns_zone: dnsChanged,
  apply_dns_template: dnsChanged,
  create_tsig_key: done('domain.tsig_key_created', 'key', 'hosts', 'types', 'algorithm'),
  delete_tsig_key: done('domain.tsig_key_deleted', 'key'),
  revert_unconfirmed_dns_change: dnsChanged,
  keep_unconfirmed_dns_change: done('domain.dns_change_kept', 'change', 'reason'),
  confirm_dns_change: done(
    'domain.dns_change_confirmed',
    ...['confirms', 'change', 'serial', 'digest', 'sets', 'sets_total'],
  ),
  get_transfer_auth_code: done('domain.auth_code_read', 'expires_at'),
  regenerate_transfer_auth_code: done('domain.auth_code_replaced', 'expires_at'),
  unset_auth_code: done('domain.auth_code_removed'),
}

const asked = ['domain', 'asked_for', 'highest_price'] as const
const approvalFailed: Rule = (row) => ({
  type: 'approval.failed',
  data: { ...picked(row, asked), ...errorOf(row) },
})

const approvalRules: Readonly<Record<string, Rule>> = {
  ask_approval: noted('approval.requested', ...asked, 'reason'),
  approve_request: done('approval.approved', ...asked),
  decline_request: done('approval.declined', ...asked),
  run_approval: approvalFailed,
}

const moneyRules: Readonly<Record<string, Rule>> = {
  top_up_credited: done('payment.credited', ...payment),
  top_up_parked: noted('payment.parked', ...payment),
  top_up_reversed: done('payment.reversed', ...payment),
  top_up_reinstated: done('payment.reinstated', ...payment),
  credit_card_payment: done('payment.credited', ...payment),
  credit_processor_top_up: done('payment.credited', ...payment),
  credit_parked_payment: done('payment.credited', ...payment),
  dismiss_parked_payment: done('payment.dismissed', ...payment),
  dismiss_parked_card_checkout: done('payment.dismissed', ...payment),
  park_card_payment: noted('payment.parked', ...payment, 'parked_cents'),
  reverse_card_payment: reversal,
  reverse_payment: reversal,
  simulate_top_up: done('payment.credited', ...payment),
  signed_payment_ended: signedPayment,
  adjust_balance: done('balance.adjusted', 'amount_cents', 'currency', 'reason'),
  create_invoice: done('invoice.created', 'number', 'total', 'currency'),
  mark_invoice_paid: done('invoice.paid', 'number', 'total', 'currency'),
}

const accountRules: Readonly<Record<string, Rule>> = {
  create_contact: done('contact.created'),
  update_contact: done('contact.updated'),
  delete_contact: done('contact.deleted'),
  create_api_key: done('api_key.created', 'key_prefix', 'name', 'scopes'),
  update_api_key: done('api_key.updated', 'key_prefix', 'spend_limit', 'max_price'),
  rotate_api_key: done('api_key.rotated', 'key_prefix', 'scopes'),
  rotate_mcp_api_key: done('api_key.rotated', 'key_prefix'),
  revoke_api_key: done('api_key.revoked', 'key_prefix'),
  grant_oauth_client: done('app.connected', 'client_name', 'scopes'),
  update_oauth_grant: done('app.updated', 'client_name', 'spend_limit', 'max_price'),
  end_oauth_grant: done('app.disconnected', 'client_name', 'reason'),
  send_support_message: done('support.message_sent'),
  send_support_reply: done('support.message_received'),
  create_webhook: done('webhook.created', 'host', 'types'),
  update_webhook: done('webhook.updated', 'host', 'types', 'enabled'),
  rotate_webhook_secret: done('webhook.updated'),
  delete_webhook: done('webhook.deleted'),
  test_webhook: done('webhook.test'),
  disable_webhook: done('webhook.disabled', 'host', 'because'),
  update_account: done('account.updated'),
  suspend_customer: done('account.suspended'),
  resume_customer: done('account.resumed'),
  close_account: done('account.closed'),
  close_customer: done('account.closed'),
  verify_email: done('account.email_verified'),
  change_password: done('account.password_changed'),
  confirm_password_reset: done('account.password_changed'),
}

const rules: Readonly<Record<string, Rule>> = {
  ...domainRules,
  ...approvalRules,
  ...moneyRules,
  ...accountRules,
}

/** Actions that are no events, by the reason. */
export const silentActions: readonly string[] = [
  // Log-ins and their credentials, which are in the audit log and in mails to the owner.
  ...['log_in', 'log_in_with_passkey', 'log_out', 'end_session', 'finish_sso', 'sign_up'],
  ...['exchange_sso_ticket', 'mail_sso_link_code', 'link_identity', 'remove_identity'],
  ...['register_passkey', 'remove_passkey', 'request_password_reset', 'send_password_setup'],
  ...['resend_sign_up', 'verify_sign_up', 'create_customer', 'update_approval_settings'],
  ...['create_push_subscription', 'delete_push_subscription'],
  // Actions of operators and of the customer tool, which belong to no account.
  ...['search_customers', 'read_customer_profile', 'list_database_schemas'],
  ...['list_database_tables', 'read_database_table', 'read_database_rows'],
  ...['mark_support_thread_read', 'test_support_transports'],
  ...['log_in_operator', 'log_out_operator', 'create_operator_key', 'rotate_operator_key'],
  ...['revoke_operator_key', 'resend_mail', 'retry_dead_task'],
  // Requests whose effect has an event of its own.
  ...['redeliver_webhook', 'redeliver_failed_webhook', 'dismiss_parked_card_reversal'],
  ...['settle_parked_order', 'release_parked_order', 'create_top_up', 'start_top_up'],
  ...['report_top_up', 'check_payments', 'top_up_by_signed_payment', 'create_card_checkout'],
  ...['mark_support_messages_read', 'create_quote', 'revoke_oauth_grant'],
  // A change that waited was none yet.
  'cancel_waiting_nameservers',
  // Defaults of later requests, and the service's own work.
  ...['update_default_nameservers', 'sync_tld_prices', 'sync_contacts'],
  ...['reconcile_provider_client', 'receive_gateway_webhook', 'receive_processor_event'],
]

/** An operator's reading of a customer's data, which leaves a row in that customer's log. */
const readings: ReadonlySet<string> = new Set([
  ...['get_customer', 'list_api_keys', 'get_contact', 'list_contacts', 'get_balance'],
  ...['list_transactions', 'get_statement', 'get_top_up_config', 'list_top_ups', 'get_top_up'],
  ...['get_top_up_assets', 'get_card_config', 'list_card_checkouts', 'get_card_checkout'],
  ...['list_invoices', 'get_invoice', 'download_invoice', 'list_audit_logs'],
  ...['export_audit_logs', 'read_audit_proof', 'read_support_thread'],
])

/**
 * Undefined if the action is unknown, which is a bug. Null if this row is no event, as is every
 * refusal because of a missing permission, whatever was requested.
 */
export function eventOf(row: LoggedRow): EventDraft | null | undefined {
  if (row.result === 'denied') return null
  const rule = Object.hasOwn(rules, row.action) ? rules[row.action] : undefined
  if (rule) return rule(row)
  const isSilent = silentActions.includes(row.action) || readings.has(row.action)
  return isSilent ? null : undefined
}

export const eventActions: readonly string[] = Object.keys(rules)

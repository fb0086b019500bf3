// Objects of the audit log's sentences: the name by which a reader knows the thing that an action
// was about. The functions are pure, since a test of the contract uses them, too.
import { toUnicode } from '../../lib/domains/idn.ts'
import { formatMoney } from '../../lib/format.ts'
import { amountOfCents } from '../../lib/money/amounts.ts'
import { browserOf } from '../../lib/sign-in/user-agent.ts'

type Metadata = Readonly<Record<string, unknown>>
export type AuditObject = {
  action: string
  target_type: string | null
  target: string | null
  metadata: Metadata
}

/** Actions about the account as a whole or about the person, and actions in no account's log. */
export const withoutObject: readonly string[] = [
  ...['sign_up', 'resend_sign_up', 'verify_sign_up', 'create_customer', 'verify_email'],
  ...['log_in', 'log_in_with_passkey', 'log_out', 'finish_sso', 'exchange_sso_ticket'],
  ...['mail_sso_link_code', 'change_password', 'request_password_reset', 'confirm_password_reset'],
  ...['send_password_setup', 'update_account', 'export_account', 'close_account'],
  ...['suspend_customer', 'resume_customer', 'close_customer', 'read_customer_profile'],
  ...['update_approval_settings', 'reconcile_provider_client', 'check_payments'],
  ...['send_support_message', 'mark_support_messages_read', 'send_support_reply'],
  ...['mark_support_thread_read', 'test_support_transports'],
  ...['log_in_operator', 'log_out_operator', 'search_customers', 'list_database_schemas'],
  ...['sync_tld_prices', 'receive_gateway_webhook', 'receive_processor_event'],
]

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** The amount that was moved, in its currency. */
function moneyIn({ amount_cents, amount, total_amount, reserved, currency }: Metadata) {
  const exact = [amount, total_amount, reserved].map(textOf).find((one) => one !== null)
  const given = typeof amount_cents === 'number' ? amountOfCents(amount_cents) : exact
  if (given === undefined || typeof currency !== 'string') return null
  return /^-?\d+\.\d\d$/.test(given) ? formatMoney(given, currency) : null
}

function browserIn({ agent }: Metadata): string | null {
  const text = textOf(agent)
  const known = text === null ? null : browserOf(text)
  return known ? `${known.browser}, ${known.system}` : text
}

function hostsIn({ default_nameservers: hosts }: Metadata): string | null {
  return Array.isArray(hosts) && hosts.length > 0 ? hosts.join(', ') : null
}

const domainIn = ({ domain }: Metadata) => {
  const name = textOf(domain)
  return name === null ? null : toUnicode(name)
}
const paid = (metadata: Metadata) => moneyIn(metadata) ?? textOf(metadata.asset)

/** The name of a target, by its kind. */
const names: Readonly<Record<string, (metadata: Metadata) => string | null>> = {
  api_key: ({ name, key_prefix }) => textOf(name) ?? textOf(key_prefix),
  operator_key: ({ name }) => textOf(name),
  contact: ({ handle }) => textOf(handle),
  oauth_grant: ({ client_name, client_id }) => textOf(client_name) ?? textOf(client_id),
  webhook: ({ host }) => textOf(host),
  passkey: ({ name }) => textOf(name),
  identity: ({ provider }) => textOf(provider),
  push_subscription: ({ service }) => textOf(service),
  session: browserIn,
  customer: hostsIn,
  approval: domainIn,
  operation: domainIn,
  order: domainIn,
  task: ({ kind }) => textOf(kind)?.replaceAll('_', ' ') ?? null,
  balance: moneyIn,
  adjustment: moneyIn,
  checkout: paid,
  card_checkout: paid,
  processor_checkout_session: paid,
  payment: paid,
}

/**
 * The object of an entry, or null if it has none, or if the attempt was refused before the object
 * was known.
 */
export function objectOf({ action, target_type, target, metadata }: AuditObject): string | null {
  if (withoutObject.includes(action)) return null
  if (target_type === 'domain') return target && toUnicode(target)
  const name = names[target_type ?? '']?.(metadata) ?? null
  if (name !== null || target === null) return name
  return /^\d+$/.test(target) ? `#${target}` : target
}

// Texts of the audit log: a verb for each action, so that an entry reads as a sentence.
import { pageNames } from '../page-names.ts'
import { domainVerbs, type Verb } from './domain-verbs.ts'

const verbs: Readonly<Record<string, Verb>> = {
  ...domainVerbs,
  log_in_operator: ['logged in', 'log in'],
  log_out_operator: ['logged out', 'log out'],
  create_operator_key: ['created an operator key', 'create an operator key'],
  rotate_operator_key: ['rotated an operator key', 'rotate an operator key'],
  revoke_operator_key: ['revoked an operator key', 'revoke an operator key'],
  search_customers: ['searched customers', 'search customers'],
  list_database_schemas: ['listed schemas', 'list schemas'],
  list_database_tables: ['listed tables of', 'list tables of'],
  read_database_table: ['read the columns of', 'read the columns of'],
  read_database_rows: ['read rows of', 'read rows of'],
  read_customer_profile: ['read the account for support', 'read the account for support'],
  create_contact: ['added a contact', 'add a contact'],
  update_contact: ['changed a contact', 'change a contact'],
  delete_contact: ['deleted a contact', 'delete a contact'],
  reconcile_provider_client: ['updated the registry contact of', 'update the registry contact of'],
  ask_approval: ['asked for approval', 'ask for approval', 'asked for your approval about'],
  approve_request: ['approved the request', 'approve the request'],
  decline_request: ['declined the request', 'decline the request'],
  create_push_subscription: ['turned on notifications', 'turn on notifications'],
  delete_push_subscription: ['turned off notifications', 'turn off notifications'],
  update_approval_settings: [
    'changed the log-in rule of approvals',
    'change the log-in rule of approvals',
  ],
  run_approval: ['carried out the approved request', 'carry out the approved request'],
  create_api_key: ['created an API key', 'create an API key'],
  update_api_key: ['changed an API key', 'change an API key'],
  revoke_api_key: ['revoked an API key', 'revoke an API key'],
  rotate_api_key: ['rotated an API key', 'rotate an API key'],
  rotate_mcp_api_key: ['rotated the key for MCP clients', 'rotate the key for MCP clients'],
  update_oauth_grant: ['changed the limits of an app', 'change the limits of an app'],
  revoke_oauth_grant: ['disconnected the app', 'disconnect the app'],
  end_oauth_grant: ['ended the access of the app', 'end the access of the app'],
  grant_oauth_client: ['connected the app', 'connect the app'],
  simulate_top_up: ['added simulated money', 'add simulated money'],
  create_webhook: ['added a webhook', 'add a webhook'],
  update_webhook: ['changed a webhook', 'change a webhook'],
  delete_webhook: ['deleted a webhook', 'delete a webhook'],
  rotate_webhook_secret: ['rotated the secret of a webhook', 'rotate the secret of a webhook'],
  test_webhook: ['sent a test to a webhook', 'send a test to a webhook'],
  redeliver_webhook: ['resent an event to a webhook', 'resend an event to a webhook'],
  redeliver_failed_webhook: ['resent an event to a webhook', 'resend an event to a webhook'],
  disable_webhook: ['turned off a webhook', 'turn off a webhook'],
  create_invoice: ['created an invoice', 'create an invoice'],
  mark_invoice_paid: ['marked an invoice as paid', 'mark an invoice as paid'],
  create_top_up: ['created a top-up', 'create a top-up'],
  start_top_up: ['started a top-up', 'start a top-up'],
  report_top_up: ['reported a top-up as paid', 'report a top-up as paid'],
  check_payments: ['checked for payments', 'check for payments'],
  receive_gateway_webhook: ['called the webhook', 'call the webhook'],
  credit_parked_payment: ['credited a parked payment', 'credit a parked payment'],
  dismiss_parked_payment: ['dismissed a parked payment', 'dismiss a parked payment'],
  dismiss_parked_card_checkout: ['dismissed a parked checkout', 'dismiss a parked checkout'],
  dismiss_parked_card_reversal: [
    'dismissed the rest of a reversal of a payment',
    'dismiss the rest of a reversal of a payment',
  ],
  top_up_credited: ['credited a payment of a top-up', 'credit a payment of a top-up'],
  top_up_parked: ['parked a payment of a top-up', 'park a payment of a top-up'],
  top_up_reversed: ['reversed a payment of a top-up', 'reverse a payment of a top-up'],
  top_up_reinstated: ['reinstated a payment of a top-up', 'reinstate a payment of a top-up'],
  top_up_by_signed_payment: ['paid for a top-up through x402', 'pay for a top-up through x402'],
  signed_payment_ended: ['settled a payment through x402', 'settle a payment through x402'],
  credit_processor_top_up: ['credited a card payment', 'credit a card payment'],
  create_card_checkout: ['opened a card checkout', 'open a card checkout'],
  credit_card_payment: ['credited a card payment', 'credit a card payment'],
  reverse_card_payment: ['reversed a card payment', 'reverse a card payment'],
  park_card_payment: ['parked a card payment', 'park a card payment', 'parked a card payment'],
  receive_processor_event: ['received a payment event', 'receive a payment event'],
  reverse_payment: ['reversed a payment', 'reverse a payment'],
  set_reserve: ['changed the renewal reserve', 'change the renewal reserve'],
  release_reserve: ['released the renewal reserve', 'release the renewal reserve'],
  adjust_balance: ['corrected the balance', 'correct the balance'],
  refund_order: ['refunded an order', 'refund an order'],
  send_support_message: ['wrote to support', 'write to support'],
  mark_support_messages_read: ['read the messages from support', 'read the messages from support'],
  send_support_reply: ['replied to a message', 'reply to a message'],
  mark_support_thread_read: ['read the messages to support', 'read the messages to support'],
  test_support_transports: ['tested the notifications', 'test the notifications'],
  sign_up: ['signed up', 'sign up'],
  resend_sign_up: ['asked for another sign-up code', 'ask for another sign-up code'],
  verify_sign_up: ['created this account', 'create this account'],
  log_in: ['logged in', 'log in'],
  log_in_with_passkey: ['logged in with a passkey', 'log in with a passkey'],
  log_out: ['logged out', 'log out'],
  finish_sso: ['came back from single sign-on', 'finish single sign-on'],
  exchange_sso_ticket: ['logged in by single sign-on', 'log in by single sign-on'],
  mail_sso_link_code: [
    'asked for a code to link single sign-on',
    'ask for a code to link single sign-on',
  ],
  link_identity: ['linked single sign-on', 'link single sign-on'],
  remove_identity: ['unlinked single sign-on', 'unlink single sign-on'],
  end_session: ['ended a session', 'end a session'],
  register_passkey: ['added a passkey', 'add a passkey'],
  remove_passkey: ['removed a passkey', 'remove a passkey'],
  change_password: ['changed the password', 'change the password'],
  request_password_reset: ['asked for a password reset', 'ask for a password reset'],
  confirm_password_reset: ['set a new password', 'set a new password'],
  send_password_setup: ['sent a link to set a password', 'send a link to set a password'],
  update_account: ['changed the account', 'change the account'],
  export_account: ["exported the account's data", "export the account's data"],
  close_account: ['closed the account', 'close the account'],
  suspend_customer: ['suspended the account', 'suspend the account'],
  resume_customer: ['resumed the account', 'resume the account'],
  close_customer: ['closed the account', 'close the account'],
  retry_dead_task: ['retried a failed task', 'retry a failed task'],
  resend_mail: ['resent an email', 'resend an email'],
  verify_email: ['verified a new email address', 'verify a new email address'],
  update_default_nameservers: [
    'changed the default name servers',
    'change the default name servers',
  ],
  settle_parked_order: ['settled an order', 'settle an order'],
  release_parked_order: ['released the money of an order', 'release the money of an order'],
  sync_tld_prices: ['updated the price list', 'update the price list'],
  create_customer: ['created this account', 'create this account'],
}

/** Actions of operators and of visitors without an account, which are in no account's log. */
const elsewhere = [
  ...['sync_tld_prices', 'sign_up', 'resend_sign_up', 'finish_sso', 'create_customer'],
  'receive_processor_event',
  'receive_gateway_webhook',
  ...['log_in_operator', 'log_out_operator', 'create_operator_key', 'rotate_operator_key'],
  ...['revoke_operator_key', 'search_customers', 'list_database_schemas', 'list_database_tables'],
  ...['read_database_table', 'read_database_rows', 'retry_dead_task'],
]

/** Titles of actions whose infinitive and object make no title. */
const titles: Readonly<Record<string, string>> = {
  transfer_domain: 'Transfer a domain in',
  transfer_out_requested: 'Request to transfer a domain away',
  domain_transferred_away: 'Domain transferred away',
  domain_dropped: 'Domain deleted by its registry',
  hold_unpaid_domain: 'Suspend an unpaid domain',
  remove_client_statuses: 'Remove the statuses set by a former registrar',
  lift_unpaid_hold: 'Lift the suspension of a domain',
  delete_unpaid_domain: 'Delete an unpaid domain',
  sync_contacts: 'Send a changed contact to a registry',
  reconcile_provider_client: 'Update the registry contact',
  grant_oauth_client: 'Connect an app',
  revoke_oauth_grant: 'Disconnect an app',
  end_oauth_grant: 'End of the access of an app',
}

function titleOf(action: string): string {
  const [, tried] = verbOf(action)
  const words = action in domainVerbs ? `${tried} a domain` : tried
  return titles[action] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/**
 * The actions that an account's log can have, in words. Simulated actions are only in the
 * sandbox's.
 */
function actionOptions(isSandbox: boolean) {
  return Object.keys(verbs)
    .filter((name) => !elsewhere.includes(name) && (isSandbox || name !== 'simulate_top_up'))
    .map((value) => ({ value, label: titleOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

/** An action that has no verb yet keeps its name. */
function verbOf(action: string): Verb {
  const name = action.replaceAll('_', ' ')
  return verbs[action] ?? [`did "${name}" for`, `do "${name}" for`]
}

/** The object for an attempt that was refused before the object was known. */
function defaultObject(action: string): string | null {
  return action in domainVerbs ? 'a domain' : null
}

export const auditTexts = {
  title: pageNames.auditLog,
  subtitle: 'Every action in your account: by you, your agents and this service.',
  verbOf,
  defaultObject,
  actions: Object.keys(verbs).toSorted(),
  actionOptions,
  tried: (verb: string) => `could not ${verb}`,
  quoted: (verb: string) => `asked for a quote to ${verb}`,
  previewed: (verb: string) => `asked for a preview, to ${verb}`,
  ordered: (verb: string) => `asked the registry to ${verb}`,
  unknownEnd: (verb: string) => `asked to ${verb}`,
  actors: {
    you: 'You',
    operator: 'An operator',
    system: 'This service',
    anonymous: 'Someone who is not logged in',
    someone: 'Someone',
    linkHolder: 'Someone with the emailed link',
    app: 'An app',
    key: 'An API key',
  },
  withKey: (name: string) => `with the key ${name}`,
  filters: {
    by: 'Entry point',
    any: 'Any entry point',
    action: 'Action',
    anyAction: 'Any action',
    actor: 'Actor',
    anyActor: 'Anyone',
    you: 'You',
    system: 'This service',
    operator: 'Operators',
    key: (name: string) => `Key: ${name}`,
    app: (name: string) => `App: ${name}`,
    from: 'From',
    to: 'To',
  },
  export: 'Download CSV',
  exporting: 'Reading the log',
  exportFailed: 'The log could not be downloaded',
  entryPoints: {
    rest: 'REST API',
    mcp: 'MCP',
    dashboard: 'Dashboard',
    job: 'Automatic jobs',
    internal: 'Operators',
    cli: 'Command line',
    webhook: 'Payment providers',
    dns: 'DNS updates',
  },
  results: {
    success: 'Done',
    denied: 'Denied',
    failed: 'Failed',
    pending: 'In progress',
    unknown: 'No answer yet',
  },
  notPossible: 'Not possible',
  underReview: 'Under review',
  details: 'Details',
  raw: 'Entry as stored',
  more: 'Show older entries',
  loading: 'Loading older entries',
  shown: (count: number) => (count === 1 ? '1 entry' : `${count.toLocaleString()} entries`),
  empty: {
    title: 'Nothing has happened yet',
    text: 'Each action by you and your agents is listed here. Entries cannot be changed later.',
  },
  connect: 'Connect an agent',
  nothing: { title: 'No entry matches', text: 'Change or clear the filters to see more.' },
  clear: 'Clear filters',
  proof: {
    title: 'Proof',
    text:
      'Each entry is hashed and sealed into a signed block within a second. This browser checks ' +
      'the hashes and the signature itself.',
    check: 'Check the proof',
    checking: 'Checking',
    valid: 'The entry is unchanged',
    invalid: 'The proof is invalid',
    invalidText: 'Keep this page and contact support.',
    block: (number: string, at: string) => `Block ${number}, sealed ${at}`,
    steps: {
      row: 'The entry has the hash that was sealed',
      inclusion: 'The hash is in the Merkle tree of its block',
      block: 'The block has the hash that was signed',
      signature: 'The signature is that of the service',
    },
    broken: {
      row: 'The entry does not have the hash that was sealed',
      inclusion: 'The hash is not in the Merkle tree of its block',
      block: 'The block does not have the hash that was signed',
      signature: 'The signature is not valid',
    },
    key: 'Key',
  },
} as const

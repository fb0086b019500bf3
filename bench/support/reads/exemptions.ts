// Statements and tables that the reads gate does not hold to a constant cost, each with its reason.
import type { StatementName } from '../../../src/db/statement.ts'

/** Statements that may read more on a larger database, each with its reason. */
export const growing: { [N in StatementName]?: string } = {
  domains_visible_of_customer:
    'a pattern is in no index: a token that sees some domains has all of the account looked at',
  limits_recount: 'sums the orders of a window, when an owner changes a limit',
  ledger_owed_before: 'looks for debts among the payments of an account, for its statement',
  domains_summary: 'counts all domains of an account, each once',
  domains_runway: 'the forecast of renewals counts all domains of an account',
  exports_domains: 'each page of an export sorts the names of the account',
  exports_limits: 'each page of an export sorts the limits of the account',
  exports_connected_apps: 'each page of an export sorts the consents of the account',
  api_keys_count_active: 'counts up to a thousand active keys, where one is made',
  contacts_count: 'counts up to five thousand contacts, where one is made',
  contacts_domain_of_registrant:
    'looks at the domains of an account, where the registrant is changed',
  exports_log_ins: 'the export of an account reads all of it',
  exports_webhooks: 'the export of an account reads all of it',
  operator_work_count: 'counts the orders, payments, mails and tasks that wait for an operator',
  orders_open_holds: 'sorts the orders that are not closed',
  mails_list_failed: 'sorts the mails that were given up',
  tasks_list_dead: 'sorts the dead letters',
  customers_read_contents: 'counts the domains of an account, when it is to be closed',
  deposit_paths_all: 'bin/deposits lists every address that was ever given out',
  bookkeeping_evidence_sums: 'sums all payments, reversals and orders, when an operator asks',
  audit_repair_eras: 'reads every block, once when an operator accepts a restore',
  webhooks_without_task: 'looks at each webhook that is enabled, once a minute',
  orders_parked: 'sorts the orders that wait for an operator',
  customer_tool_search:
    'a literal substring is in no index; support staff ask, for two seconds at most',
  customer_tool_holdings: 'counts the domains of an account by status, when support staff look',
  customer_tool_counts: 'counts the contacts and invoices of an account, when support staff look',
  customer_tool_log_ins: 'counts the open sessions of an account, when support staff look',
  mails_outbox: 'counts the mails that wait, which health reports',
  tasks_count_dead: 'counts the dead letters of a day, which health reports',
  ordered_dns_records_purge:
    'looks at the records of transfers that are under way, five days as a rule, once an hour',
  oauth_documents_purge: 'counts the copies of documents, which end a day after their last use',
  oauth_grants_end_unused:
    'looks at every open consent: it ends by the time of its tokens, which no index of it knows',
}

/** Tables that have few rows on any database, so their statements may read all of them. */
export const few: readonly string[] = [
  ...['append_only_tables', 'audit_alarms', 'audit_archived_leaves', 'audit_archives'],
  ...['deposit_branches', 'event_cursor', 'gateway_cursors', 'ledger_checks', 'metric_snapshots'],
  ...['audit_eras', 'audit_restorations', 'oauth_signing_keys', 'document_keys'],
  'webhook_secrets',
  ...['invoice_numbers', 'partitioned_tables', 'partitions', 'schema_functions', 'sync_rounds'],
  ...[
    'operator_keys',
    'operator_sessions',
    'own_nameservers',
    'support_stream_nodes',
    'sandbox_clock',
    'schedules',
    'schema_migrations',
  ],
  ...['session_lease_waits', 'session_leases', 'tld_prices', 'worker_heartbeats'],
]

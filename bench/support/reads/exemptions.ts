// Statements and tables that the reads gate does not hold to a constant cost, and why.
import type { StatementName } from '../../../src/db/statement.ts'

/** Statements that may read more on a larger database, and why. */
export const growing: { [N in StatementName]?: string } = {
  api_keys_of_customer: 'the contract lists all keys of an account on one page',
  contacts_of_customer: 'the contract lists all contacts of an account on one page',
  deposit_paths_all: 'bin/deposits lists every address that was ever given out',
  bookkeeping_evidence_sums: 'sums all payments, reversals and orders, when an operator asks',
  audit_repair_eras: 'reads every block, once when an operator accepts a restore',
  orders_parked: 'sorts the orders that wait for an operator',
  mails_outbox: 'counts the mails that wait, which is what health reports',
  tasks_count_dead: 'counts the dead letters of a day, which health reports',
  oauth_documents_purge: 'counts the copies of documents, which end a day after their last use',
  oauth_grants_end_unused:
    'looks at every open consent: it ends by the time of its tokens, which no index of it knows',
}

/** Tables of few rows on any database: their statements may read all. */
export const few: readonly string[] = [
  ...['append_only_tables', 'audit_alarms', 'audit_archived_leaves', 'audit_archives'],
  ...['deposit_branches', 'gateway_cursors'],
  ...['audit_eras', 'audit_restorations', 'oauth_signing_keys'],
  ...['invoice_numbers', 'partitioned_tables', 'partitions', 'schema_functions', 'sync_rounds'],
  ...['operator_keys', 'own_nameservers', 'sandbox_clock', 'schedules', 'schema_migrations'],
  ...['session_lease_waits', 'session_leases', 'tld_prices', 'worker_heartbeats'],
]

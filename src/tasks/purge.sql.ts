// SQL of retention: rows older than their time are deleted in batches, oldest first, by an index.
import { type Statement, type StatementName, statement } from '../db/statement.ts'

type Rows = {
  table: string
  /** When a row's time began. */
  column: string
  /** The end of the age in the type of that column; a timestamp if not given. */
  end?: string
  /** A further condition. */
  only?: string
}

/** Deletes up to `limit` rows whose time ended before `before`. */
function purge<const N extends StatementName>(
  name: N,
  { table, column, end = ':before', only = 'true' }: Rows,
): Statement<N> {
  return statement(
    name,
    `delete from ${table}
      where ctid = any (array(
        select ctid from ${table} where ${column} < ${end} and ${only}
         order by ${column} limit :limit::int for update skip locked))`,
  )
}

type KeyedRows = Pick<Rows, 'table' | 'column'> & { keys: string; key: string }

/**
 * Deletes rows of a partitioned table by their keys, with cascades, since a ctid is not unique over
 * partitions.
 */
function purgeKeys<const N extends StatementName>(
  name: N,
  { table, column, keys, key }: KeyedRows,
): Statement<N> {
  return statement(
    name,
    `delete from ${keys}
      where ${key} = any (array(
        select id from ${table} where ${column} < :before
         order by ${column} limit :limit::int for update skip locked))`,
  )
}

export const purgeEndedMails = purgeKeys('mails_purge', {
  ...{ table: 'mails', column: 'ended_at' },
  ...{ keys: 'mail_dedupe_keys', key: 'mail_id' },
})
export const purgeDeadTasks = purge('tasks_purge_dead', { table: 'tasks', column: 'dead_at' })
export const purgeNotices = purge('expiry_notices_purge', {
  table: 'expiry_notices',
  column: 'expiry',
})
/** Deletes the leases on changes of a domain that a crash left behind. */
export const purgeChanges = purge('domain_changes_purge', {
  table: 'domain_changes',
  column: 'lease_until',
})
export const purgeMessages = purgeKeys('registry_messages_purge', {
  ...{ table: 'registry_messages', column: 'acked_at' },
  ...{ keys: 'registry_message_keys', key: 'id' },
})
/** A key is not deleted while its order is open. */
export const purgeIdempotencyKeys = purge('idempotency_keys_purge', {
  ...{ table: 'idempotency_keys', column: 'created_at' },
  only: 'not exists (select from orders o where o.id = order_id and o.closed_at is null)',
})
export const purgeSessions = purge('sessions_purge', { table: 'sessions', column: 'expires_at' })
export const purgeOperatorSessions = purge('operator_sessions_purge', {
  table: 'operator_sessions',
  column: 'expires_at',
})
export const purgeQuotes = purge('quotes_purge', { table: 'quotes', column: 'expires_at' })
/** Returns a row for each, since the service deletes approvals in no other way. */
export const purgeApprovals = statement(
  'approvals_purge',
  'select id from approvals_purge(:before::timestamptz, :limit::integer) as id',
  { writes: true },
)

export const purgeLinks = purge('password_links_purge', {
  table: 'password_links',
  column: 'expires_at',
})
export const purgeSignUps = purge('sign_ups_purge', { table: 'sign_ups', column: 'created_at' })
export const purgeEmailChanges = purge('email_changes_purge', {
  table: 'email_changes',
  column: 'expires_at',
})
export const purgeChallenges = purge('passkey_challenges_purge', {
  table: 'passkey_challenges',
  column: 'expires_at',
})
export const purgeSsoLogIns = purge('sso_log_ins_purge', {
  table: 'sso_log_ins',
  column: 'expires_at',
})
export const purgeNetworks = purge('sign_in_purge_networks', {
  table: 'sign_in_networks',
  column: 'last_at',
})
export const purgeFailures = purge('sign_in_purge_failures', {
  table: 'sign_in_failures',
  column: 'at',
})
export const purgeClientNames = purge('mcp_client_names_purge', {
  table: 'mcp_client_names',
  column: 'seen_at',
})
export const purgeWindows = purge('rate_limits_purge', {
  table: 'rate_limits',
  column: 'window_start',
  end: 'extract(epoch from :before::timestamptz)::bigint',
})
export const purgeScans = purge('dns_scans_purge', { table: 'dns_scans', column: 'lease_until' })
export const purgeScannedAddresses = purge('dns_scan_addresses_purge', {
  table: 'dns_scan_addresses',
  column: 'free_at',
})
/** Deletes conversations with their messages and events, by cascade. */
export const purgeConversations = purge('support_threads_purge', {
  table: 'support_threads',
  column: 'last_message_at',
})
/** Deletes nodes that a crash left behind, with their streams. */
export const purgeStreamNodes = purge('support_stream_nodes_purge', {
  table: 'support_stream_nodes',
  column: 'lease_until',
})
/** Deletes secrets of webhooks that no longer sign. */
export const purgeWebhookSecrets = purge('webhook_secrets_purge', {
  table: 'webhook_secrets',
  column: 'signs_until',
})

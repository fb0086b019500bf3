// Arguments of the statements of retention, which delete at most one batch of the rows that are old
// enough.
import type { Params, StatementName } from '../../../../src/db/statement.ts'

type Cases = { [N in StatementName]?: readonly Params<N>[] }

const now = new Date()
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)

export const retentionCases: Cases = {
  mails_purge_bodies: [{ days: 30, limit: 500 }],
  mails_purge: [{ before: days(-730), limit: 500 }],
  oauth_grants_purge: [{ days: 365, limit: 500 }],
  mcp_client_names_purge: [{ before: days(-30), limit: 500 }],
  domain_changes_purge: [{ before: days(-1), limit: 500 }],
  expiry_notices_purge: [{ before: days(-730), limit: 500 }],
  registry_messages_purge: [{ before: days(-180), limit: 500 }],
  tasks_purge_dead: [{ before: days(-30), limit: 500 }],
  oauth_models_purge: [{ limit: 500n }],
  idempotency_keys_purge: [{ before: days(-1), limit: 5_000 }],
  rate_limits_purge: [{ before: days(-1), limit: 20 }],
  sign_in_purge_failures: [{ before: days(-2), limit: 5_000 }],
  oauth_documents_purge: [{ before: days(-1), keep: 10_000, limit: 1_000 }],
  sessions_purge: [{ before: days(-30), limit: 5_000 }],
  password_links_purge: [{ before: days(-1), limit: 5_000 }],
  sign_ups_purge: [{ before: days(-1), limit: 20 }],
  email_changes_purge: [{ before: now, limit: 20 }],
  passkey_challenges_purge: [{ before: now, limit: 20 }],
  sso_log_ins_purge: [{ before: now, limit: 20 }],
  webhook_secrets_purge: [{ before: now, limit: 20 }],
  sign_in_purge_networks: [{ before: days(-90), limit: 5_000 }],
}

// Every column with values that ENCRYPTION_KEY seals, with the statements that re-encrypt them. A
// test compares the list with the closed columns of the schema, so a new one must be in it.
import { type Statement, type StatementName, statement } from '../db/statement.ts'

type Place = {
  table: string
  /** The value of a row, which is a column or a text within one. */
  value: string
  /** The expression that is written; the column itself if not given. */
  set?: string
  /** The key of a row as a text, and back; the text `id` by default. */
  key?: { column: string; text: string; back: (text: string) => string; first: string }
  /** A condition for the rows that are sealed. */
  only?: string
  /** The rows that are read, by the same index as the key. */
  within?: string
}

const textKey = { column: 'id', text: 'id', back: (text: string) => text, first: '' }
const kid = { ...textKey, column: 'kid', text: 'kid' }
const numberKey = {
  column: 'id',
  text: 'id::text',
  back: (text: string) => `${text}::bigint`,
  first: '0',
}
const hashKey = {
  column: 'id_hash',
  text: "encode(id_hash, 'hex')",
  back: (text: string) => `decode(${text}, 'hex')`,
  first: '',
}

export type SealedColumn = {
  table: string
  column: string
  /** A key that comes before the key of every row. */
  first: string
  read: Statement<ReadName>
  write: Statement<WriteName>
}
type ReadName = Extract<StatementName, `${string}_read_sealed_${string}`>
type WriteName = Extract<StatementName, `${string}_reseal_${string}`>

/**
 * `read` returns a page of the table in the order of its key, so that its cost is that of a page.
 * `write` is a compare-and-set, since the service goes on meanwhile, and touches no other column.
 */
function sealedColumn<const R extends ReadName, const W extends WriteName>(
  names: { read: R; write: W },
  { table, value, set = `${value} = :sealed`, ...rest }: Place,
): SealedColumn {
  const { key = textKey, only = 'true', within = 'true' } = rest
  const [column = ''] = set.split(' ')
  const { first } = key
  return {
    ...{ table, column, first },
    read: statement(
      names.read,
      `select ${key.text} as key, case when ${only} then ${value} end as sealed
         from ${table}
        where ${within} and ${key.column} > ${key.back(':after::text')}
        order by ${key.column} limit :limit::integer`,
      { not_null: ['key'] },
    ),
    write: statement(
      names.write,
      `update ${table} set ${set}
        where ${within} and ${only} and ${key.column} = ${key.back(':key::text')}
          and ${value} = :was`,
    ),
  }
}

const inInteraction = "payload #>> '{lastSubmission,link,sealed}'"

export const sealedColumns: readonly SealedColumn[] = [
  sealedColumn(
    { read: 'approvals_read_sealed_input', write: 'approvals_reseal_input' },
    { table: 'approvals', value: 'input' },
  ),
  sealedColumn(
    { read: 'document_keys_read_sealed_key', write: 'document_keys_reseal_key' },
    { table: 'document_keys', value: 'sealed', key: kid },
  ),
  sealedColumn(
    { read: 'domains_read_sealed_code', write: 'domains_reseal_code' },
    { table: 'domains', value: 'auth_code_sealed', key: numberKey },
  ),
  sealedColumn(
    { read: 'domains_read_sealed_sent_code', write: 'domains_reseal_sent_code' },
    { table: 'domains', value: 'auth_code_sent_sealed', key: numberKey },
  ),
  sealedColumn(
    { read: 'mails_read_sealed_body', write: 'mails_reseal_body' },
    { table: 'mails', value: 'body', only: 'sealed' },
  ),
  sealedColumn(
    { read: 'mails_read_sealed_html', write: 'mails_reseal_html' },
    { table: 'mails', value: 'html', only: 'sealed' },
  ),
  // The ticket of a link to an identity, which is in the steps of a log-in that lasts half an hour.
  sealedColumn(
    { read: 'oauth_models_read_sealed_ticket', write: 'oauth_models_reseal_ticket' },
    {
      table: 'oauth_models',
      value: inInteraction,
      set: "payload = jsonb_set(payload, '{lastSubmission,link,sealed}', to_jsonb(:sealed::text))",
      key: hashKey,
      within: "model = 'Interaction'",
    },
  ),
  // The answer to a refresh is kept for half a minute.
  sealedColumn(
    { read: 'oauth_models_read_sealed_answer', write: 'oauth_models_reseal_answer' },
    {
      table: 'oauth_models',
      value: "payload ->> 'sealed'",
      set: "payload = jsonb_set(payload, '{sealed}', to_jsonb(:sealed::text))",
      key: hashKey,
      within: "model = 'RefreshAnswer'",
    },
  ),
  sealedColumn(
    { read: 'oauth_signing_keys_read_sealed_key', write: 'oauth_signing_keys_reseal_key' },
    { table: 'oauth_signing_keys', value: 'sealed', key: kid },
  ),
  sealedColumn(
    { read: 'orders_read_sealed_code', write: 'orders_reseal_code' },
    { table: 'orders', value: 'sealed' },
  ),
  sealedColumn(
    {
      read: 'push_subscriptions_read_sealed_endpoint',
      write: 'push_subscriptions_reseal_endpoint',
    },
    { table: 'push_subscriptions', value: 'sealed' },
  ),
  sealedColumn(
    { read: 'sso_log_ins_read_sealed_nonce', write: 'sso_log_ins_reseal_nonce' },
    { table: 'sso_log_ins', value: 'sealed' },
  ),
  sealedColumn(
    { read: 'tsig_keys_read_sealed_secret', write: 'tsig_keys_reseal_secret' },
    { table: 'tsig_keys', value: 'sealed_secret' },
  ),
  sealedColumn(
    { read: 'webhooks_read_sealed_secret', write: 'webhooks_reseal_secret' },
    { table: 'webhooks', value: 'sealed_secret' },
  ),
  sealedColumn(
    { read: 'webhooks_read_sealed_previous_secret', write: 'webhooks_reseal_previous_secret' },
    { table: 'webhooks', value: 'sealed_previous_secret' },
  ),
  sealedColumn(
    { read: 'webhook_secrets_read_sealed_secret', write: 'webhook_secrets_reseal_secret' },
    { table: 'webhook_secrets', value: 'sealed', key: numberKey },
  ),
  sealedColumn(
    {
      read: 'x402_authorizations_read_sealed_signature',
      write: 'x402_authorizations_reseal_signature',
    },
    { table: 'x402_authorizations', value: 'sealed_signature' },
  ),
]

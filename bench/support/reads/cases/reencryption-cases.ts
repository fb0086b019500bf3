// Arguments of the statements of re-encryption: a page from the start of a table and one further
// on, by keys that are written as text.
import type { Params, StatementName } from '../../../../src/db/statement.ts'

type Cases = { [N in StatementName]?: readonly Params<N>[] }

const limit = 20
const numbers = [
  { after: '0', limit },
  { after: '50', limit },
]
const texts = [
  { after: '', limit },
  { after: 'm', limit },
]
const hashes = [
  { after: '', limit },
  { after: '80', limit },
]
const value = { sealed: 'new', was: 'old' }

export const reencryptionCases: Cases = {
  approvals_read_sealed_input: texts,
  domains_read_sealed_code: numbers,
  domains_read_sealed_sent_code: numbers,
  domains_reseal_code: [{ ...value, key: '7' }],
  domains_reseal_sent_code: [{ ...value, key: '7' }],
  mails_read_sealed_body: texts,
  mails_read_sealed_html: texts,
  oauth_models_read_sealed_ticket: hashes,
  oauth_models_reseal_ticket: [{ ...value, key: '07' }],
  oauth_models_read_sealed_answer: hashes,
  oauth_models_reseal_answer: [{ ...value, key: '07' }],
  orders_read_sealed_code: texts,
  push_subscriptions_read_sealed_endpoint: texts,
  sso_log_ins_read_sealed_nonce: texts,
  webhook_secrets_read_sealed_secret: numbers,
  webhook_secrets_reseal_secret: [{ ...value, key: '7' }],
  webhooks_read_sealed_secret: texts,
  webhooks_read_sealed_previous_secret: texts,
  x402_authorizations_read_sealed_signature: texts,
}

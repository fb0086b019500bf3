// Valid calls of the operators' own operations, and the field lists of their responses.
import { rowsIn } from '../../../support/owner-sql.ts'
import { recentSessionOf } from '../../../support/sign-in.ts'
import { type Example, type Fixture, must } from '../fixture.ts'
import { fields, integer, list, moment, orNull, text, words } from '../shape.ts'

const operators = { access: 'operator', operator: true }
const none = () => ({})

let made = 0

/** A new operator key, for a call that ends it. */
async function freshOperatorKey({ registrar }: Fixture) {
  made += 1
  const options = { token: registrar.operatorKey, body: { name: `Example ${process.pid}-${made}` } }
  const answer = await must(registrar.request('POST', '/v1/internal/operator-keys', options), 201)
  return { id: String(answer.body.key.id), key: String(answer.body.operator_key) }
}

async function pathOfFreshKey(fixture: Fixture): Promise<Example> {
  return { path: { key_id: (await freshOperatorKey(fixture)).id } }
}

/** The account has no money, so that it can be closed. */
const freshAccount = ({ registrar }: Fixture) =>
  registrar.customer({ funds_cents: 0, contact: false })

async function ofFreshAccount(fixture: Fixture): Promise<Example> {
  return { path: { id: (await freshAccount(fixture)).id } }
}

const withReason = (reason: string) => async (fixture: Fixture) => ({
  ...(await ofFreshAccount(fixture)),
  body: { reason },
})

async function givenUpMail({ registrar, id: customer_id }: Fixture): Promise<Example> {
  made += 1
  const mail = `mail_${`${process.pid}${made}`.padStart(26, '0')}`
  await rowsIn(registrar)(
    `with key as (insert into mail_dedupe_keys (dedupe_key, mail_id) values ($1, $1))
     insert into mails (id, customer_id, kind, dedupe_key, recipient, subject, body, state,
       ended_at)
     values ($1, $2, 'example', $1, 'ada@example.net', 'Example', 'Text', 'failed', now())`,
    [mail, customer_id],
  )
  return { path: { mail_id: mail } }
}

async function deadTask({ registrar }: Fixture): Promise<Example> {
  made += 1
  const [row] = await rowsIn(registrar)(
    `insert into tasks (kind, key, attempts, last_error, dead_at)
     values ('example', $1, 9, 'The other end is away', now()) returning id`,
    [`example ${process.pid} ${made}`],
  )
  return { path: { task_id: String(row.id) } }
}

export const operatorExamples = {
  'GET /v1/internal/overview': { ...operators, make: none },
  'GET /v1/internal/holds': { ...operators, make: none },
  'GET /v1/internal/mails': { ...operators, make: none },
  'POST /v1/internal/mails/{mail_id}/resend': { ...operators, make: givenUpMail },
  'GET /v1/internal/dead-tasks': { ...operators, make: none },
  'POST /v1/internal/dead-tasks/{task_id}/retry': { ...operators, make: deadTask },
  'GET /v1/account/export': {
    access: 'session',
    operator: false,
    make: async (fixture: Fixture) => ({
      session: await recentSessionOf(fixture.registrar, fixture),
    }),
  },
  'POST /v1/account/close': {
    access: 'session',
    operator: false,
    make: async (fixture: Fixture) => {
      const account = await freshAccount(fixture)
      const session = await recentSessionOf(fixture.registrar, account)
      return { session, body: { email: account.email } }
    },
  },
  'POST /v1/internal/customers/{id}/suspend': {
    ...operators,
    make: withReason('Payments with a stolen card.'),
  },
  'POST /v1/internal/customers/{id}/resume': { ...operators, make: ofFreshAccount },
  'POST /v1/internal/customers/{id}/close': {
    ...operators,
    make: withReason('The owner asked for it.'),
  },
  'POST /v1/operator/login': {
    access: 'public',
    operator: true,
    make: ({ registrar }: Fixture) => ({
      body: { operator_key: registrar.operatorKey },
      headers: { 'x-session': 'operator', 'sec-fetch-site': 'same-origin' },
    }),
  },
  'GET /v1/operator/session': { ...operators, make: none },
  'POST /v1/operator/logout': { ...operators, make: none },
  'GET /v1/internal/operator-keys': { ...operators, make: none },
  'POST /v1/internal/operator-keys': {
    ...operators,
    make: () => {
      made += 1
      return { body: { name: `Grace Hopper ${process.pid}-${made}` } }
    },
  },
  'POST /v1/internal/operator-keys/{key_id}/rotate': { ...operators, make: pathOfFreshKey },
  'POST /v1/internal/operator-keys/{key_id}/revoke': { ...operators, make: pathOfFreshKey },
}

const key = fields({
  id: integer,
  name: text,
  created_at: moment,
  last_used_at: orNull(moment),
  revoked_at: orNull(moment),
})
const given = fields({ operator_key: { type: 'string', pattern: '^op_[0-9A-Za-z]{40}$' }, key })
const session = fields({
  name: text,
  key_id: integer,
  expires_at: orNull(moment),
  ends_at: orNull(moment),
})

const customer = fields({
  id: text,
  email: text,
  status: words('active', 'suspended', 'closed'),
  updated_at: moment,
})

export const operatorShapes = {
  'GET /v1/internal/overview': fields({
    parked_orders: integer,
    parked_payments: integer,
    parked_card_reversals: integer,
    waiting_threads: integer,
    failed_webhook_deliveries: integer,
    open_holds: integer,
    failed_mails: integer,
    dead_tasks: integer,
    closed_with_money: list({ type: 'object' }),
  }),
  'GET /v1/internal/holds': fields({
    holds: list(fields({ order_id: text, customer_id: text, domain: text, created_at: moment })),
    next_cursor: orNull(text),
  }),
  'GET /v1/internal/mails': fields({
    mails: list(fields({ id: text, recipient: text, subject: text, ended_at: moment })),
    next_cursor: orNull(text),
  }),
  'POST /v1/internal/mails/{mail_id}/resend': fields({ id: text, state: words('queued') }),
  'GET /v1/internal/dead-tasks': fields({
    tasks: list(fields({ id: integer, kind: text, key: text, dead_at: moment })),
    next_cursor: orNull(text),
  }),
  'POST /v1/internal/dead-tasks/{task_id}/retry': fields({ id: integer, kind: text }),
  'GET /v1/account/export': fields({
    format: words('agent-registrar-export/1'),
    exported_at: moment,
    account: customer,
    contacts: list({ type: 'object' }),
    domains: list({ type: 'object' }),
    orders: list({ type: 'object' }),
    api_keys: list({ type: 'object' }),
    log_ins: list({ type: 'object' }),
    connected_apps: list({ type: 'object' }),
    webhooks: list({ type: 'object' }),
    invoices: list({ type: 'object' }),
    support_messages: list({ type: 'object' }),
    ledger_transfers: list({ type: 'object' }),
    audit_logs: list({ type: 'object' }),
  }),
  'POST /v1/account/close': customer,
  'POST /v1/internal/customers/{id}/suspend': customer,
  'POST /v1/internal/customers/{id}/resume': customer,
  'POST /v1/internal/customers/{id}/close': customer,
  'POST /v1/operator/login': session,
  'GET /v1/operator/session': session,
  'GET /v1/internal/operator-keys': fields({ keys: list(key) }),
  'POST /v1/internal/operator-keys': given,
  'POST /v1/internal/operator-keys/{key_id}/rotate': given,
  'POST /v1/internal/operator-keys/{key_id}/revoke': key,
}

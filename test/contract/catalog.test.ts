// The catalog against the contract's table: nothing missing, nothing renamed, nothing added.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/catalog.ts'
import { sharedService } from '../support/service.ts'
import { table } from './support/operations-table.ts'
import { protocolRoutes } from './support/protocol-routes.ts'

/** The additions to the contract; nothing else may exist. */
const additions = [
  'GET /v1/operations/{id}',
  'GET /v1/operations/{id}/wait',
  'POST /v1/account/reserve',
  'POST /v1/domains/{domain}/reserve',
  'POST /v1/quotes',
  'GET /v1/operations/{id}/receipt',
  'GET /v1/operations/{id}/receipt/pdf',
  'GET /v1/document-keys',
  'GET /v1/events',
  'GET /v1/webhooks',
  'POST /v1/webhooks',
  'GET /v1/webhooks/{id}',
  'PATCH /v1/webhooks/{id}',
  'DELETE /v1/webhooks/{id}',
  'POST /v1/webhooks/{id}/secret/rotate',
  'POST /v1/webhooks/{id}/test',
  'GET /v1/webhooks/{id}/deliveries',
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  'GET /v1/internal/webhook-deliveries',
  'POST /v1/internal/webhook-deliveries/{delivery_id}/redeliver',
  'GET /v1/state-model',
  'GET /v1/account/limits',
  'GET /v1/account/runway',
  'GET /v1/domains/summary',
  'GET /v1/approvals',
  'GET /v1/approvals/{id}',
  'GET /v1/approvals/{id}/wait',
  'POST /v1/approvals/{id}/approve',
  'POST /v1/approvals/{id}/decline',
  'GET /v1/account/approval-settings',
  'PATCH /v1/account/approval-settings',
  'GET /v1/account/push-subscriptions',
  'POST /v1/account/push-subscriptions',
  'DELETE /v1/account/push-subscriptions/{id}',
  'PATCH /v1/customers/{customer_id}/api-keys/{api_key_id}',
  'GET /v1/account/oauth-grants',
  'PATCH /v1/account/oauth-grants/{id}',
  'DELETE /v1/account/oauth-grants/{id}',
  'POST /v1/dashboard/logout',
  'GET /v1/account/sessions',
  'DELETE /v1/account/sessions/{id}',
  'POST /v1/dashboard/passkey/options',
  'POST /v1/dashboard/passkey/login',
  'POST /v1/account/passkeys/options',
  'POST /v1/account/passkeys',
  'GET /v1/account/passkeys',
  'DELETE /v1/account/passkeys/{id}',
  'POST /v1/dashboard/register/link',
  'POST /v1/dashboard/sso/link-code',
  'GET /v1/account/identities',
  'POST /v1/account/identities',
  'DELETE /v1/account/identities/{id}',
  'POST /v1/customers/{customer_id}/password-setup',
  'POST /v1/domains/{domain}/restore',
  'POST /v1/domains/{domain}/protect',
  'POST /v1/domains/{domain}/unprotect',
  'POST /v1/domains/{domain}/transfer/cancel',
  'POST /v1/domains/{domain}/transfer/approve',
  'POST /v1/domains/{domain}/transfer/reject',
  'GET /v1/domains/{domain}/dns-records',
  'GET /v1/domains/{domain}/records',
  'PUT /v1/domains/{domain}/records/{host}/{type}',
  'DELETE /v1/domains/{domain}/records/{host}/{type}',
  'PATCH /v1/domains/{domain}/records',
  'PUT /v1/domains/{domain}/records',
  'GET /v1/domains/{domain}/changes',
  'GET /v1/domains/{domain}/changes/{change_id}',
  'POST /v1/domains/{domain}/changes/{change_id}/confirm',
  'POST /v1/domains/{domain}/changes/{change_id}/revert',
  'POST /v1/domains/{domain}/records/scan',
  'GET /v1/domains/{domain}/zonefile',
  'POST /v1/domains/{domain}/zonefile',
  'GET /v1/dns/templates',
  'GET /v1/domains/{domain}/waiting-nameservers',
  'DELETE /v1/domains/{domain}/waiting-nameservers',
  'POST /v1/domains/{domain}/records/apply-template',
  'GET /v1/domains/{domain}/tsig-keys',
  'POST /v1/domains/{domain}/tsig-keys',
  'DELETE /v1/domains/{domain}/tsig-keys/{tsig_key_id}',
  'GET /v1/customers/{customer_id}/audit-logs/{audit_log_id}/proof',
  'GET /v1/customers/{customer_id}/audit-logs/export',
  'GET /v1/audit/head',
  'GET /v1/customers/{customer_id}/billing/statement',
  'POST /v1/customers/{customer_id}/billing/processor/checkouts',
  'GET /v1/customers/{customer_id}/billing/processor/config',
  'GET /v1/customers/{customer_id}/billing/processor/checkouts',
  'GET /v1/customers/{customer_id}/billing/processor/checkouts/{checkout_id}',
  'POST /v1/billing/processor/webhook',
  'POST /v1/customers/{customer_id}/billing/x402/top-ups',
  'POST /v1/internal/billing/reversals',
  'GET /v1/internal/billing/payments',
  'POST /v1/internal/billing/adjustments',
  'POST /v1/internal/billing/order-refunds',
  'POST /v1/internal/billing/reserve-releases',
  'GET /v1/internal/billing/parked-payments',
  'POST /v1/internal/billing/parked-payments/{payment_id}/credit',
  'POST /v1/internal/billing/parked-payments/{payment_id}/dismiss',
  'GET /v1/account/export',
  'POST /v1/account/close',
  'POST /v1/internal/customers/{id}/suspend',
  'POST /v1/internal/customers/{id}/resume',
  'POST /v1/internal/customers/{id}/close',
  'GET /v1/internal/overview',
  'GET /v1/internal/holds',
  'GET /v1/internal/mails',
  'POST /v1/internal/mails/{mail_id}/resend',
  'GET /v1/internal/dead-tasks',
  'POST /v1/internal/dead-tasks/{task_id}/retry',
  'POST /v1/operator/login',
  'GET /v1/operator/session',
  'POST /v1/operator/logout',
  'GET /v1/internal/operator-keys',
  'POST /v1/internal/operator-keys',
  'POST /v1/internal/operator-keys/{key_id}/rotate',
  'POST /v1/internal/operator-keys/{key_id}/revoke',
  'GET /v1/internal/billing/parked-card-checkouts',
  'POST /v1/internal/billing/parked-card-checkouts/{checkout_id}/dismiss',
  'GET /v1/internal/billing/parked-card-reversals',
  'POST /v1/internal/billing/parked-card-reversals/dismiss',
  'GET /v1/internal/ledger/trial-balance',
  'GET /v1/internal/ledger/transfers',
  'POST /v1/sandbox/clock',
  'GET /v1/sandbox/faults',
  'POST /v1/sandbox/faults',
  'DELETE /v1/sandbox/faults',
  'POST /v1/sandbox/top-ups',
  'GET /v1/sandbox/mailbox',
  'GET /v1/sandbox/mailbox/{mail_id}',
  'GET /v1/internal/parked-orders',
  'POST /v1/internal/parked-orders/{id}/settle',
  'POST /v1/internal/parked-orders/{id}/release',
  'GET /v1/internal/support/threads',
  'GET /v1/internal/support/threads/{customer_id}',
  'POST /v1/internal/support/messages',
  'POST /v1/internal/support/messages/read',
]

const registrar = await sharedService()
const rows = new Map(table.map((row) => [row.at, row]))
const built = new Map(operations.map((operation) => [operation.at, operation]))

test('each row of the table is a route of its own', () => {
  assert.equal(table.length, 95)
  assert.equal(rows.size, table.length)
  assert.ok(table.every(({ at, status }) => /^[A-Z]+ \//.test(at) && /^2..$/.test(status)))
})

test('every operation stands in the table with its success status, or is a decided addition', () => {
  for (const { at, status = 200 } of operations) {
    if (additions.includes(at)) continue
    assert.equal(rows.get(at)?.status, String(status), at)
  }
})

test('an addition is built, and is no row of the table', () => {
  for (const at of additions) {
    assert.ok(built.has(at), `${at} is listed as an addition, but is not there`)
    assert.ok(!rows.has(at), `${at} is in the contract`)
  }
})

test('every row has its definition, except the routes of protocols, which are rows, too', () => {
  const missing = table.map(({ at }) => at).filter((at) => !built.has(at))
  assert.deepEqual(missing.toSorted(), protocolRoutes.toSorted())
})

test('every row is served', () => {
  assert.deepEqual(
    table.map(({ at }) => at).filter((at) => !isServed(at)),
    [],
  )
})

function isServed(at: string): boolean {
  const [method = '', path = ''] = at.split(' ')
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
  return registrar.service.server.hasRoute({ method, url })
}

test('each operation has one name and one route, and each tool one name', () => {
  const names = operations.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  assert.equal(built.size, operations.length)
  for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)*$/)
  const tools = operations.flatMap(({ name, tools = [] }) => tools.map((tool) => tool.name ?? name))
  assert.equal(new Set(tools).size, tools.length)
  assert.ok(tools.includes('check_domain_availability'), 'named by the contract')
  assert.ok(tools.includes('get_domain_pricing'), 'named by the contract')
})

test('each fault of the list is declared once in it, with a next step', () => {
  for (const { name, fails } of operations) {
    const codes = fails.map(({ code }) => code)
    assert.equal(new Set(codes).size, codes.length, name)
    for (const { hint, sentence } of fails) assert.ok(hint.length > 8 && sentence.endsWith('.'))
  }
})

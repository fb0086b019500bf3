// Export of an account as one JSON document: the long lists are streamed, page by page.
import Type from 'typebox'
import { type Call, operation, ownerInPerson } from '../../app.ts'
import { Listing, type Pages } from '../../kit/json-stream.ts'
import { dateTime } from '../../kit/schema.ts'
import {
  customerAbsent,
  customerById,
  customerResponse,
  freshLogInNeeded,
  requireFreshLogIn,
  sessionRequired,
} from '../account/index.ts'
import { storeAuditRow } from '../audit/index.ts'
import {
  exportApprovals,
  exportApps,
  exportAudit,
  exportBalances,
  exportContacts,
  exportDomains,
  exportInvoices,
  exportKeys,
  exportLimits,
  exportLogIns,
  exportMessages,
  exportOrders,
  exportPushSubscriptions,
  exportTransfers,
  exportWebhooks,
} from './export.sql.ts'

const rows = (description: string) =>
  Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), { description })

export const exportAccount = operation({
  name: 'export_account',
  does: 'Export all data of your account as one JSON document.',
  more:
    'Amounts are decimal text. Secrets are not in it: of API keys only their first characters. ' +
    'It needs a log-in within the last ten minutes, and is open to a suspended account.',
  at: 'GET /v1/account/export',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({}),
  gives: Type.Object(
    {
      format: Type.Literal('agent-registrar-export/1'),
      exported_at: dateTime('When.'),
      account: customerResponse,
      contacts: rows('All contacts.'),
      log_ins: rows('Passkeys and linked identities.'),
      domains: rows('Those that the account holds, and those that it held, with DNS records.'),
      orders: rows('All paid operations, by domain.'),
      api_keys: rows('All API keys, revoked ones too, without their secrets.'),
      limits: rows('Of API keys and of connected apps: what they may spend, see and buy.'),
      approvals: rows('All requests of keys and apps that waited for the owner.'),
      connected_apps: rows('All apps that were connected by OAuth.'),
      webhooks: rows('All webhooks, without their secrets.'),
      push_subscriptions: rows('Browsers that are notified, without their endpoints.'),
      invoices: rows('Invoices and credit notes.'),
      support_messages: rows('All messages to and from support, oldest first.'),
      balances: rows('By currency: available, held, kept for renewals, and owed.'),
      ledger_transfers: rows('All transactions of the balances, oldest first.'),
      audit_logs: rows('All entries of the audit log, newest first.'),
    },
    { title: 'AccountExport' },
  ),
  fails: [sessionRequired, freshLogInNeeded, customerAbsent],
  effect: 'none',
  async run(_input, call, app) {
    requireFreshLogIn(app, call)
    const { sql, customer_id } = call
    const account = await customerById(sql, customer_id)
    if (!account) throw customerAbsent()
    await storeAuditRow(sql, call.auditRow({ target_type: 'customer', target: customer_id }))
    const whole = { customer_id }
    const rest = {
      format: 'agent-registrar-export/1',
      exported_at: app.clock.now().toISOString(),
      account,
      contacts: rowsOf(await sql.run(exportContacts, whole)),
      log_ins: rowsOf(await sql.run(exportLogIns, whole)),
      domains: rowsOf(await sql.run(exportDomains, whole)),
      orders: rowsOf(await sql.run(exportOrders, whole)),
      api_keys: rowsOf(await sql.run(exportKeys, whole)),
      limits: rowsOf(await sql.run(exportLimits, whole)),
      approvals: rowsOf(await sql.run(exportApprovals, whole)),
      connected_apps: rowsOf(await sql.run(exportApps, whole)),
      webhooks: rowsOf(await sql.run(exportWebhooks, whole)),
      push_subscriptions: rowsOf(await sql.run(exportPushSubscriptions, whole)),
      invoices: rowsOf(await sql.run(exportInvoices, whole)),
      support_messages: rowsOf(await sql.run(exportMessages, whole)),
      balances: rowsOf(await sql.run(exportBalances, whole)),
    }
    const lists = { ledger_transfers: transfers(call), audit_logs: auditLogs(call) }
    return new Listing(lists, rest)
  },
})

const rowsOf = (found: readonly { row: unknown }[]) => found.map(({ row }) => row)
const at_once = 500n

async function* transfers({ sql, customer_id }: Call): Pages {
  for (let after = 0n; ; ) {
    const page = await sql.run(exportTransfers, { customer_id, after, limit: at_once })
    yield rowsOf(page)
    const last = page.at(-1)
    if (!last || BigInt(page.length) < at_once) return
    after = last.id
  }
}

const endless = 9_223_372_036_854_775_807n

async function* auditLogs({ sql, customer_id }: Call): Pages {
  for (let before = endless; ; ) {
    const page = await sql.run(exportAudit, { customer_id, before, limit: at_once })
    yield rowsOf(page)
    const last = page.at(-1)
    if (!last || BigInt(page.length) < at_once) return
    before = last.id
  }
}

// Export of an account as one JSON document: the long lists are streamed, page by page.
import Type from 'typebox'
import { type Call, operation, ownerInPerson } from '../../app.ts'
import { dateTime } from '../../kit/schema.ts'
import { Listing, type Pages } from '../../replies/listing.ts'
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
  exportDnsChanges,
  exportDomains,
  exportInvoices,
  exportKeys,
  exportLimits,
  exportLogIns,
  exportMessages,
  exportNameserverChanges,
  exportOrders,
  exportPushSubscriptions,
  exportTransfers,
  exportTsigKeys,
  exportWebhooks,
} from './export.sql.ts'
import { domainWithRecords, readableChange } from './export-dns.ts'

const rows = (description: string) =>
  Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), { description })

export const exportAccount = operation({
  name: 'export_account',
  does: 'Export all data of your account as one JSON document.',
  more:
    'Amounts are decimal text. The document has no secrets: an API key appears with its first ' +
    'characters only. It needs a log-in within the last ten minutes, and is open to a suspended ' +
    'account.',
  at: 'GET /v1/account/export',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({}),
  gives: Type.Object(
    {
      format: Type.Literal('agent-registrar-export/1'),
      exported_at: dateTime('When the export was made.'),
      account: customerResponse,
      contacts: rows('All contacts.'),
      log_ins: rows('Passkeys and linked identities.'),
      domains: rows('Domains that the account holds or once held, with their DNS records.'),
      dns_changes: rows('Changes of the DNS records of its domains, oldest first.'),
      nameserver_changes: rows(
        'Changes of name servers of the last year that were set to revert automatically.',
      ),
      tsig_keys: rows('Keys for DNS updates of its domains, without their secrets.'),
      orders: rows('All paid operations, by domain.'),
      api_keys: rows('All API keys, revoked ones too, without their secrets.'),
      limits: rows(
        'The limits on what API keys and connected apps may spend, see, buy and change.',
      ),
      approvals: rows('All requests of keys and apps that waited for the owner.'),
      connected_apps: rows('All apps that were connected by OAuth.'),
      webhooks: rows('All webhooks, without their secrets.'),
      push_subscriptions: rows('Browsers that are notified, without their endpoints.'),
      invoices: rows('Invoices and credit notes.'),
      support_messages: rows('All messages to and from support, oldest first.'),
      balances: rows(
        'For each currency the amounts that are available, held, kept for renewals, and owed.',
      ),
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
      log_ins: rowsOf(await sql.run(exportLogIns, whole)),
      webhooks: rowsOf(await sql.run(exportWebhooks, whole)),
      push_subscriptions: rowsOf(await sql.run(exportPushSubscriptions, whole)),
      balances: rowsOf(await sql.run(exportBalances, whole)),
    }
    return new Listing({ ...listsOf(call), audit_logs: auditLogs(call) }, rest)
  },
})

const rowsOf = (found: readonly { row: unknown }[]) => found.map(({ row }) => row)
const at_once = 500n

/** The lists that may be long. */
function listsOf({ sql, customer_id }: Call): Record<string, Pages> {
  const page = (after: string) => ({ customer_id, after, limit: at_once })
  return {
    contacts: pagesOf('0', (after) => sql.run(exportContacts, page(after))),
    domains: pagesOf('/0', async (after) => {
      const found = await sql.run(exportDomains, page(after))
      return found.map(({ row, key }) => ({ row: domainWithRecords(row), key }))
    }),
    dns_changes: pagesOf('0', async (after) => {
      const found = await sql.run(exportDnsChanges, page(after))
      return found.map(({ row, key }) => ({ row: readableChange(row), key }))
    }),
    nameserver_changes: pagesOf('', (after) => sql.run(exportNameserverChanges, page(after))),
    tsig_keys: pagesOf('', (after) => sql.run(exportTsigKeys, page(after))),
    orders: pagesOf('/', (after) => sql.run(exportOrders, page(after))),
    api_keys: pagesOf('0', (after) => sql.run(exportKeys, page(after))),
    limits: pagesOf('0', (after) => sql.run(exportLimits, page(after))),
    approvals: pagesOf('', (after) => sql.run(exportApprovals, page(after))),
    connected_apps: pagesOf('', (after) => sql.run(exportApps, page(after))),
    invoices: pagesOf('0', (after) => sql.run(exportInvoices, page(after))),
    support_messages: pagesOf('0', (after) => sql.run(exportMessages, page(after))),
    ledger_transfers: pagesOf('0', (after) => sql.run(exportTransfers, page(after))),
  }
}

type Keyed = { row: unknown; key: string }

/** Each page begins after the key of the last row of the page before. */
async function* pagesOf(first: string, read: (after: string) => Promise<readonly Keyed[]>): Pages {
  for (let after = first; ; ) {
    const page = await read(after)
    yield rowsOf(page)
    const last = page.at(-1)
    if (!last || BigInt(page.length) < at_once) return
    after = last.key
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

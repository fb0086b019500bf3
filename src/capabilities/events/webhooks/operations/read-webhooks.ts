// Reads the webhooks of an account: all of them, or one.
import Type from 'typebox'
import { operation, owner } from '../../../../app.ts'
import { webhookNotFound } from '../../faults.ts'
import { shownWebhook, webhook, webhookId } from '../webhook.ts'
import { webhookById, webhooksOfCustomer } from '../webhooks.sql.ts'

export const listWebhooks = operation({
  name: 'list_webhooks',
  does: 'List the webhooks of the account, oldest first.',
  at: 'GET /v1/webhooks',
  area: 'Events',
  who: owner('account:read'),
  takes: Type.Object({}),
  gives: Type.Object({ webhooks: Type.Array(webhook) }, { title: 'ListWebhooksResponse' }),
  fails: [],
  effect: 'none',
  async run(_input, { customer_id, sql }) {
    const rows = await sql.run(webhooksOfCustomer, { customer_id })
    return { webhooks: rows.map(shownWebhook) }
  },
})

export const getWebhook = operation({
  name: 'get_webhook',
  does: 'Read a webhook: whether it is enabled, and since when it has been failing.',
  at: 'GET /v1/webhooks/{id}',
  area: 'Events',
  who: owner('account:read'),
  takes: Type.Object({ id: webhookId }),
  gives: webhook,
  fails: [webhookNotFound],
  effect: 'none',
  async run({ id }, { customer_id, sql }) {
    const row = await sql.maybe(webhookById, { id, customer_id })
    if (!row) throw webhookNotFound()
    return shownWebhook(row)
  },
})

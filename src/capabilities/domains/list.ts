// GET all domains of the account, with those that are being bought.
import Type from 'typebox'
import { operation, owner } from '../../app.ts'
import { nullable } from '../../kit/schema.ts'
import { listEntryOf, statusOfHolding, statusOfOrder } from './holding.ts'
import { domainListEntry } from './shapes.ts'
import { holdingsOf, lastOrdersOf, openOrdersOf } from './store.ts'

export const listDomains = operation({
  name: 'list_domains',
  does: 'List the domains of the account, by name.',
  more: 'All of them without "limit"; with it, follow next_cursor.',
  at: 'GET /v1/domains',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: 'Most domains on a page.' }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 253, description: 'next_cursor of the page before.' }),
    ),
  }),
  gives: Type.Object(
    {
      domains: Type.Array(domainListEntry),
      next_cursor: nullable(Type.String({ description: 'For the next page; null on the last.' })),
    },
    { title: 'ListDomainsResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'registration',
      title: 'List the domains',
      examples: [{}, { limit: 100, cursor: 'my-agent.com' }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ limit, cursor }, call, app) {
    const now = app.calendar.now()
    const after = cursor ?? ''
    const most = limit ?? 1_000_000
    const [holdings, orders] = await Promise.all([
      call.sql.run(holdingsOf, [call.customer_id, after, BigInt(most + 1)]),
      call.sql.run(openOrdersOf, [call.customer_id]),
    ])
    const names = holdings.map(({ name }) => name)
    const last = await call.sql.run(lastOrdersOf, [call.customer_id, names])
    const lastOf = new Map(last.map((order) => [order.domain, order]))
    const held = new Set(names)
    const buys = ({ type }: { type: string }) => type === 'register' || type === 'transfer'
    const pending = orders.filter((order) => buys(order) && !held.has(order.domain))
    const all = [
      ...holdings.map((holding) => statusOfHolding(holding, lastOf.get(holding.name), now)),
      ...pending.filter(({ domain }) => domain > after).map(statusOfOrder),
    ].sort((a, b) => (a.domain < b.domain ? -1 : 1))
    const page = all.slice(0, most)
    const end = page.at(-1)
    return {
      domains: page.map(listEntryOf),
      next_cursor: all.length > most && end ? end.domain : null,
    }
  },
})

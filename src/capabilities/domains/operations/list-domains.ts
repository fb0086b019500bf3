// Lists all domains of the account, with those that are being bought: GET /v1/domains.
import Type from 'typebox'
import { type Call, operation, owner } from '../../../app.ts'
import { nullable } from '../../../kit/schema.ts'
import { Listing } from '../../../replies/listing.ts'
import { visibleNames } from '../../limits/index.ts'
import { listEntryOf, statusOfHolding, statusOfOrder } from '../holdings/domain-presenter.ts'
import { holdingsOf, visibleHoldingsOf } from '../holdings/holdings.sql.ts'
import { lastOrdersOf, openPurchasesOf, visiblePurchasesOf } from '../orders/orders.sql.ts'
import { domainListEntry } from '../schemas.ts'

export const listDomains = operation({
  name: 'list_domains',
  does: 'List the domains of the account, by name.',
  more: 'Returns all of them without "limit"; with it, follow next_cursor.',
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
    const reader = { call, names: visibleNames(call.caller), now: app.calendar.now() }
    const first = await pageAfter(reader, cursor ?? '', limit ?? at_once)
    if (limit !== undefined || first.next_cursor === null) return first
    return new Listing({ domains: pagesFrom(reader, first) }, { next_cursor: null })
  },
})

const at_once = 500
/** `names`: as visibleNames returns them. */
type Reader = { call: Pick<Call, 'sql' | 'customer_id'>; names: string[] | null; now: Date }
type Page = { domains: ReturnType<typeof listEntryOf>[]; next_cursor: string | null }

/** The rest is read by keys, so what is bought or ends meanwhile moves none of the others. */
async function* pagesFrom(reader: Reader, first: Page): AsyncGenerator<Page['domains']> {
  yield first.domains
  for (let cursor = first.next_cursor; cursor !== null; ) {
    const page = await pageAfter(reader, cursor, at_once)
    yield page.domains
    cursor = page.next_cursor
  }
}

/** Reads one more of holdings and of purchases than fits, to know whether there is another page. */
async function pageAfter(
  { call, names: visible, now }: Reader,
  after: string,
  most: number,
): Promise<Page> {
  const { sql, customer_id } = call
  const asked = { customer_id, after, limit: BigInt(most + 1) }
  const [holdings, purchases] = await Promise.all(
    visible === null
      ? [sql.run(holdingsOf, asked), sql.run(openPurchasesOf, asked)]
      : [
          sql.run(visibleHoldingsOf, { ...asked, visible }),
          sql.run(visiblePurchasesOf, { ...asked, visible }),
        ],
  )
  const names = holdings.map(({ name }) => name)
  const last = await sql.run(lastOrdersOf, { customer_id, names })
  const lastOf = new Map(last.map((order) => [order.domain, order]))
  const held = new Set(names)
  const all = [
    ...holdings.map((holding) => statusOfHolding(holding, lastOf.get(holding.name), now)),
    ...purchases.filter(({ domain }) => !held.has(domain)).map(statusOfOrder),
  ].sort((a, b) => (a.domain < b.domain ? -1 : 1))
  const page = all.slice(0, most)
  return {
    domains: page.map(listEntryOf),
    next_cursor: all.length > most ? (page.at(-1)?.domain ?? null) : null,
  }
}

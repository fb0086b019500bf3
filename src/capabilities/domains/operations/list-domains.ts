// Lists all domains of the account, with those that are being bought: GET /v1/domains.
import Type from 'typebox'
import { type Call, operation, owner } from '../../../app.ts'
import { byText } from '../../../lists/cursor.ts'
import { optionalLimitField, pagesOf } from '../../../lists/paging.ts'
import { Listing } from '../../../replies/listing.ts'
import { visibleNames } from '../../limits/index.ts'
import { listEntryOf } from '../holdings/domain-presenter.ts'
import { holdingsOf, visibleHoldingsOf } from '../holdings/holdings.sql.ts'
import { statusOfOrder, statusWithOrder } from '../orders/order-presenter.ts'
import { lastOrdersOf, openPurchasesOf, visiblePurchasesOf } from '../orders/orders.sql.ts'
import { domainListEntry } from '../schemas.ts'

const pages = pagesOf('list_domains', byText)

export const listDomains = operation({
  name: 'list_domains',
  does: 'List the domains of the account, by name.',
  more: 'Returns all of them without "limit"; with it, follow next_cursor.',
  at: 'GET /v1/domains',
  area: 'Domains',
  who: owner('domains:read'),
  takes: Type.Object({
    ...pages.takes,
    limit: optionalLimitField('The most entries on a page; without it, all are returned.'),
  }),
  gives: Type.Object(
    {
      domains: Type.Array(domainListEntry),
      ...pages.gives,
    },
    { title: 'ListDomainsResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'registration',
      title: 'List the domains',
      examples: [{}, { limit: 100, cursor: pages.cursorAt('my-agent.com') }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ limit, cursor }, call, app) {
    const reader = { call, names: visibleNames(call.caller), now: app.calendar.now() }
    const first = await pageAfter(reader, pages.placeOf(cursor) ?? '', limit ?? at_once)
    if (limit !== undefined || first.last === null)
      return { domains: first.domains, next_cursor: first.last && pages.cursorAt(first.last) }
    return new Listing({ domains: pagesFrom(reader, first) }, { next_cursor: null })
  },
})

const at_once = 500
/** `names` are those that visibleNames returns. */
type Reader = { call: Pick<Call, 'sql' | 'customer_id'>; names: string[] | null; now: Date }
/** `last` is the name after which the next page begins, or null if there is no other page. */
type Page = { domains: ReturnType<typeof listEntryOf>[]; last: string | null }

/** The rest is read by keys, so a purchase or an end meanwhile does not move the others. */
async function* pagesFrom(reader: Reader, first: Page): AsyncGenerator<Page['domains']> {
  yield first.domains
  for (let after = first.last; after !== null; ) {
    const page = await pageAfter(reader, after, at_once)
    yield page.domains
    after = page.last
  }
}

/** Reads one more holding and purchase than fit, to know whether there is another page. */
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
    ...holdings.map((holding) => statusWithOrder(holding, lastOf.get(holding.name), now)),
    ...purchases.filter(({ domain }) => !held.has(domain)).map(statusOfOrder),
  ].sort((a, b) => (a.domain < b.domain ? -1 : 1))
  const page = all.slice(0, most)
  return {
    domains: page.map(listEntryOf),
    last: all.length > most ? (page.at(-1)?.domain ?? null) : null,
  }
}

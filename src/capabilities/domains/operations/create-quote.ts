// Creates a quote, a signed price that is honored for five minutes: POST /v1/quotes.
import Type, { type Static } from 'typebox'
import { type App, type Call, operation, owner } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { json } from '../../../db/statement.ts'
import { currencies } from '../../../kit/money.ts'
import { type CustomerId, type DomainName, newId } from '../../../kit/random.ts'
import { dateTime, identifier, oneOf, stringOf, withDefault } from '../../../kit/schema.ts'
import { lockCustomer } from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { signDocument } from '../../document-signatures/index.ts'
import { isVisibleDomain } from '../../limits/index.ts'
import { priceBody, type Quote } from '../../pricing/index.ts'
import * as faults from '../faults.ts'
import { holdingByName } from '../holdings/holdings.sql.ts'
import { refreshHolding } from '../holdings/sync.ts'
import { hostOf, nameOf } from '../names.ts'
import { priceRegistration } from '../orders/handlers/register-order.ts'
import { renewHandler } from '../orders/handlers/renew-order.ts'
import { restoreHandler } from '../orders/handlers/restore-order.ts'
import { priceTransfer } from '../orders/handlers/transfer-order.ts'
import { digestOf } from '../orders/idempotency.ts'
import { tooManyQuotes } from '../orders/quotes/quote-faults.ts'
import { countOpenQuotes, insertQuote } from '../orders/quotes/quotes.sql.ts'
import { operationTypes, price } from '../schemas.ts'

const life_ms = 5 * 60_000
const most_open = 200

const takes = Type.Object({
  action: oneOf(operationTypes, { description: 'The operation to quote.' }),
  domain: stringOf<DomainName>({ minLength: 1, maxLength: 1024, description: 'The name.' }),
  period_years: withDefault(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'How many years; a transfer and a restore have 1.',
    }),
    1,
  ),
  currency: withDefault(oneOf(currencies, { description: 'The currency of the price.' }), 'USD'),
})
type Asked = Static<typeof takes>

export const createQuote = operation({
  name: 'create_quote',
  does: 'Quote the price of a purchase, honored for five minutes.',
  more:
    'Send its id as "quote_id" with that purchase: at most this price is charged, even if the ' +
    'registry charges more by then (within a bound; above it 409 price_changed). It holds no ' +
    'money and does not reserve the name. "jws" is the signed quote: verify it with ' +
    'GET /v1/document-keys.',
  at: 'POST /v1/quotes',
  area: 'Pricing',
  who: owner('domains:read'),
  takes,
  gives: Type.Object(
    {
      quote_id: identifier('quo', 'The id to send with the purchase.'),
      action: oneOf(operationTypes),
      domain: stringOf<DomainName>(),
      period_years: Type.Integer(),
      price,
      created_at: dateTime('When the quote was made.'),
      expires_at: dateTime('Until when it is honored, for one order.'),
      jws: Type.String({ description: 'The quote as a compact JWS (ES256, "typ": "quote+jwt").' }),
    },
    { title: 'QuoteResponse' },
  ),
  status: 201,
  fails: [
    faults.domainNotSupported,
    faults.domainTaken,
    faults.domainNotFound,
    faults.heldHere,
    faults.notTransferable,
    faults.notRenewable,
    faults.notInRedemption,
    faults.termTooLong,
    faults.priceUnavailable,
    faults.periodNotAllowed,
    faults.registryRefused,
    faults.registryUnreachable,
    tooManyQuotes,
  ],
  effect: 'own',
  tools: [
    {
      group: 'availability and pricing',
      title: 'Quote a price',
      examples: [{ action: 'register', domain: 'my-agent.com' }],
      destructive: false,
      idempotent: false,
      open_world: true,
    },
  ],
  cost: () => 1,
  async run(input, call, app) {
    const { customer_id } = call
    await refuseTooMany(app.db, customer_id)
    const { domain, quote } = await quoteOf(app, call, input)
    const id = newId('quo')
    const created_at = app.clock.now()
    const expires_at = new Date(created_at.getTime() + life_ms)
    const { action, period_years } = input
    const facts = { action, domain, period_years, price: priceBody(quote) }
    await app.db.transaction(async (sql) => {
      await lockCustomer(sql, customer_id)
      await call.assertStillAllowed({ sql })
      await refuseTooMany(sql, customer_id)
      await sql.run(insertQuote, {
        id,
        customer_id,
        type: action,
        domain,
        period_years,
        currency: quote.currency,
        amount: quote.amount,
        price: json(facts.price),
        created_at,
        expires_at,
      })
      await storeAuditRow(sql, auditRowOf(call, { id, facts }))
    })
    const jws = await signDocument(app, {
      typ: 'quote+jwt',
      id,
      customer_id,
      issued_at: created_at,
      expires_at,
      facts,
    })
    const times = { created_at: created_at.toISOString(), expires_at: expires_at.toISOString() }
    return { quote_id: id, ...facts, ...times, jws }
  },
})

/** Checked before the registry is asked, and again while no other quote is being made. */
async function refuseTooMany(sql: Sql, customer_id: CustomerId): Promise<void> {
  const { open } = await sql.one(countOpenQuotes, { customer_id, limit: most_open })
  if (open >= most_open) throw tooManyQuotes()
}

type Made = { id: string; facts: { domain: DomainName; action: string; price: { amount: string } } }

function auditRowOf(call: Call, { id, facts: { domain, action, price: made } }: Made) {
  return call.auditRow({
    target_type: 'domain',
    target: domain,
    result: 'success',
    metadata: { quote: id, quoted: action, price: made },
  })
}

/** Asks the registry now. Throws the fault that the purchase itself would get. */
async function quoteOf(
  app: App,
  call: Call,
  { action, domain: text, period_years, currency }: Asked,
): Promise<{ domain: DomainName; quote: Quote }> {
  switch (action) {
    case 'register': {
      const name = nameOf(app, { domain: text })
      return {
        domain: name.name,
        quote: await priceRegistration(app, { name, period_years, currency }),
      }
    }
    case 'transfer': {
      const name = nameOf(app, { domain: text })
      return {
        domain: name.name,
        quote: await priceTransfer(app, { name, period_years, currency }),
      }
    }
    case 'renew':
    case 'restore': {
      const domain = hostOf(text)
      return {
        domain,
        quote: await quoteOfHeld(app, call, { action, domain, period_years, currency }),
      }
    }
  }
}

/** The price that its purchase would agree on; the quote of a restore is for one year. */
async function quoteOfHeld(
  app: App,
  call: Call,
  { action, domain, period_years, currency }: Asked & { action: 'renew' | 'restore' },
): Promise<Quote> {
  const { customer_id, caller } = call
  const known = await app.db.maybe(holdingByName, { customer_id, name: domain })
  if (!known || !isVisibleDomain(caller, domain)) throw faults.domainNotFound()
  const facts = { customer_id, domain, period_years, currency }
  const request = {
    ...facts,
    max_price: undefined,
    dry_run: true,
    digest: digestOf({ type: action, ...facts }),
    key: null,
  }
  if (action === 'restore') {
    const handler = restoreHandler
    if (period_years !== 1)
      throw faults.periodNotAllowed({ facts: { periods: { min: 1, max: 1 } } })
    return (await handler.agreePrice({ app, call, handler, request }, null)).quote
  }
  const handler = renewHandler
  const renewed = { ...request, holding: await refreshHolding(app, known) }
  return (await handler.agreePrice({ app, call, handler, request: renewed }, null)).quote
}

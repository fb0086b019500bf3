// Lists the standard prices of each TLD: GET /v1/pricing/tlds.
import Type from 'typebox'
import { anyone, operation } from '../../app.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import { amount, dateTime, nullable, oneOf, patterned, withDefault } from '../../kit/schema.ts'
import type { Action } from './price.ts'

const price = (does: string) =>
  nullable(amount(`${does}; null if the price is unknown, so that it is not for sale now.`))

const tldPrice = Type.Object(
  {
    tld: Type.String({ description: 'The TLD without its dot, e.g. "com".' }),
    register: price('The first year of a new domain'),
    renew: price('Each further year'),
    transfer: price('A transfer to us, with the years that it adds'),
    restore: price('A restore from redemption'),
    currency: oneOf(currencies),
    periods: Type.Object(
      {
        min: Type.Integer({ description: 'The minimum number of years at once.' }),
        max: Type.Integer({ description: 'The maximum number of years at once.' }),
      },
      { description: 'Periods that the registry sells, in years.' },
    ),
    transfer_years: Type.Integer({
      description: 'The number of years that a transfer adds, which may be 0.',
    }),
    contacts: oneOf(['required', 'prohibited', 'optional'] as const, {
      description: 'Whether the registry takes contacts. A registrant is required in any case.',
    }),
    updated_at: nullable(dateTime('When the registry reported these prices.')),
  },
  { title: 'TldPrice' },
)

export const listTldPrices = operation({
  name: 'list_tld_prices',
  does: 'List the prices of each TLD for a year: register, renew, transfer, restore.',
  more: 'These are standard prices; a premium name costs more: check the name for its price.',
  at: 'GET /v1/pricing/tlds',
  area: 'Pricing',
  who: anyone(),
  takes: Type.Object({
    currency: withDefault(oneOf(currencies, { description: 'The currency of the prices.' }), 'USD'),
    tlds: Type.Optional(
      Type.Array(
        patterned('^\\.?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$', 'a TLD, such as "com"', {
          maxLength: 253,
        }),
        {
          minItems: 1,
          maxItems: 200,
          description: 'Only these TLDs.',
        },
      ),
    ),
  }),
  gives: Type.Object(
    {
      currency: oneOf(currencies),
      tlds: Type.Array(tldPrice, { description: 'The TLDs in alphabetical order.' }),
      not_sold: Type.Array(Type.String(), {
        description: 'Requested TLDs that are not sold here.',
      }),
    },
    { title: 'ListTldPricesResponse' },
  ),
  fails: [],
  effect: 'none',
  tools: [
    {
      group: 'availability and pricing',
      name: 'get_domain_pricing',
      title: 'List prices by TLD',
      examples: [{ tlds: ['com', 'io'], currency: 'USD' }],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ currency, tlds }, _call, app) {
    const book = await app.priceBook.read(currency)
    const wanted = tlds && new Set(tlds.map((tld) => tld.replace(/^\./, '').toLowerCase()))
    const not_sold = [...(wanted ?? [])].filter((tld) => !app.registries.byTld.get(tld)).sort()
    const shown = app.registries.tlds.flatMap((tld) => {
      const registry = app.registries.byTld.get(tld)?.registry
      if (!registry || (wanted && !wanted.has(tld))) return []
      const { name, periods, contacts, transfer } = registry.profile
      const known = (action: Action) => {
        const entry = book.get(tld)?.get(action)
        return entry?.registry === name ? entry : undefined
      }
      const text = (action: Action) => {
        const entry = known(action)
        return entry ? formatAmount(entry.price) : null
      }
      return {
        tld,
        register: text('register'),
        renew: text('renew'),
        transfer: text('transfer'),
        restore: text('restore'),
        currency,
        periods,
        transfer_years: transfer.years,
        contacts,
        updated_at: known('register')?.synced_at.toISOString() ?? null,
      }
    })
    return { currency, tlds: shown, not_sold }
  },
})

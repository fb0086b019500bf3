// Lists countries, and states of a country, for contacts: public and constant.
import Type from 'typebox'
import { anyone, operation } from '../../../app.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { nullable } from '../../../kit/schema.ts'
import { countries, countryCodeOf } from '../fields/countries.ts'
import { statesOf } from '../fields/states.ts'

// Public over REST; over MCP it takes any token (decision 11).
const hints = {
  group: 'contacts',
  token: true,
  destructive: false,
  idempotent: true,
  open_world: false,
} as const

export const listContactCountries = operation({
  name: 'list_contact_countries',
  does: 'List the countries of contacts.',
  at: 'GET /v1/contact-countries',
  area: 'Contacts',
  who: anyone(),
  takes: Type.Object({}),
  gives: Type.Array(
    Type.Object({
      code: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
      name: Type.String({ description: 'The English name.' }),
      alpha3: Type.String({ description: 'ISO 3166-1 alpha-3.' }),
      phone_country_code: nullable(
        Type.String({
          description:
            'The country code of telephone numbers, such as +31, or null if there is none.',
        }),
      ),
    }),
  ),
  fails: [],
  effect: 'none',
  tools: [{ ...hints, title: 'List countries', examples: [{}] }],
  async run() {
    return [...countries]
  },
})

export const listContactStates = operation({
  name: 'list_contact_states',
  does: 'List the states, provinces or other parts of a country.',
  more:
    'The list is empty for a country without any. In Australia, Brazil, Canada and the United ' +
    'States a contact must name one of these, by code ("US-CA" or "CA") or by name; elsewhere a ' +
    'code must be one of these, and any name is accepted.',
  at: 'GET /v1/contact-states',
  area: 'Contacts',
  who: anyone(),
  takes: Type.Object({
    country: Type.String({
      minLength: 2,
      maxLength: 120,
      description: 'The ISO 3166-1 code or the English name.',
    }),
  }),
  gives: Type.Array(
    Type.Object({
      code: Type.String({ description: 'ISO 3166-2, e.g. US-CA.' }),
      name: Type.String({ description: 'The name in the standard.' }),
    }),
  ),
  fails: [],
  effect: 'none',
  tools: [{ ...hints, title: 'List states of a country', examples: [{ country: 'US' }] }],
  async run({ country }) {
    const code = countryCodeOf(country)
    if (code !== undefined) return [...statesOf(code)]
    const msg = 'Value is not a country; see list_contact_countries (/v1/contact-countries)'
    throw new InvalidInput([{ path: ['country'], msg, type: 'value_error' }])
  },
})

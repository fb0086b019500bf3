// The input of a registration.

import Type from 'typebox'
import type { DomainName } from '../../../kit/random.ts'
import { nullable, stringOf, withDefault } from '../../../kit/schema.ts'
import { nameserverFields } from '../names.ts'
import { contactIds } from '../schemas.ts'
import { paidFields } from './paid-request.ts'

/** The description of glue in a purchase; update_nameservers has the example. */
export const glueWords = 'Addresses of name servers below the name itself, by host.'

export const registerInput = Type.Object(
  {
    domain: stringOf<DomainName>({
      minLength: 1,
      maxLength: 1024,
      description: 'The name to buy, such as "my-agent.com".',
    }),
    period_years: withDefault(
      Type.Integer({ minimum: 1, maximum: 10, description: 'How many years to pay for.' }),
      1,
    ),
    currency: paidFields.currency,
    allow_premium: withDefault(
      Type.Boolean({ description: 'Whether to buy even if the price is above the standard one.' }),
      false,
    ),
    max_price: paidFields.max_price,
    quote_id: paidFields.quote_id,
    nameservers: Type.Optional({
      ...nameserverFields.nameservers,
      description: "The name servers, by default the account's, or else the service's.",
    }),
    glue: Type.Optional({ ...nameserverFields.glue, description: glueWords }),
    contacts: Type.Optional(contactIds),
    contact: Type.Optional(
      nullable(
        Type.Unsafe<number | string>({
          anyOf: [
            { type: 'integer', minimum: 1 },
            { type: 'string', minLength: 1, maxLength: 120 },
          ],
          description: 'One contact for all roles: its id or its handle.',
        }),
      ),
    ),
    dry_run: paidFields.dry_run,
    idempotency_key: paidFields.idempotency_key,
  },
  { title: 'RegisterDomainRequest' },
)

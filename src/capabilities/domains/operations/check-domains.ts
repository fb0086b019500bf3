// Availability of up to 200 names, or of one.

import Type from 'typebox'
import { anyone, type Call, operation } from '../../../app.ts'
import { currencies } from '../../../kit/money.ts'
import type { DomainName } from '../../../kit/random.ts'
import { oneOf, stringOf, withDefault } from '../../../kit/schema.ts'
import { checkNames } from '../availability.ts'
import { availabilityResponse } from '../schemas.ts'

const currency = withDefault(
  oneOf(currencies, { description: 'The currency of the prices.' }),
  'USD',
)
const depth = withDefault(
  oneOf(['quick', 'confirm'] as const, {
    description: 'quick: an answer up to 60 s old is enough. confirm: ask the registry now.',
  }),
  'confirm',
)

/** Anonymous callers share the registry's spare capacity, since customers come first. */
function priorityOf({ caller }: Call): 'background' | 'normal' {
  return caller.kind === 'anonymous' ? 'background' : 'normal'
}

export const checkDomains = operation({
  name: 'check_domain_availability',
  does: 'Check whether 1 to 200 names are available, and their prices.',
  more:
    'Only a name with "available": true can be registered; null means unknown. ' +
    'An invalid name affects only its own entry.',
  at: 'POST /v1/domains/check',
  area: 'Domains',
  who: anyone(),
  takes: Type.Object(
    {
      domains: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 200,
        description: 'Names such as "name.com", also in Unicode.',
      }),
      currency,
      depth,
    },
    { title: 'DomainAvailabilityRequest' },
  ),
  gives: availabilityResponse,
  fails: [],
  effect: 'none',
  cost: (input) => input.domains.length,
  max_body_bytes: 262_144,
  any_text: 'domains',
  tools: [
    {
      group: 'availability and pricing',
      title: 'Check availability and price',
      examples: [{ domains: ['my-agent.com', 'my-agent.dev'] }],
      destructive: false,
      idempotent: true,
      open_world: true,
    },
  ],
  async run(input, call, app) {
    const ask = { ...input, names: input.domains, priority: priorityOf(call) }
    return { domains: await checkNames(app, ask) }
  },
})

export const checkOneDomain = operation({
  name: 'check_one_domain',
  does: 'Check whether one name is available, and its price.',
  at: 'GET /v1/domains/check/{domain}',
  area: 'Domains',
  who: anyone(),
  takes: Type.Object({
    domain: stringOf<DomainName>({ minLength: 1, maxLength: 1024, description: 'The name.' }),
    currency,
    depth,
  }),
  gives: availabilityResponse,
  fails: [],
  effect: 'none',
  cost: () => 1,
  async run(input, call, app) {
    const ask = { ...input, names: [input.domain], priority: priorityOf(call) }
    return { domains: await checkNames(app, ask) }
  },
})

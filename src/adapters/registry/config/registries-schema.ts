// The schema of the registries file: every key is known, and every number is bounded.
import Type, { type Static } from 'typebox'
import { currencies } from '../../../kit/money.ts'
import { nullable, oneOf, withDefault } from '../../../kit/schema.ts'

const strict = { additionalProperties: false } as const
const amount = Type.String({ pattern: '^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,2})?$' })
const rate = Type.String({ pattern: '^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,6})?$' })
const pairs = Type.Object({ USD: Type.Optional(rate), EUR: Type.Optional(rate) }, strict)
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const tld = `^${label}(\\.${label})*$`
/** A code point such as "2764", or a range such as "1F600-1F64F". */
const codePoints = '^[0-9A-F]{4,6}(-[0-9A-F]{4,6})?$'
const path = withDefault(nullable(Type.String({ minLength: 1 })), null)

const margin = Type.Object(
  {
    basis_points: withDefault(Type.Integer({ minimum: 0, maximum: 100_000 }), 0),
    fixed: withDefault(amount, '0.00'),
  },
  strict,
)

const costs = Type.Object(
  {
    create: Type.Optional(amount),
    renew: Type.Optional(amount),
    transfer: Type.Optional(amount),
    restore: Type.Optional(amount),
  },
  strict,
)

const eppEndpoint = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 253 }),
    port: withDefault(Type.Integer({ minimum: 1, maximum: 65_535 }), 700),
    client_id: Type.String({ minLength: 3, maxLength: 16 }),
    password: Type.String({ minLength: 6 }),
    tls: withDefault(
      Type.Object({ ca_file: path, cert_file: path, key_file: path, servername: path }, strict),
      { ca_file: null, cert_file: null, key_file: null, servername: null },
    ),
  },
  strict,
)

const openproviderEndpoint = Type.Object(
  {
    base_url: withDefault(
      Type.String({ pattern: '^https?://[^ ?#]{1,250}[^/]$' }),
      'https://api.openprovider.eu/v1beta',
    ),
    username: Type.String({ minLength: 1, maxLength: 255 }),
    password: Type.String({ minLength: 1 }),
  },
  strict,
)

const common = {
  name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
  sandbox: withDefault(Type.Boolean(), false),
  tlds: Type.Array(Type.String({ pattern: tld, maxLength: 253 }), { minItems: 1 }),
  currency: oneOf(currencies),
  margin: Type.Optional(margin),
  overrides: withDefault(
    Type.Record(
      Type.String(),
      Type.Object({ margin: Type.Optional(margin), costs: withDefault(costs, {}) }, strict),
    ),
    {},
  ),
  names_per_check: withDefault(Type.Integer({ minimum: 1, maximum: 500 }), 10),
  timeout_ms: withDefault(Type.Integer({ minimum: 100, maximum: 120_000 }), 15_000),
  periods: withDefault(
    Type.Object(
      {
        min: withDefault(Type.Integer({ minimum: 1, maximum: 10 }), 1),
        max: withDefault(Type.Integer({ minimum: 1, maximum: 10 }), 10),
      },
      strict,
    ),
    { min: 1, max: 10 },
  ),
  idn: withDefault(
    Type.Record(
      Type.String(),
      Type.Object(
        { also: Type.Array(Type.String({ pattern: codePoints }), { minItems: 1 }) },
        strict,
      ),
    ),
    {},
  ),
  price_probes: withDefault(Type.Record(Type.String(), Type.String({ pattern: `^${label}$` })), {}),
  max_term_years: withDefault(Type.Integer({ minimum: 1, maximum: 10 }), 10),
  transfer_lock_days: withDefault(Type.Integer({ minimum: 0, maximum: 366 }), 60),
  transfer: withDefault(
    Type.Object(
      {
        years: withDefault(Type.Integer({ minimum: 0, maximum: 10 }), 1),
        send_period: withDefault(Type.Boolean(), true),
      },
      strict,
    ),
    { years: 1, send_period: true },
  ),
  expiry: withDefault(oneOf(['shown', 'computed']), 'shown'),
}

/** The roles besides the registrant. */
export const contactRoles = ['admin', 'technical', 'billing'] as const

const eppRegistry = Type.Object(
  {
    ...common,
    adapter: Type.Literal('epp'),
    endpoint: Type.Optional(eppEndpoint),
    sessions: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 2),
    idle_s: withDefault(Type.Integer({ minimum: 5, maximum: 86_400 }), 120),
    contacts: oneOf(['required', 'prohibited', 'optional']),
    contact_roles: Type.Optional(Type.Array(oneOf(contactRoles), { uniqueItems: true })),
    host_model: oneOf(['hostObj', 'hostAttr']),
    auth_info_on_create: withDefault(oneOf(['random', 'empty']), 'random'),
    fee: withDefault(Type.Boolean(), true),
    login_security: withDefault(oneOf(['required', 'long_passwords', 'never']), 'long_passwords'),
  },
  strict,
)

const openproviderRegistry = Type.Object(
  {
    ...common,
    adapter: Type.Literal('openprovider'),
    endpoint: Type.Optional(openproviderEndpoint),
    sessions: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 4),
  },
  strict,
)

/** The schema of an entry, which depends on the registry's protocol. */
export const registrySchemas = { epp: eppRegistry, openprovider: openproviderRegistry }
const adapters = ['epp', 'openprovider'] as const

/** The file, except for what an adapter requires of its entries. */
export const fileSchema = Type.Object(
  {
    currencies: Type.Array(oneOf(currencies), { minItems: 1, uniqueItems: true }),
    exchange_rates: withDefault(
      Type.Object({ USD: Type.Optional(pairs), EUR: Type.Optional(pairs) }, strict),
      {},
    ),
    margin: withDefault(margin, { basis_points: 0, fixed: '0.00' }),
    registries: Type.Array(Type.Object({ adapter: oneOf(adapters) }), { minItems: 1 }),
  },
  strict,
)

export type WrittenEpp = Static<typeof eppRegistry>
export type WrittenOpenprovider = Static<typeof openproviderRegistry>
export type WrittenRegistry = WrittenEpp | WrittenOpenprovider
export type WrittenOutline = Static<typeof fileSchema>
export type WrittenFile = Omit<WrittenOutline, 'registries'> & { registries: WrittenRegistry[] }
export type WrittenMargin = WrittenFile['margin']
export type WrittenOverride = WrittenRegistry['overrides'][string]

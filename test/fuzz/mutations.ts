// Mutations of valid values, which make a request invalid in its fields, and in its octets.
import fc from 'fast-check'

const texts = [
  ...['', ' ', '\u0000', 'a\ud800', '\udc00b', '\u202e', '\u0001\r\nBcc: x', '%00%zz', '../../etc'],
  ...[
    "' or 1=1 --",
    '{{7*7}}',
    'NaN',
    '１２',
    'null',
    'undefined',
    '__proto__',
    'x'.repeat(10_240),
  ],
]
const numbers = [-1, 0, 1, 0.5, -0, 1e308, 2 ** 53, -(2 ** 63), 9_999_999_999]
const others: unknown[] = [null, true, false, [], {}, [[]], [null], { a: { b: { c: [] } } }]

const junk = fc.oneof(
  fc.constantFrom<unknown>(...texts, ...numbers, ...others),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
)

export type Mutation = {
  kind: 'replace' | 'drop' | 'extra' | 'place'
  at: number
  value: unknown
}

/** Half of all requests are not mutated. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.oneof(
  fc.constant<Mutation[]>([]),
  fc.array(
    fc.record({
      kind: fc.constantFrom<Mutation['kind']>('replace', 'replace', 'drop', 'extra', 'place'),
      at: fc.nat(10_000),
      value: junk,
    }),
    { minLength: 1, maxLength: 2 },
  ),
)

type Slot = { holder: Record<string, unknown> | unknown[]; key: string | number }

function slotsOf(value: unknown): Slot[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return value.flatMap((one, key) => [{ holder: value, key }, ...slotsOf(one)])
  const holder: Record<string, unknown> = Object(value)
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...slotsOf(holder[key])])
}

/** Changes the value in place, anywhere below its root. */
export function mutate(root: Record<string, unknown>, { kind, at, value: given }: Mutation): void {
  // The same value may be put in twice, and below itself.
  const value = structuredClone(given)
  if (kind === 'extra') {
    root[typeof value === 'string' && value !== '__proto__' ? value : 'unknown_field'] = value
    return
  }
  const slots = slotsOf(root)
  const slot = slots[at % Math.max(1, slots.length)]
  if (slot === undefined) return
  const { holder, key } = slot
  if (Array.isArray(holder)) holder[Number(key)] = value
  else if (kind === 'drop') delete holder[key]
  else holder[key] = value
}

export type Framing = (text: string) => { body: string; headers: Record<string, string> }

const json = { 'content-type': 'application/json' }
const usual: Framing = (body) => ({ body, headers: json })

/** The form of a body, which is nearly always JSON that is declared as JSON. */
export const framings: fc.Arbitrary<Framing> = fc.oneof(
  { arbitrary: fc.constant(usual), weight: 40 },
  {
    arbitrary: fc.constantFrom<Framing>(
      (body) => ({ body: body.slice(0, -1), headers: json }),
      (body) => ({ body: `${body}${body}`, headers: json }),
      (body) => ({ body: `\ufeff${body}`, headers: json }),
      (body) => ({ body: body.replace('{', '{"domain":1,"domain":2,'), headers: json }),
      () => ({ body: '['.repeat(5_000), headers: json }),
      () => ({ body: '"text"', headers: json }),
      () => ({ body: '', headers: json }),
      () => ({ body: `{"a":"${'x'.repeat(120_000)}"}`, headers: json }),
      (body) => ({ body, headers: { 'content-type': 'text/plain' } }),
      (body) => ({ body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      (body) => ({ body, headers: { ...json, 'content-encoding': 'gzip' } }),
      (body) => ({ body, headers: {} }),
    ),
    weight: 1,
  },
)

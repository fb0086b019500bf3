// Arbitrary Unicode text and URLs for property tests, as fast-check makes them: strings of any code
// points, including the odd strings that it mixes in, and URLs with such characters as octets in
// percent-encoding. fast-check keeps a map of all 1,112,064 characters in each process for either;
// here they are calculated.
import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const last_code_point = 0x10ffff

function characterOf(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)
}

/**
 * The index of exactly one character. Throws an Error for other values, which the unit cannot make.
 */
function indexOf(value: unknown): number {
  const point = typeof value === 'string' ? value.codePointAt(0) : undefined
  if (point === undefined) throw new Error('Not a character')
  const index = point < surrogates.first ? point : point - surrogates.count
  if (index < 0 || characterOf(index) !== value) throw new Error('Not one character')
  return index
}

const character = fc.nat({ max: last_code_point - surrogates.count }).map(characterOf, indexOf)

export function unicodeText(lengths: { minLength?: number; maxLength?: number } = {}) {
  return fc.string({ unit: character, ...lengths })
}

/** The characters of a path segment (RFC 3986, section 3.3). */
const segmentCharacter = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
      ..."-._~!$&'()*+,;=:@",
    ),
  },
  { weight: 1, arbitrary: character.map(encodeURIComponent) },
)
const queryText = fc.string({ unit: fc.oneof(segmentCharacter, fc.constantFrom('/', '?')) })

/** A path without a segment, or with several and `/` before each. */
export function webPath() {
  return fc
    .array(fc.string({ unit: segmentCharacter }))
    .map((segments) => segments.map((segment) => `/${segment}`).join(''))
}

/** URLs with and without query and fragment. */
export function webUrl(schemes: readonly string[] = ['http', 'https']) {
  const optional = (sign: string) =>
    fc.option(queryText, { nil: undefined }).map((text) => (text === undefined ? '' : sign + text))
  return fc
    .tuple(fc.constantFrom(...schemes), fc.domain(), webPath(), optional('?'), optional('#'))
    .map(([scheme, host, path, query, fragment]) => `${scheme}://${host}${path}${query}${fragment}`)
}

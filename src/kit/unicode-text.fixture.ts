// Arbitrary Unicode text for property tests: strings of any code points, as fast-check's unit
// `binary` makes them, including the odd strings that it mixes in. That unit keeps a map of all
// 1,112,064 characters in each process; this one calculates them.
import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const last_code_point = 0x10ffff

function characterOf(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)
}

/** Of exactly one character; an Error for other values, which the unit cannot make. */
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

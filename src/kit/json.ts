// A strict parser of JSON from outside. It takes one value in UTF-8 and refuses duplicate keys,
// deep nesting, and values that JSON.parse would alter.
type JsonProblem = { at: number; msg: string }
type JsonAnswer = { value: unknown } | { problem: JsonProblem }

const deepest = 32
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Index just after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i + 1
}

/** "dom\u0061in" names the same field as "domain". */
function nameOf(quoted: string): string {
  return quoted.includes('\\') ? JSON.stringify(JSON.parse(quoted)) : quoted
}

const numberToken = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

/**
 * The exact value of a number: its digits without zeros at either end, and the power of ten of the
 * last one.
 */
function exactly(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  const power = Number(exponent) - fraction.length + digits.length - kept.length
  return kept === '' ? '0' : `${kept}e${power}`
}

/**
 * Whether the number that JSON.parse makes of it is another one, as 0.1 of
 * 0.10000000000000000555. Fifteen digits are always kept. Integers that are too large are refused
 * as such.
 */
function losesDigits(token: string): boolean {
  if (token.length <= 15 && !/e/i.test(token)) return false
  const value = Number(token)
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return false
  return exactly(token) !== exactly(String(value))
}

/**
 * Finds excessive depth, duplicate keys and numbers that lose digits, which JSON.parse does not
 * report. The text is known to be JSON.
 */
function scan(text: string): JsonProblem | undefined {
  const keys: (Set<string> | null)[] = []
  let expectsKey = false
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]
    if (character === '"') {
      const end = endOfString(text, i)
      const open = keys.at(-1)
      if (open && expectsKey) {
        const key = nameOf(text.slice(i, end))
        if (open.has(key)) return { at: i, msg: `Duplicate key ${key}` }
        open.add(key)
        expectsKey = false
      }
      i = end - 1
    } else if (character === '{' || character === '[') {
      keys.push(character === '{' ? new Set() : null)
      expectsKey = character === '{'
      if (keys.length > deepest) return { at: i, msg: `Nested deeper than ${deepest} levels` }
    } else if (character === '}' || character === ']') {
      keys.pop()
      expectsKey = false
    } else if (character === ',') {
      expectsKey = keys.at(-1) !== null
    } else if (character !== undefined && /[-0-9]/.test(character)) {
      numberToken.lastIndex = i
      const [token = character] = numberToken.exec(text) ?? []
      if (losesDigits(token)) return { at: i, msg: 'Number has more digits than can be kept' }
      i += token.length - 1
    }
  }
  return undefined
}

/**
 * Why a parsed value may not pass: text that PostgreSQL cannot hold (NUL, lone surrogates), numbers
 * that lost digits, keys that would reach an object's prototype.
 */
export function unsafeJson(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) return 'Text must not contain the character U+0000'
    return value.isWellFormed() ? undefined : 'Text must not contain a lone surrogate'
  }
  if (typeof value === 'number') {
    const exact = !Number.isInteger(value) || Number.isSafeInteger(value)
    return exact && Number.isFinite(value) ? undefined : 'Number is too large to be exact'
  }
  if (Array.isArray(value)) return firstProblem(value)
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    if (keys.includes('__proto__')) return 'Key __proto__ is not allowed'
    return firstProblem(keys) ?? firstProblem(Object.values(value))
  }
  return undefined
}

function firstProblem(values: unknown[]): string | undefined {
  for (const value of values) {
    const problem = unsafeJson(value)
    if (problem) return problem
  }
  return undefined
}

/**
 * Parses one JSON document, or says where and why not. `strictPart` selects the part of the value
 * whose texts the database must be able to hold: by default, all of it.
 */
export function parseJson(
  bytes: Uint8Array,
  strictPart: (value: unknown) => unknown = (value) => value,
): JsonAnswer {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { problem: { at: 0, msg: 'Body is not UTF-8' } }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const msg = error instanceof Error ? error.message : 'not JSON'
    const at = /position (\d+)/.exec(msg)?.[1]
    return { problem: { at: at === undefined ? 0 : Number(at), msg: 'Body is not valid JSON' } }
  }
  const problem = scan(text)
  if (problem) return { problem }
  const unsafe = unsafeJson(strictPart(value))
  return unsafe ? { problem: { at: 0, msg: unsafe } } : { value }
}

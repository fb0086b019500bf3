// A corpus of text that databases, decoders and parsers cannot hold, for fuzzing.
import { propertiesOf } from '../../../src/surfaces/pipeline/validate.ts'

/** Percent-encoded texts, as they are sent in a path or a query. */
export const encoded = {
  NUL: 'a%00b',
  'NUL alone': '%00',
  'a lone surrogate': '%ED%A0%80',
  'an overlong encoding': '%C0%80',
  'a cut sequence': '%F0%9F',
  'percent without digits': '%zz',
  'a lone percent': '100%',
  'dot segments': '..%2f..%2fetc',
  'control characters': '%01%7f%0d%0a',
  'noncharacters and bidi': '%EF%BF%BF%E2%80%AE',
  '1100 characters': 'x'.repeat(1_100),
  '10 kB': 'x'.repeat(10_240),
}
/** JSON strings that are refused in any field, so that one field of an operation suffices. */
export const refused = {
  NUL: 'a\u0000b',
  'a lone high surrogate': 'a\ud800',
  'a lone low surrogate': '\udc00b',
  '10 kB of NUL': '\u0000'.repeat(10_240),
}
/** JSON strings that PostgreSQL can store, and that each field may accept or refuse. */
export const odd = {
  'percent without digits': '%zz%00',
  'control characters': '\u0001\u007f\r\nBcc: x',
  'noncharacters and bidi': '\uffff\u202e',
  '10 kB': 'x'.repeat(10_240),
}
export const texts = { ...refused, ...odd }
/** Octets of a header field value that Node's client sends and its parser accepts. */
export const octets = {
  'a lone surrogate': '\xed\xa0\x80',
  'no UTF-8': '\xff\xfe\xc0',
  percent: '%00%zz',
  '4 kB': 'x'.repeat(4_096),
  '10 kB': 'x'.repeat(10_240),
}

type FieldSchema = { type?: string }

/** The text, wherever the field can have one. */
export function shapesOf(schema: FieldSchema, text: string): unknown[] {
  const nested = Object.keys(propertiesOf(schema))
  if (schema.type === 'array') return [[text, text]]
  return [text, ...nested.map((name) => ({ [name]: text }))]
}

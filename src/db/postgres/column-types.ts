// PostgreSQL's types as ours: one table for the running parsers and for the generated types.

/** The value of a json or jsonb column. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** A value for a json or jsonb parameter; make one with `json()`. */
export class Jsonb {
  readonly text: string

  constructor(value: Json | object) {
    this.text = JSON.stringify(value)
  }

  /** Called by pg, which without it would write a list as a PostgreSQL array. */
  toPostgres(): string {
    return this.text
  }
}

/** Marks a value for a json or jsonb parameter. */
export function json(value: Json | object): Jsonb {
  return new Jsonb(value)
}

type ColumnType = {
  name: string
  oid: number
  array_oid: number
  /** The TypeScript type of a column, and of a parameter where that differs. */
  column: string
  parameter?: string
  parse: (text: string) => unknown
}

const asText = (text: string): string => text
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
// The text always has an offset, since the session's time zone is UTC: "2026-11-21
// 05:07:39.123456+00".
const moment = (text: string): Date => {
  const date = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  if (Number.isNaN(date.getTime())) throw new RangeError(`No Date can hold timestamptz "${text}"`)
  return date
}

type Line = [name: string, oid: number, array_oid: number]
const textual: Line[] = [
  ['text', 25, 1009],
  ['varchar', 1043, 1015],
  ['bpchar', 1042, 1014],
  ['name', 19, 1003],
  ['char', 18, 1002],
  // numeric stays text, since a float would round it. date is a day and not a moment of any zone.
  ['numeric', 1700, 1231],
  ['date', 1082, 1182],
  ['time', 1083, 1183],
  ['interval', 1186, 1187],
  ['inet', 869, 1041],
  ['cidr', 650, 651],
  ['macaddr', 829, 1040],
  ['uuid', 2950, 2951],
  ['xid', 28, 1011],
  ['xid8', 5069, 271],
  ['pg_lsn', 3220, 3221],
  ['pg_snapshot', 5038, 5039],
  ['void', 2278, 0],
]
const numeric: Line[] = [
  ['int2', 21, 1005],
  ['int4', 23, 1007],
  ['oid', 26, 1028],
  ['float4', 700, 1021],
  ['float8', 701, 1022],
]

/**
 * Every type that a statement may use. One that is missing is cast in the statement, e.g.
 * `period::text`.
 */
export const columnTypes: readonly ColumnType[] = [
  ...textual.map(([name, oid, array_oid]) => {
    return { name, oid, array_oid, column: 'string', parse: asText }
  }),
  ...numeric.map(([name, oid, array_oid]) => {
    return { name, oid, array_oid, column: 'number', parse: Number }
  }),
  { name: 'bool', oid: 16, array_oid: 1000, column: 'boolean', parse: (text) => text === 't' },
  { name: 'int8', oid: 20, array_oid: 1016, column: 'bigint', parse: BigInt },
  { name: 'bytea', oid: 17, array_oid: 1001, column: 'Buffer', parse: bytes },
  { name: 'timestamptz', oid: 1184, array_oid: 1185, column: 'Date', parse: moment },
  { name: 'json', oid: 114, array_oid: 199, column: 'Json', parameter: 'Jsonb', parse: JSON.parse },
  {
    name: 'jsonb',
    oid: 3802,
    array_oid: 3807,
    column: 'Json',
    parameter: 'Jsonb',
    parse: JSON.parse,
  },
]

type Parser = (text: string) => unknown
const parsers = new Map<number, Parser>()

/** Array elements of any depth, each by the element's own parser. */
function elements(list: ArrayText, parse: Parser): unknown[] {
  return list.map((one) => {
    // No type of PostgreSQL distinguishes such arrays from those without: the generated types
    // promise that there are none.
    if (one === null) throw new RangeError('An array with a NULL in it: use jsonb, or filter it')
    return Array.isArray(one) ? elements(one, parse) : parse(one)
  })
}

for (const type of columnTypes) {
  parsers.set(type.oid, type.parse)
  if (type.array_oid !== 0)
    parsers.set(type.array_oid, (text) => elements(parseArray(text), type.parse))
}

const plainOctets = /^\{"\\\\x[0-9a-f]*"(?:,"\\\\x[0-9a-f]*")*\}$/
const octets_array = 1001

/** An array of octets without NULL, as all are: a zone has thousands. */
parsers.set(octets_array, (text) =>
  plainOctets.test(text)
    ? text
        .slice('{"\\\\x'.length, -2)
        .split('","\\\\x')
        .map((digits) => Buffer.from(digits, 'hex'))
    : elements(parseArray(text), bytes),
)

/**
 * The `types` of every connection: no global state of pg is touched. Enums and unknown types stay
 * text.
 */
export const typeParsers = {
  getTypeParser: (oid: number): Parser => parsers.get(oid) ?? asText,
}

// PostgreSQL's text form of arrays: {a,"b \"c\"",NULL,{...}} (manual, 8.15.6).
export type ArrayText = (string | null | ArrayText)[]

/** One element, or a bracket or comma between elements. */
const token = /\{|\}|,|"((?:[^"\\]|\\.)*)"|[^{},"]+/gsy

/** Reads an array; elements stay text, NULL is null. Throws SyntaxError for anything else. */
export function parseArray(text: string): ArrayText {
  // Bounds come first when they are not the usual ones: [0:1]={a,b}
  const body = text.startsWith('[') ? text.slice(text.indexOf('=') + 1) : text
  const open: ArrayText[] = []
  token.lastIndex = 0
  for (let match = token.exec(body); match !== null; match = token.exec(body)) {
    const [whole, quoted] = match
    const inner = open.at(-1)
    if (whole === '{') {
      const list: ArrayText = []
      inner?.push(list)
      open.push(list)
    } else if (whole === '}') {
      const list = open.pop()
      if (list && open.length === 0 && token.lastIndex === body.length) return list
    } else if (whole !== ',') {
      inner?.push(quoted === undefined ? bare(whole) : quoted.replace(/\\(.)/gs, '$1'))
    }
  }
  throw new SyntaxError(`Not an array of PostgreSQL: ${text.slice(0, 80)}`)
}

function bare(word: string): string | null {
  return word === 'NULL' ? null : word
}

// The parameters of SVCB and HTTPS by their keys (RFC 9460 sections 7 and 14.3, RFC 9461): the
// value of each between its unescaped text and its octets.
import { DnsProblem, quoted } from '../problem.ts'
import { addressOctets, addressText } from './addresses.ts'

type ParamKind = {
  name: string
  /** Whether its value is always written in quotes, even if it could be without. */
  is_quoted?: boolean
  /** It is null if no value is written. */
  read(text: Buffer | null): Buffer
  /** The text before quoting, or null for a key without a value. Throws if it is malformed. */
  write(value: Buffer): Buffer | null
}

export const svcKey = { mandatory: 0, alpn: 1, no_default_alpn: 2 } as const
const invalid_key = 65_535

/** The kind of a key: those of RFC 9460 have names, and any other takes octets as they are. */
export function paramKind(key: number): ParamKind {
  return known.get(key) ?? numbered(key)
}

/** The number of a key such as "port" or "key3". Throws for any other text. */
export function paramKey(text: string): number {
  const key = numberOf(text.toLowerCase())
  if (key !== undefined) return key
  throw new DnsProblem(`${quoted(text)} is no key: neither one by name, nor key0 to key65534.`)
}

export function isParamKey(text: string): boolean {
  return numberOf(text.toLowerCase()) !== undefined
}

function numberOf(name: string): number | undefined {
  const number = Number(/^key(0|[1-9][0-9]{0,4})$/.exec(name)?.[1])
  return numbers.get(name) ?? (number < invalid_key ? number : undefined)
}

function numbered(key: number): ParamKind {
  const same = (text: Buffer | null) => text ?? Buffer.of()
  return { name: `key${key}`, is_quoted: true, read: same, write: same }
}

const comma = 0x2c
const backslash = 0x5c

/** RFC 9460 appendix A.1: items between commas, with escaped commas and backslashes. */
function splitList(text: Buffer): Buffer[] {
  const items: number[][] = [[]]
  for (let at = 0; at < text.length; at += 1) {
    const octet = text[at] ?? 0
    if (octet === comma) {
      items.push([])
      continue
    }
    if (octet === backslash) {
      at += 1
      if (text[at] !== comma && text[at] !== backslash)
        throw new DnsProblem('In a list, a backslash stands before a comma or a backslash.')
    }
    items.at(-1)?.push(text[at] ?? 0)
  }
  return items.map((item) => Buffer.from(item))
}

function joinList(items: readonly Buffer[]): Buffer {
  const octets: number[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0) octets.push(comma)
    for (const octet of item)
      octets.push(...(octet === comma || octet === backslash ? [backslash] : []), octet)
  }
  return Buffer.from(octets)
}

function textOfValue(text: Buffer | null, name: string): Buffer {
  if (text === null || text.length === 0) throw new DnsProblem(`The key ${name} has no value.`)
  return text
}

const mandatory: ParamKind = {
  name: 'mandatory',
  read: (text) => {
    const keys = textOfValue(text, 'mandatory').toString('latin1').split(',').map(paramKey)
    const value = Buffer.alloc(2 * keys.length)
    for (const [at, key] of keys.sort((one, other) => one - other).entries())
      value.writeUInt16BE(key, 2 * at)
    return value
  },
  write: (value) =>
    Buffer.from(
      mandatoryKeys(value)
        .map((key) => paramKind(key).name)
        .join(','),
    ),
}

/** The keys that `mandatory` lists, in ascending order and without itself (RFC 9460 section 8). */
export function mandatoryKeys(value: Buffer): number[] {
  if (value.length === 0 || value.length % 2 > 0)
    throw new DnsProblem('The list of mandatory keys is malformed.')
  const keys = Array.from({ length: value.length / 2 }, (_, at) => value.readUInt16BE(2 * at))
  if (keys.some((key, at) => at > 0 && key <= (keys[at - 1] ?? 0)))
    throw new DnsProblem('The mandatory keys have to ascend, each once.')
  if (keys.includes(svcKey.mandatory))
    throw new DnsProblem('The key mandatory does not list itself.')
  return keys
}

const alpn: ParamKind = {
  name: 'alpn',
  read: (text) => {
    const ids = splitList(textOfValue(text, 'alpn'))
    for (const id of ids)
      if (id.length === 0 || id.length > 255)
        throw new DnsProblem('An identifier of alpn has 1 to 255 octets.')
    return Buffer.concat(ids.flatMap((id) => [Buffer.of(id.length), id]))
  },
  write: (value) => {
    const ids: Buffer[] = []
    for (let at = 0; at < value.length; at += 1 + (value[at] ?? 0)) {
      const length = value[at] ?? 0
      if (length === 0 || at + 1 + length > value.length)
        throw new DnsProblem('The list of alpn is malformed.')
      ids.push(value.subarray(at + 1, at + 1 + length))
    }
    if (ids.length === 0) throw new DnsProblem('The list of alpn is empty.')
    return joinList(ids)
  },
}

const noDefaultAlpn: ParamKind = {
  name: 'no-default-alpn',
  read: (text) => {
    if (text !== null) throw new DnsProblem('The key no-default-alpn has no value.')
    return Buffer.of()
  },
  write: (value) => {
    if (value.length > 0) throw new DnsProblem('The key no-default-alpn has no value.')
    return null
  },
}

const port: ParamKind = {
  name: 'port',
  read: (text) => {
    const number = Number(/^[0-9]{1,5}$/.exec(textOfValue(text, 'port').toString('latin1'))?.[0])
    if (!(number <= 65_535)) throw new DnsProblem('The port has to be a number from 0 to 65535.')
    return Buffer.of(number >> 8, number & 255)
  },
  write: (value) => {
    if (value.length !== 2) throw new DnsProblem('The port is malformed.')
    return Buffer.from(String(value.readUInt16BE(0)))
  },
}

function hint(version: 4 | 6): ParamKind {
  const [name, octets] = [`ipv${version}hint`, version === 4 ? 4 : 16]
  return {
    name,
    read: (text) => {
      const addresses = textOfValue(text, name).toString('latin1').split(',')
      return Buffer.concat(addresses.map((address) => addressOctets(address, version)))
    },
    write: (value) => {
      if (value.length === 0 || value.length % octets > 0)
        throw new DnsProblem(`The list of ${name} is malformed.`)
      const at = Array.from({ length: value.length / octets }, (_, index) => index * octets)
      return Buffer.from(
        at.map((start) => addressText(value.subarray(start, start + octets))).join(','),
      )
    },
  }
}

const ech: ParamKind = {
  name: 'ech',
  is_quoted: true,
  read: (text) => {
    const base64 = textOfValue(text, 'ech').toString('latin1')
    const value = Buffer.from(base64, 'base64')
    if (value.toString('base64') !== base64)
      throw new DnsProblem('The value of ech has to be in Base64, with its "=" at the end.')
    return value
  },
  write: (value) => {
    if (value.length === 0) throw new DnsProblem('The key ech has no value.')
    return Buffer.from(value.toString('base64'))
  },
}

const dohpath_key = 7

/**
 * RFC 9461 section 5: a relative URI template in UTF-8 with the variable "dns". The key is written
 * by its number, because PowerDNS 4.7 does not know the name.
 */
const dohpath: ParamKind = {
  ...numbered(dohpath_key),
  read: (text) => textOfValue(text, 'dohpath'),
  write: (value) => {
    if (!isDohPath(value))
      throw new DnsProblem(
        'The value of dohpath is a path with {?dns} (RFC 9461), as "/dns-query{?dns}".',
      )
    return value
  },
}

function isDohPath(value: Buffer): boolean {
  const text = value.toString('utf8')
  const variables = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inner]) => inner ?? '')
  const hasDns = variables.some((inner) => /^[?&/;.+#]?(?:\w+,)*dns(?:,\w+)*$/.test(inner))
  return text.startsWith('/') && hasDns && Buffer.from(text).equals(value)
}

const known: ReadonlyMap<number, ParamKind> = new Map([
  [svcKey.mandatory, mandatory],
  [svcKey.alpn, alpn],
  [svcKey.no_default_alpn, noDefaultAlpn],
  [3, port],
  [4, hint(4)],
  [5, ech],
  [6, hint(6)],
  [dohpath_key, dohpath],
])

const numbers: ReadonlyMap<string, number> = new Map([
  ...Array.from(known, ([key, { name }]) => [name, key] as const),
  ['dohpath', dohpath_key],
])

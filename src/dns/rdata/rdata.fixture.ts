// Arbitrary canonical RDATA of every type, for property tests and for comparisons with other name
// servers' programs.
import fc from 'fast-check'
import { rrType } from '../types.ts'

type Rdatas = fc.Arbitrary<Buffer>

const octet = fc.nat({ max: 255 })
const number16 = fc.nat({ max: 65_535 }).map((value) => unsigned(value, 2))
const number32 = fc.nat({ max: 0xff_ff_ff_ff }).map((value) => unsigned(value, 4))
const flag = octet.map((value) => Buffer.of(value))

function unsigned(value: number, octets: number): Buffer {
  const bytes = Buffer.alloc(octets)
  bytes.writeUIntBE(value, 0, octets)
  return bytes
}

export function octets(lengths: { min: number; max: number }): Rdatas {
  return fc
    .uint8Array({ minLength: lengths.min, maxLength: lengths.max })
    .map((bytes) => Buffer.from(bytes))
}

function all(...parts: readonly Rdatas[]): Rdatas {
  return fc.tuple(...parts).map((bytes) => Buffer.concat(bytes))
}

function lengthed(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(bytes.length), bytes])
}

const plainLabel = fc
  .string({ unit: fc.constantFrom(...'abcxyz019-_'), minLength: 1, maxLength: 12 })
  .map((text) => lengthed(Buffer.from(text)))
/** Any octets except capital letters. */
const oddLabel = octets({ min: 1, max: 8 }).map((bytes) =>
  lengthed(Buffer.from(bytes.map((one) => (one >= 0x41 && one <= 0x5a ? one + 32 : one)))),
)
const label = fc.oneof({ weight: 9, arbitrary: plainLabel }, { weight: 1, arbitrary: oddLabel })

/** A canonical name on the wire, sometimes the root. */
export const wireNames: Rdatas = fc
  .array(label, { maxLength: 5 })
  .map((labels) => Buffer.concat([...labels, Buffer.of(0)]))

const hostLabel = fc
  .stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,8}[a-z0-9])?$/)
  .map((text) => lengthed(Buffer.from(text)))
const wireHost = fc
  .array(hostLabel, { minLength: 1, maxLength: 4 })
  .map((labels) => Buffer.concat([...labels, Buffer.of(0)]))
const hostOrRoot = fc.oneof(
  { weight: 9, arbitrary: wireHost },
  { weight: 1, arbitrary: fc.constant(Buffer.of(0)) },
)

const characterString = octets({ min: 0, max: 40 }).map(lengthed)
const longString = fc.oneof(
  { weight: 9, arbitrary: characterString },
  { weight: 1, arbitrary: octets({ min: 255, max: 255 }).map(lengthed) },
)
const token = fc
  .string({ unit: fc.constantFrom(...'abcXYZ09'), minLength: 1, maxLength: 9 })
  .map((text) => Buffer.from(text))

function digest(lengths: readonly (readonly [kind: number, length: number])[]): Rdatas {
  const known = lengths.map(([kind, length]) =>
    octets({ min: length, max: length }).map((bytes) => Buffer.concat([Buffer.of(kind), bytes])),
  )
  const other = octets({ min: 1, max: 70 }).map((bytes) => Buffer.concat([Buffer.of(200), bytes]))
  return fc.oneof(...known, other)
}

function param(key: number, value: Buffer): Buffer {
  return Buffer.concat([unsigned(key, 2), unsigned(value.length, 2), value])
}

const addresses = (length: number) =>
  fc
    .integer({ min: 1, max: 3 })
    .chain((count) => octets({ min: count * length, max: count * length }))

const alpn = fc
  .array(octets({ min: 1, max: 12 }).map(lengthed), { minLength: 1, maxLength: 3 })
  .map((ids) => Buffer.concat(ids))

const none = fc.constant(null)

/** The values of parameters by ascending keys, or null for one that is missing. */
const serviceParams = fc
  .tuple(
    fc.boolean(),
    fc.option(alpn),
    fc.option(number16),
    fc.option(addresses(4)),
    fc.option(octets({ min: 1, max: 30 })),
    fc.option(addresses(16)),
    fc.oneof(none, fc.constant(Buffer.from('/dns-query{?dns}'))),
    fc.option(octets({ min: 0, max: 20 })),
  )
  .map(([isMandatory, ids, port, v4, ech, v6, path, other]) => {
    const values = [ids, null, port, v4, ech, v6, path].map((value, at) => ({ key: at + 1, value }))
    const there = [...values, { key: 667, value: other }].filter(({ value }) => value !== null)
    const mandatory = Buffer.concat(there.slice(0, 2).map(({ key }) => unsigned(key, 2)))
    const parts = there.map(({ key, value }) => param(key, value ?? Buffer.of()))
    if (isMandatory && mandatory.length > 0) parts.unshift(param(0, mandatory))
    return Buffer.concat(parts)
  })

const svcb = fc.oneof(
  all(fc.constant(Buffer.of(0, 0)), wireNames),
  all(
    fc.integer({ min: 1, max: 65_535 }).map((value) => unsigned(value, 2)),
    wireNames,
    serviceParams,
  ),
)

const precision = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 9 }))
  .map(([digit, power]) => Buffer.of((digit << 4) | power))

function angle(degrees: number): Rdatas {
  const most = degrees * 3_600_000
  return fc.integer({ min: -most, max: most }).map((value) => unsigned(2 ** 31 + value, 4))
}

/** The types that are written by RFC 3597 here, but by name by servers that know them. */
export const rdatasElsewhere: ReadonlyMap<number, Rdatas> = new Map<number, Rdatas>([
  ...[7, 8, 9, 39].map((type) => [type, wireNames] as const),
  ...[18, 21, 36, 107].map((type) => [type, all(number16, wireNames)] as const),
  [13, all(characterString, characterString)],
  [14, all(wireNames, wireNames)],
  [17, all(wireNames, wireNames)],
  [19, fc.stringMatching(/^[0-9]{4,14}$/).map((text) => lengthed(Buffer.from(text)))],
  [26, all(number16, wireNames, wireNames)],
  [37, all(number16, number16, flag, octets({ min: 1, max: 30 }))],
  [49, octets({ min: 1, max: 30 })],
  [53, all(flag, flag, digest([[1, 32]]))],
  [61, octets({ min: 1, max: 30 })],
  [99, characterString],
  [104, all(number16, octets({ min: 8, max: 8 }))],
  [105, all(number16, octets({ min: 4, max: 4 }))],
  [106, all(number16, octets({ min: 8, max: 8 }))],
  [108, octets({ min: 6, max: 6 })],
  [109, octets({ min: 8, max: 8 })],
])

const substitutions = fc
  .constantFrom('', '!^.*$!sip:info@example.com!', '/^(a|b)c$/x\\1/i', '!^\\+(.)[0-9]+$!\\1\\\\!')
  .map((text) => lengthed(Buffer.from(text)))

/** Every type with its own form, one that only others know (HINFO), and two unknown ones. */
export const rdatas: ReadonlyMap<number, Rdatas> = new Map<number, Rdatas>([
  [rrType.a, octets({ min: 4, max: 4 })],
  [rrType.aaaa, octets({ min: 16, max: 16 })],
  [rrType.ns, wireHost],
  [rrType.cname, wireNames],
  [rrType.ptr, wireNames],
  [rrType.mx, all(number16, hostOrRoot)],
  [rrType.srv, all(number16, number16, number16, hostOrRoot)],
  [
    rrType.txt,
    fc.array(longString, { minLength: 1, maxLength: 4 }).map((parts) => Buffer.concat(parts)),
  ],
  [rrType.caa, all(flag, token.map(lengthed), octets({ min: 0, max: 40 }))],
  [
    rrType.ds,
    all(
      number16,
      flag,
      digest([
        [1, 20],
        [2, 32],
        [4, 48],
      ]),
    ),
  ],
  [
    rrType.sshfp,
    all(
      flag,
      digest([
        [1, 20],
        [2, 32],
      ]),
    ),
  ],
  [
    rrType.tlsa,
    all(
      flag,
      flag,
      digest([
        [1, 32],
        [2, 64],
      ]),
    ),
  ],
  [rrType.svcb, svcb],
  [rrType.https, svcb],
  [
    rrType.loc,
    all(
      fc.constant(Buffer.of(0)),
      precision,
      precision,
      precision,
      angle(90),
      angle(180),
      number32,
    ),
  ],
  [
    rrType.naptr,
    all(number16, number16, token.map(lengthed), characterString, substitutions, wireNames),
  ],
  [rrType.uri, all(number16, number16, octets({ min: 1, max: 40 }))],
  [rrType.soa, all(wireNames, wireNames, ...Array.from({ length: 5 }, () => number32))],
  [13, all(characterString, characterString)],
  [65_280, octets({ min: 0, max: 40 })],
  [65_281, octets({ min: 0, max: 40 })],
])

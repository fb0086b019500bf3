// Resource record types by number and by name (RFC 1035, RFC 3597 section 5, RFC 6895).

/** The numbers of the types that code names. */
export const rrType = {
  a: 1,
  ns: 2,
  cname: 5,
  soa: 6,
  ptr: 12,
  mx: 15,
  txt: 16,
  sig: 24,
  key: 25,
  aaaa: 28,
  loc: 29,
  nxt: 30,
  srv: 33,
  naptr: 35,
  dname: 39,
  opt: 41,
  ds: 43,
  sshfp: 44,
  rrsig: 46,
  nsec: 47,
  dnskey: 48,
  nsec3: 50,
  nsec3param: 51,
  tlsa: 52,
  cds: 59,
  cdnskey: 60,
  csync: 62,
  zonemd: 63,
  svcb: 64,
  https: 65,
  tkey: 249,
  tsig: 250,
  ixfr: 251,
  axfr: 252,
  mailb: 253,
  maila: 254,
  any: 255,
  uri: 256,
  caa: 257,
} as const

/** The types that the API knows by name. */
const apiNames: readonly (readonly [string, number])[] = [
  ['A', rrType.a],
  ['AAAA', rrType.aaaa],
  ['CNAME', rrType.cname],
  ['MX', rrType.mx],
  ['TXT', rrType.txt],
  ['SRV', rrType.srv],
  ['CAA', rrType.caa],
  ['NS', rrType.ns],
  ['TLSA', rrType.tlsa],
  ['SSHFP', rrType.sshfp],
  ['HTTPS', rrType.https],
  ['SVCB', rrType.svcb],
  ['DS', rrType.ds],
  ['SOA', rrType.soa],
]

/** The types that a zone file knows in addition. */
const fileNames: readonly (readonly [string, number])[] = [
  ...apiNames,
  ['PTR', rrType.ptr],
  ['NAPTR', rrType.naptr],
  ['LOC', rrType.loc],
  ['URI', rrType.uri],
]

const apiNumbers = new Map(apiNames)
const fileNumbers = new Map(fileNames)
const apiNamesByNumber = new Map(apiNames.map(([name, number]) => [number, name]))
const fileNamesByNumber = new Map(fileNames.map(([name, number]) => [number, name]))

/**
 * The number of a type by its name in the API, in any case, or as TYPEn (RFC 3597) from 1 to 65535:
 * "MX", "mx" and "TYPE15" are 15. It is undefined for any other text.
 */
export function typeNumber(text: string): number | undefined {
  return apiNumbers.get(text.toUpperCase()) ?? genericNumber(text)
}

/** The name of a type in the API: "MX", or "TYPE99" for one that it does not know by name. */
export function typeName(type: number): string {
  return apiNamesByNumber.get(type) ?? `TYPE${type}`
}

/** Like `typeNumber`, with the names that only zone files know (PTR, NAPTR, LOC, URI). */
export function fileTypeNumber(text: string): number | undefined {
  return fileNumbers.get(text.toUpperCase()) ?? genericNumber(text)
}

/** Like `typeName`, with the names that only zone files know. */
export function fileTypeName(type: number): string {
  return fileNamesByNumber.get(type) ?? `TYPE${type}`
}

/** Whether values of the type have their own presentation form, besides that of RFC 3597. */
export function hasOwnForm(type: number): boolean {
  return fileNamesByNumber.has(type)
}

function genericNumber(text: string): number | undefined {
  const number = Number(/^TYPE([1-9][0-9]{0,4})$/i.exec(text)?.[1])
  return number <= 65_535 ? number : undefined
}

/**
 * Meta types and question types (RFC 6895 section 3.1), which no record of a zone has: OPT, all of
 * 128 to 255 (including TKEY, TSIG, IXFR, AXFR, MAILB, MAILA and ANY), 0 and 65535.
 */
export function isMetaType(type: number): boolean {
  return type === 0 || type === rrType.opt || (type >= 128 && type <= 255) || type === 65_535
}

/**
 * The types that the service itself keeps at the apex of a zone, besides SOA and NS: those of
 * DNSSEC (RFC 4034, 5155, 7344, 8976) with their predecessors (RFC 2535), and CSYNC (RFC 7477),
 * which makes the parent copy the managed NS.
 */
export const dnssecTypes: ReadonlySet<number> = new Set([
  rrType.dnskey,
  rrType.rrsig,
  rrType.nsec,
  rrType.nsec3,
  rrType.nsec3param,
  rrType.cds,
  rrType.cdnskey,
  rrType.csync,
  rrType.zonemd,
  rrType.sig,
  rrType.key,
  rrType.nxt,
])

/** The names of those types in zone files. */
export const dnssecNames: ReadonlySet<string> = new Set([
  'DNSKEY',
  'RRSIG',
  'NSEC',
  'NSEC3',
  'NSEC3PARAM',
  'CDS',
  'CDNSKEY',
  'CSYNC',
  'ZONEMD',
  'SIG',
  'KEY',
  'NXT',
])

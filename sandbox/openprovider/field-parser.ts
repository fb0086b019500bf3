// Parses the fields of a request, and refuses invalid ones with Openprovider's codes.
import { isIPv4, isIPv6 } from 'node:net'
import type { Nameserver } from './records.ts'
import { type Code, Refused } from './refusal.ts'

export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** The text, or '' if it is left out. @throws Refused 4006 for another type */
export function text(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw new Refused(4006)
  return value
}

export function mustHave(fields: Fields, name: string, code: Code): string {
  const value = text(fields, name).trim()
  if (value === '') throw new Refused(code)
  return value
}

export function number(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw new Refused(4006)
  return value
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** An object {name, extension} as one name. @throws Refused 303, 307 */
export function nameOf(value: unknown, extensions: string[]): string {
  const fields = fieldsOf(value)
  const label = text(fields, 'name').toLowerCase()
  const extension = text(fields, 'extension').toLowerCase()
  if (!extensions.includes(extension)) throw new Refused(307)
  if (!LABEL.test(label)) throw new Refused(303)
  return `${label}.${extension}`
}

/** A number of whole years. @throws Refused 316 */
export function period(fields: Fields, max: number): number {
  const years = number(fields, 'period') ?? 1
  if (!Number.isInteger(years) || years < 1 || years > max) throw new Refused(316)
  return years
}

type Few = { min: number; max: number }

/**
 * The name servers of a name. A name server that is the name itself, or below it, needs an address
 * (glue).
 * @throws Refused 221, 222, 227, 228
 */
export function nameservers(fields: Fields, { min, max, of }: Few & { of: string }): Nameserver[] {
  const list = fields.name_servers
  if (!Array.isArray(list) || list.length < min) throw new Refused(221)
  const servers = list.map((one: unknown) => {
    const given = fieldsOf(one)
    const [ip, ip6] = [text(given, 'ip'), text(given, 'ip6')]
    if (ip !== '' && !isIPv4(ip)) throw new Refused(227)
    if (ip6 !== '' && !isIPv6(ip6)) throw new Refused(228)
    const name = text(given, 'name').toLowerCase()
    if (`.${name}`.endsWith(`.${of}`) && ip === '' && ip6 === '') throw new Refused(227)
    return { name, ip, ip6 }
  })
  const names = new Set(servers.map(({ name }) => name))
  const wrong = servers.some(({ name }) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name))
  if (wrong || servers.length > max || names.size < servers.length) throw new Refused(222)
  return servers
}

// Readers of settings: each returns the value of a setting's text, or throws one clear line.
import { isIP, isIPv4 } from 'node:net'
import { resolve } from 'node:path'
import { parseEmail } from '../kit/net/email.ts'
import { parseHost } from '../kit/net/host.ts'

/** A setting that cannot be used. The message is one clear line, without a stack. */
export class SettingError extends Error {
  constructor(name: string, problem: string) {
    super(`${name} ${problem}`)
    this.name = 'SettingError'
  }
}

export type Reader<T> = (text: string, name: string) => T

export const text: Reader<string> = (value) => value
export const folder: Reader<string> = (value) => resolve(value)
export const optional: Reader<string | null> = (value) => (value === '' ? null : value)

export const optionalKey: Reader<string | null> = (value, name) => {
  if (value === '') return null
  if (Buffer.from(value, 'base64').length === 32) return value
  throw new SettingError(name, 'must be 32 bytes in base64 (openssl rand -base64 32)')
}

/**
 * Decodes strictly, because after padding a decoder ignores the rest, such as a second key behind a
 * space.
 */
export const keys: Reader<string[]> = (value, name) =>
  list(value, name).map((one) => {
    if (/^[\w+/-]{43}=?$/.test(one)) return one
    throw new SettingError(name, 'must be keys of 32 bytes in base64, with commas between them')
  })

export function whole(least: number, most: number): Reader<number> {
  return (value, name) => {
    const number = Number(value)
    if (/^[0-9]+$/.test(value) && number >= least && number <= most) return number
    throw new SettingError(name, `must be a whole number from ${least} to ${most}, not "${value}"`)
  }
}

export function word<const W extends readonly string[]>(words: W): Reader<W[number]> {
  return (value, name) => {
    const found = words.find((one) => one === value)
    if (found !== undefined) return found
    throw new SettingError(name, `must be one of ${words.join(', ')}, not "${value}"`)
  }
}

export const flag: Reader<boolean> = (value, name) =>
  word(['true', 'false'])(value, name) === 'true'

/**
 * Returns the one form that documents, audiences and the comparisons of clients must share (RFC
 * 3986 6.2).
 */
export const origin: Reader<string | null> = (value, name) => {
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username)
    return url.href.replace(/\/+$/, '')
  throw new SettingError(name, 'must be an http or https URL without query, e.g. https://a.example')
}

/** The URL of a page to link to. */
export const pageUrl: Reader<string | null> = (value, name) => {
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^https?:$/.test(url.protocol) && !url.username) return url.href
  throw new SettingError(name, 'must be an http or https URL, e.g. https://a.example/terms')
}

export const operatorKey: Reader<string | null> = (value, name) => {
  if (value === '' || value.length >= 32) return value === '' ? null : value
  throw new SettingError(name, 'must have at least 32 characters (a random op_... key is best)')
}

/** A bearer token of a machine, which the operator makes. */
export const bearerToken: Reader<string | null> = (value, name) => {
  if (value === '') return null
  if (/^[\x21-\x7e]{32,512}$/.test(value)) return value
  throw new SettingError(
    name,
    'must have 32 to 512 printable ASCII characters, without spaces (openssl rand -hex 32)',
  )
}

// The value is never in the message, because it contains a password.
export const smtpUrl: Reader<string | null> = (value, name) => {
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname && !url.search && !url.hash)
    return value
  throw new SettingError(name, 'must be like smtps://user:password@mail.example.com (or smtp://)')
}

export const mailAddress: Reader<string | null> = (value, name) => {
  if (value === '') return null
  const address = parseEmail(value)
  if (address !== undefined) return address
  throw new SettingError(name, `must be one email address, such as no-reply@a.example`)
}

export const list: Reader<string[]> = (value) =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** Reads "ns1.example.net=192.0.2.1, ..." as addresses by lower-case name. */
export const addresses: Reader<ReadonlyMap<string, string>> = (value, name) =>
  new Map(
    list(value, name).map((one) => {
      const [host = '', address = '', ...more] = one.split('=').map((part) => part.trim())
      const known = parseHost(host)
      if (known !== undefined && isIPv4(address) && more.length === 0) return [known, address]
      throw new SettingError(name, `must be like ns1.example.net=192.0.2.1, not "${one}"`)
    }),
  )

/** Reads IP addresses with or without a port: 192.0.2.1, 192.0.2.1:53, [2001:db8::1]:53. */
export const resolvers: Reader<string[]> = (value, name) =>
  list(value, name).map((one) => {
    const [, v6, v4, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::([0-9]{1,5}))?$/.exec(one) ?? []
    const known = isIP(v6 ?? v4 ?? one) !== 0 && Number(port) >= 1 && Number(port) <= 65_535
    if (known) return one
    throw new SettingError(name, `must be like 192.0.2.1 or [2001:db8::1]:53, not "${one}"`)
  })

/** Reads "ns1.example.net=127.0.0.1:5300, ..." as places by lower-case name. */
export const places: Reader<ReadonlyMap<string, { host: string; port: number }>> = (value, name) =>
  new Map(
    list(value, name).map((one) => {
      const [, text = '', host = '', digits = ''] = /^([^=]+)=(.+):([0-9]{1,5})$/.exec(one) ?? []
      const known = parseHost(text.trim())
      const port = Number(digits)
      if (known !== undefined && isIPv4(host) && port >= 1 && port <= 65_535)
        return [known, { host, port }]
      throw new SettingError(name, `must be like ns1.example.net=127.0.0.1:5300, not "${one}"`)
    }),
  )

/** Reads a name or an address, and a port: ns1.example.net:53, 192.0.2.1:53, [2001:db8::1]:53. */
export const hostAndPort: Reader<{ host: string; port: number } | null> = (value, name) => {
  if (value === '') return null
  const [, v6, other = '', digits] = /^(?:\[([^\]]+)\]|([^:]+)):([0-9]{1,5})$/.exec(value) ?? []
  const host = isIP(v6 ?? other) !== 0 ? (v6 ?? other) : v6 === undefined && parseHost(other)
  const port = Number(digits)
  if (host && port >= 1 && port <= 65_535) return { host, port }
  throw new SettingError(name, `must be like ns1.example.net:53, not "${value}"`)
}

export const ipAddress: Reader<string> = (value, name) => {
  if (isIP(value) !== 0) return value
  throw new SettingError(name, `must be an IP address, such as 0.0.0.0, not "${value}"`)
}

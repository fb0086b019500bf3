// Shared by all commands: the envelope (RFC 5730 section 2.5), and the values that the schemas
// allow in it.
import { isIP } from 'node:net'
import { UnwritableCommand } from '../errors.ts'
import type { Reply } from '../replies/reply.ts'
import { escapeXml, ns } from '../xml/xml.ts'

/**
 * One command. `frame` writes it, and throws UnwritableCommand for values that the RFC's schema
 * forbids. `parse` reads the data of a successful answer, and throws GarbageInput if data that the
 * RFC requires is missing, or if the answer is about another object.
 */
export type Command<Input, Output> = {
  name: string
  /** Whether it changes something at the registry, so that only its owner may send it again. */
  transforms: boolean
  frame: (input: Input, cl_trid: string) => string
  parse: (reply: Reply, input: Input) => Output
  /**
   * Whether `parse` also accepts an answer that was only skimmed: its code, its ids and its queue.
   */
  skims?: true
  /** Throws GarbageInput if an answer whose data is not read (1001) is about another object. */
  identify?: (reply: Reply, input: Input) => null
}

/** This is for commands whose answer contains no data. */
export function nothing(): null {
  return null
}

const head = `<?xml version="1.0" encoding="UTF-8" standalone="no"?><epp xmlns="${ns.epp}">`

/** Writes <epp> without a prefix, because some servers refuse any other form of it. */
export function eppFrame(content: string): string {
  return `${head}${content}</epp>`
}

/** `action` is the verb's element; `extensions` are elements or empty texts. */
export function commandFrame(cl_trid: string, action: string, ...extensions: string[]): string {
  const extension = extensions.join('')
  const around = extension === '' ? '' : `<extension>${extension}</extension>`
  const id = `<clTRID>${token(cl_trid, 'clTRID', { min: 3, max: 64 })}</clTRID>`
  return eppFrame(`<command>${action}${around}${id}</command>`)
}

/** The verb's element around the object's, as in all of RFC 5731 to 5733. */
export function objectAction(
  verb: 'check' | 'create' | 'delete' | 'info' | 'renew' | 'update',
  object: 'contact' | 'domain' | 'host',
  inside: string,
): string {
  const element = `${object}:${verb}`
  return `<${verb}><${element} xmlns:${object}="${ns[object]}">${inside}</${element}></${verb}>`
}

/** <delete> of an object by its name or identifier (RFC 5731 to 5733, section 3.2.2). */
export function deleteCommand<Key extends 'name' | 'id'>(
  object: 'contact' | 'domain' | 'host',
  key: Key,
): Command<Record<Key, string>, null> {
  return {
    name: `${object} delete`,
    transforms: true,
    frame(input, cl_trid) {
      const value = key === 'id' ? identifier(input[key]) : label(input[key])
      const inside = `<${object}:${key}>${value}</${object}:${key}>`
      return commandFrame(cl_trid, objectAction('delete', object, inside))
    },
    parse: nothing,
  }
}

/** The length as the schemas count it: in characters instead of UTF-16 units. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function bounded(text: string, what: string, { min, max }: { min: number; max: number }): string {
  const length = text.length <= max && min <= 1 ? text.length : characters(text)
  if (length < min || length > max) {
    throw new UnwritableCommand(`${what} must have ${min} to ${max} characters`)
  }
  return escapeXml(text)
}

/** An xs:token. The reader would collapse its white space, so there must be none to collapse. */
export function token(text: string, what: string, size: { min: number; max: number }): string {
  if (/^ | $| {2}/.test(text)) throw new UnwritableCommand(`${what} has spaces to spare`)
  return bounded(text, what, size)
}

/** An xs:normalizedString, such as a line of an address. */
export function line(text: string, what: string, size: { min: number; max: number }): string {
  return bounded(text, what, size)
}

/**
 * A domain or host name (eppcom labelType). The registry decides whether it is valid.
 */
export function label(name: string): string {
  return token(name, 'A name', { min: 1, max: 255 })
}

/** A registrar's or contact's identifier (eppcom clIDType). */
export function identifier(id: string): string {
  return token(id, 'An identifier', { min: 3, max: 16 })
}

/** An authInfo password (RFC 9154 says printable ASCII, but the schema accepts any line). */
export function password(value: string): string {
  return line(value, 'authInfo', { min: 0, max: 255 })
}

/** An xs:date that exists, as YYYY-MM-DD. */
export function date(value: string): string {
  const time = Date.parse(`${value}T00:00:00Z`)
  const exists =
    /^[1-9]\d{3}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(value)
  if (!exists) throw new UnwritableCommand(`${value} is not a date`)
  return value
}

/** An xs:dateTime in UTC, of any time that Date can read. */
export function dateTime(value: string): string {
  const time = new Date(value)
  if (Number.isNaN(time.getTime())) throw new UnwritableCommand(`${value} is not a time`)
  return time.toISOString()
}

/** The element `<prefix:period unit="y">`; the schema allows 1 to 99 years. */
export function years(prefix: 'domain' | 'fee', period_years: number): string {
  if (!Number.isInteger(period_years) || period_years < 1 || period_years > 99) {
    throw new UnwritableCommand('A period is 1 to 99 whole years')
  }
  return `<${prefix}:period unit="y">${period_years}</${prefix}:period>`
}

/** A currency of ISO 4217, as the fee extension expects it. */
export function currencyCode(currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) throw new UnwritableCommand(`${currency} is not a currency`)
  return `<fee:currency>${currency}</fee:currency>`
}

/** One element for each value. */
export function each(values: readonly string[], element: (value: string) => string): string {
  let xml = ''
  for (const value of values) xml += element(value)
  return xml
}

/** One element for each address, IPv4 or IPv6. */
export function addressList(
  addresses: readonly string[],
  element: 'host:addr' | 'domain:hostAddr' = 'host:addr',
): string {
  return each(addresses, (address) => {
    const version = isIP(address)
    // A zone ("fe80::1%eth0") is part of an address for Node, but not for a registry.
    if (version === 0 || address.includes('%')) {
      throw new UnwritableCommand('Not an IP address')
    }
    return `<${element} ip="v${version}">${address}</${element}>`
  })
}

/** For lists that the schema requires to be non-empty, or limits to a number of items. */
export function counted<T>(values: readonly T[], what: string, max = 1000): readonly T[] {
  if (values.length === 0 || values.length > max) {
    throw new UnwritableCommand(`${what}: 1 to ${max} of them`)
  }
  return values
}

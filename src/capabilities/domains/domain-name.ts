// Domain names as they come in, and as they are kept: lower-case A-labels (UTS 46 non-transitional,
// IDNA rules).
import { toUnicode } from 'tr46'
import type { Registry } from '../../adapters/registry/port.ts'
import type { App } from '../../app.ts'
import { InvalidInput } from '../../kit/fault.ts'
import { hostRules, parseHost } from '../../kit/net/host.ts'
import { domainNotSupported } from './faults.ts'

/** A name that a registry can be asked about: exactly one label under a TLD. */
export type DomainName = { name: string; unicode: string; label: string; tld: string }
export type NameProblem = { problem: string }

/**
 * Reads a name to register, check or look up. `sold` are the TLDs of our registries: a name with
 * one label under another TLD is well-formed but not ours to sell (`sold: false`).
 */
export function parseDomainName(
  text: string,
  sold: (tld: string) => boolean,
): (DomainName & { sold: boolean }) | NameProblem {
  const name = parseHost(text)
  if (name === undefined) return { problem: `"${shown(text)}" is not a domain name` }
  const [label = '', ...rest] = name.split('.')
  const tld = rest.join('.')
  if (rest.length !== 1 && !sold(tld))
    return { problem: `"${shown(text)}" must be one label under a TLD, such as name.com` }
  const unicode = name.includes('xn--') ? toUnicode(name, hostRules).domain : name
  return { name, unicode, label, tld, sold: sold(tld) }
}

function shown(text: string): string {
  return text.length > 80 ? `${presentable(text, 80)}...` : presentable(text, 80)
}

/** The beginning of a text as any JSON reader takes it: no NUL, no half of a surrogate pair. */
export function presentable(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll('\0', '\ufffd')
}

/** Labels with more than 24 characters are "long" in an availability answer. */
export function isLong({ label }: DomainName): boolean {
  return label.length > 24
}

/** A name to buy; 422 when it is none, 409 domain_not_supported without a registry for its TLD. */
export function nameOf(app: App, { domain }: { domain: string }): DomainName {
  const name = parseDomainName(domain, (tld) => app.registries.forTld(tld) !== undefined)
  if ('problem' in name)
    throw new InvalidInput([{ path: ['domain'], msg: name.problem, type: 'domain_name' }])
  if (!name.sold) throw domainNotSupported()
  return name
}

/** A name in a path, as it is kept; 422 when it cannot be one. */
export function hostOf(text: string): string {
  const name = parseHost(text)
  if (name !== undefined) return name
  const msg = 'Input should be a domain name'
  throw new InvalidInput([{ path: ['domain'], msg, type: 'domain_name' }])
}

/** The registry of a name that we hold or buy. */
export function registryOf(app: Pick<App, 'registries'>, name: string): Registry | undefined {
  return app.registries.forTld(name.slice(name.indexOf('.') + 1))?.registry
}

/** Whether a host is below the domain, so that only the registry can say where it is. */
export function isBelow(domain: string, host: string): boolean {
  return host.endsWith(`.${domain}`)
}

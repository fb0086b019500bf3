// Names: their syntax, and the reserved, premium and initially taken ones.
import { domainToASCII, domainToUnicode } from 'node:url'
import { Refused } from '../protocol/reply.ts'
import type { Profile, RegistryName } from './profiles.ts'

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A host or domain name in lower case. @throws Refused 2005 if it is not a name of A-labels */
export function parseName(text: string): string {
  const name = text.toLowerCase()
  const labels = name.split('.')
  if (name.length > 253 || labels.length < 2 || !labels.every(isLabel)) {
    throw new Refused(2005, `${text.slice(0, 80)} is not a valid name`)
  }
  return name
}

function isLabel(label: string): boolean {
  if (!LABEL.test(label)) return false
  if (label.slice(2, 4) !== '--') return true
  if (!label.startsWith('xn--')) return false
  const unicode = domainToUnicode(label)
  return unicode !== '' && unicode !== label && domainToASCII(unicode) === label
}

/** @throws Refused 2005 for a label in another script than its TLD's */
export function requireScript({ scripts }: Pick<Profile, 'scripts'>, name: string): void {
  const { label = '', tld = '' } = splitName(name) ?? {}
  const script = scripts[tld]
  if (script === undefined || script.test(domainToUnicode(label))) return
  throw new Refused(2005, `${name} is not in the script of .${domainToUnicode(tld)}`)
}

/** The label and the TLD of a second-level name, or null for any other depth. */
export function splitName(name: string): { label: string; tld: string } | null {
  const [label, tld, ...rest] = name.split('.')
  if (label === undefined || tld === undefined || rest.length > 0) return null
  return { label, tld }
}

const RESERVED = new Set(['nic', 'whois', 'www', 'rdds', 'rdap', 'icann', 'iana', 'localhost'])

/** Names reserved by the registry: a list, and single characters. */
export function isReserved(label: string): boolean {
  return label.length === 1 || RESERVED.has(label)
}

const PREMIUM = new Set(
  (
    'agent agents ai-agent art bank bet bitcoin car casino cloud coin crypto data diamond energy ' +
    'finance game games gold health home hotel insurance invest jobs law live loan loans market ' +
    'media money music news online pay poker robot shop silver sport store studio tech travel ' +
    'vacation video wallet web wine'
  ).split(' '),
)

/**
 * The price of a premium name in cents per year: listed words, and labels of two or three letters a
 * to z.
 */
export function premiumPrice(label: string): number | null {
  if (/^[a-z]{2,3}$/.test(label)) return 48_000
  return PREMIUM.has(label) ? 15_000 : null
}

const FAMOUS = (
  'google amazon apple microsoft facebook youtube twitter instagram linkedin netflix wikipedia ' +
  'github gitlab reddit yahoo bing cloudflare openai anthropic stripe paypal ebay spotify adobe ' +
  'oracle intel nvidia samsung sony nokia ibm cisco dell tesla bmw toyota honda ford nike adidas ' +
  'cocacola pepsi starbucks mcdonalds walmart ikea visa mastercard nytimes bbc cnn mozilla ' +
  'ubuntu debian python nodejs rust-lang docker wordpress zoom slack dropbox'
).split(' ')

const TAKEN: Record<RegistryName, string[]> = {
  thin: [
    ...FAMOUS.map((label) => `${label}.com`),
    ...['example.com', 'example.net', 'example.org', 'wikipedia.org', 'mozilla.org', 'debian.org'],
    ...['python.org', 'php.net', 'slashdot.org', 'web.dev', 'go.dev', 'cash.app', 'github.dev'],
  ],
  thick: [
    'google.io',
    'github.io',
    'socket.io',
    'openai.ai',
    'anthropic.ai',
    'claude.ai',
    'google.co',
  ],
}

/** Unlocked labels at registrar-b under every TLD, for transfers. */
export const MOVABLE_LABELS = ['old-harbour', 'paper-lantern', 'quiet-river']
export const SEEDED_AUTH_INFO = 'Seeded-2Move'

/** Famous names, which are registered elsewhere. */
export function takenNames(registry: RegistryName): string[] {
  return TAKEN[registry]
}

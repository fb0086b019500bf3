// Canonicalization of host names: lower-case A-labels (UTS 46 non-transitional). Host names in
// requests are also checked by IDNA 2008 (RFC 5890 to 5893, decision 87), with an error that names
// the forbidden character.
import { createRequire } from 'node:module'
import { toASCII, toUnicode } from 'tr46'

export const hostRules = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
} as const

// Matches nearly every name: UTS 46 changes nothing but its case. No label begins or ends with a
// hyphen, or has two in its third and fourth place (an A-label, or one to come).
const label = '(?!..--)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const plain = new RegExp(`^(?!.{254})${label}(?:\\.${label})*$`)

/** A host name as lower-case A-labels without its final dot, or undefined for other text. */
export function parseHost(text: string): string | undefined {
  const bare = text.endsWith('.') ? text.slice(0, -1) : text
  if (bare.length > 1024) return undefined
  const ascii = plain.test(bare) ? bare.toLowerCase() : toASCII(bare, hostRules)
  if (ascii === null || ascii === '' || !roundTrips(ascii)) return undefined
  // A last label of digits, or of hexadecimal, is an address to every resolver (WHATWG URL, "ends
  // in a number").
  return /(^|\.)([0-9]+|0x[0-9a-f]*)$/.test(ascii) ? undefined : ascii
}

/** An A-label that UTS 46 would write otherwise is a disguise. */
function roundTrips(ascii: string): boolean {
  if (!ascii.includes('xn--')) return true
  const { domain, error } = toUnicode(ascii, hostRules)
  return !error && toASCII(domain, hostRules) === ascii
}

// The code points and contexts of U-labels (RFC 5892), derived from the Unicode properties of the
// running Node by the algorithm of its section 3, so that no table of ours ages. UTS 46 has the
// rest: NFC, hyphens, leading combining marks, joiners in context and bidi (RFC 5893).

export type IdnaProperty = 'PVALID' | 'CONTEXTJ' | 'CONTEXTO' | 'DISALLOWED' | 'UNASSIGNED'

// RFC 5892 section 2.6.
const exceptionally_valid = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/u
const in_context = /^[\u00b7\u0375\u05f3\u05f4\u30fb\u0660-\u0669\u06f0-\u06f9]$/u
const exceptionally_disallowed = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]$/u

const unassigned = /^[\p{Cn}--\p{Noncharacter_Code_Point}]$/v
// Sections 2.1 to 2.9: LetterDigits without Unstable (what NFKC and case folding change),
// IgnorableProperties, IgnorableBlocks and OldHangulJamo, which has blocks of its own.
const word_characters = '\\p{Ll}\\p{Lu}\\p{Lo}\\p{Nd}\\p{Lm}\\p{Mn}\\p{Mc}'
const changing = '\\p{Changes_When_NFKC_Casefolded}'
const ignorable = '\\p{Default_Ignorable_Code_Point}\\p{White_Space}\\p{Noncharacter_Code_Point}'
const ignorable_blocks = '\u{20d0}-\u{20ff}\u{1d100}-\u{1d1ff}\u{1d200}-\u{1d24f}'
const jamo = '\u{1100}-\u{11ff}\u{a960}-\u{a97f}\u{d7b0}-\u{d7ff}'
const excluded = `[${changing}${ignorable}${ignorable_blocks}${jamo}]`
const letter_digits = new RegExp(`^[[${word_characters}]--${excluded}]$`, 'v')

/** The derived property of a character, in the order of RFC 5892 section 3. */
export function idnaProperty(character: string): IdnaProperty {
  if (exceptionally_valid.test(character)) return 'PVALID'
  if (in_context.test(character)) return 'CONTEXTO'
  if (exceptionally_disallowed.test(character)) return 'DISALLOWED'
  if (unassigned.test(character)) return 'UNASSIGNED'
  if (/^[a-z0-9-]$/.test(character)) return 'PVALID'
  if (/^[\u200c\u200d]$/.test(character)) return 'CONTEXTJ'
  return letter_digits.test(character) ? 'PVALID' : 'DISALLOWED'
}

type Place = { label: string; before: string; after: string }

/** RFC 5892 appendix A.3 to A.9; `before` and `after` are the neighbors, or empty. */
function fitsContext(character: string, { label, before, after }: Place): boolean {
  switch (character) {
    case '\u00b7':
      return before === 'l' && after === 'l'
    case '\u0375':
      return /^\p{Script=Greek}$/u.test(after)
    case '\u05f3':
    case '\u05f4':
      return /^\p{Script=Hebrew}$/u.test(before)
    case '\u30fb':
      return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label)
    default:
      return !(/[\u0660-\u0669]/.test(label) && /[\u06f0-\u06f9]/.test(label))
  }
}

type Forbidden = { character: string; property: Exclude<IdnaProperty, 'PVALID'> }

/**
 * The first character of a U-label in NFC that IDNA 2008 forbids there, unless `also` matches it.
 * Joiners are left to UTS 46, whose rule for them is the same.
 */
export function forbiddenIn(label: string, also?: RegExp): Forbidden | undefined {
  const characters = [...label]
  for (const [at, character] of characters.entries()) {
    const property = idnaProperty(character)
    if (property === 'PVALID' || property === 'CONTEXTJ' || also?.test(character)) continue
    const place = { label, before: characters[at - 1] ?? '', after: characters[at + 1] ?? '' }
    if (property === 'CONTEXTO' && fitsContext(character, place)) continue
    return { character, property }
  }
  return undefined
}

/** The characters that the registry of a TLD takes as well, by the TLD in A-labels. */
export type IdnExceptions = ReadonlyMap<string, RegExp>
const noExceptions: IdnExceptions = new Map()

export type HostRead = { host: string } | { problem: string }
/** `within` is a domain that is stored already; only the labels in front of it are checked. */
export type HostReading = { exceptions?: IdnExceptions; within?: string }

/**
 * A host name as lower-case A-labels without its final dot, by UTS 46 and IDNA 2008 (RFC 5891,
 * 5892, 5893); or the problem: the end of a sentence about the text, such as "has U+2011 ...".
 * Empty for a text that is no host name, where no character says why.
 */
export function readHost(text: string, reading: HostReading = {}): HostRead {
  const host = parseHost(text)
  const forbidden = host === undefined ? undefined : forbiddenInHost(host, reading)
  if (host !== undefined && !forbidden) return { host }
  const problem = forbidden ? ofCharacter(text, forbidden) : unreadable(text)
  if (problem === '') return { problem }
  const plain = plainNameOf(text, reading)
  return { problem: plain === undefined ? problem : `${problem}: the plain name is "${plain}"` }
}

/** The first character that IDNA 2008 forbids; only a host with "xn--" can have one. */
function forbiddenInHost(host: string, reading: HostReading): Forbidden | undefined {
  const { exceptions = noExceptions, within = '' } = reading
  const isWithin = host === within || host.endsWith(`.${within}`)
  const checked = isWithin ? host.slice(0, host.length - within.length) : host
  if (!checked.includes('xn--')) return undefined
  const also = [...exceptions].find(([tld]) => host.endsWith(`.${tld}`))?.[1]
  for (const label of toUnicode(checked, hostRules).domain.split('.')) {
    const forbidden = forbiddenIn(label, also)
    if (forbidden) return forbidden
  }
  return undefined
}

const lax = { checkHyphens: false, checkBidi: false, checkJoiners: false } as const

/** The text as UTS 46 maps it, even if UTS 46 refuses it. */
function mapped(text: string): string {
  return toUnicode(text, { ...lax, useSTD3ASCIIRules: false }).domain
}

/** A longer text is no host name unless UTS 46 leaves characters out, and is not searched. */
const longest = 253

/**
 * The problem of a text that UTS 46 takes. It names the character from which the forbidden one
 * comes.
 */
function ofCharacter(text: string, { character, property }: Forbidden): string {
  const comesFrom = (one: string) => isForbidden(one) && mapped(one).includes(character)
  const written = [...text.slice(0, longest)].find((one) => one === character || comesFrom(one))
  const shown = named(written ?? character)
  const has = written ? 'has' : `stands for "${mapped(text)}", which has`
  if (property === 'CONTEXTO') return `${has} ${shown} where no name may have it (RFC 5892)`
  if (property === 'UNASSIGNED') return `${has} ${shown}, which is no character yet`
  return `${has} ${shown}, which no name may have (IDNA 2008)`
}

/** The problem of a text that UTS 46 refuses, too. */
function unreadable(text: string): string {
  if (text.length > longest) return ''
  const wrong = [...text].find((one) => isForbidden(one) && [...mapped(one)].some(isForbidden))
  if (wrong) return `has ${named(wrong)}, which no name may have`
  for (const label of mapped(text).split('.')) {
    const [first = ''] = label
    if (/^\p{M}/u.test(first)) return `has a label that begins with ${named(first)}`
    const joiner = /[\u200c\u200d]/.exec(label)?.[0]
    if (joiner) return `has ${named(joiner)} where no name may have it (RFC 5892)`
  }
  const fitsOtherwise = !toUnicode(text, { ...hostRules, checkBidi: false }).error
  const isBidi = fitsOtherwise && toUnicode(text, hostRules).error
  return isBidi ? 'mixes directions of writing (RFC 5893)' : ''
}

function isForbidden(character: string): boolean {
  const property = idnaProperty(character)
  return character !== '.' && (property === 'DISALLOWED' || property === 'UNASSIGNED')
}

const dashes = /[\p{Dash}_]/gu
const invisible_or_quotes = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Pi}\p{Pf}'"`]/gu

/**
 * The name that was probably meant: dashes are hyphens, and invisible characters and quotation
 * marks are left out.
 */
function plainNameOf(text: string, reading: HostReading): string | undefined {
  const written = /xn--/i.test(text) ? mapped(text) : text
  const changed = written.replaceAll(dashes, '-').replaceAll(invisible_or_quotes, '')
  if (changed === written) return undefined
  const plain = mapped(changed)
  const host = parseHost(plain)
  return host === undefined || forbiddenInHost(host, reading) ? undefined : plain
}

const require = createRequire(import.meta.url)

/**
 * The name of a character, as in "U+2011 NON-BREAKING HYPHEN". The first error that needs the names
 * of all characters loads them, because they take 11 MB.
 */
function named(character: string): string {
  const { unicodeReadableName }: typeof import('unicode-name') = require('unicode-name')
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `U+${code} ${unicodeReadableName(character) ?? ''}`.trim()
}

// NAPTR (RFC 3403 section 4) and URI (RFC 7553).
import { DnsProblem, quoted } from '../problem.ts'
import type { Codec } from './codec.ts'
import { characterString, stringToEnd, target, unsigned } from './fields.ts'

export const naptr: Codec = {
  fields: [
    unsigned('order', 2),
    unsigned('preference', 2),
    characterString('flags'),
    characterString('services'),
    characterString('regular expression'),
    target('replacement'),
  ],
  example: '100 10 "u" "E2U+sip" "!^.*$!sip:info@example.com!" .',
  check: (rdata) => {
    const [flags = '', , expression = ''] = stringsOf(rdata)
    if (!/^[a-z0-9]*$/i.test(flags))
      throw new DnsProblem(`The flags are ${quoted(flags)}, and have to be letters and digits.`)
    if (expression !== '' && !isSubstitution(expression))
      throw new DnsProblem(
        `${quoted(expression)} is no substitution, as "!^.*$!sip:info@example.com!" would be one.`,
      )
  },
}

/** The fields are flags, services and the regular expression. */
function stringsOf(rdata: Buffer): string[] {
  const strings: string[] = []
  for (let at = 4; strings.length < 3; at += 1 + (rdata[at] ?? 0))
    strings.push(rdata.subarray(at + 1, at + 1 + (rdata[at] ?? 0)).toString('latin1'))
  return strings
}

/**
 * RFC 3402 section 3.2: delimiter, extended regular expression, delimiter, replacement, delimiter,
 * flags. Other name servers refuse a zone with any other text.
 */
function isSubstitution(text: string): boolean {
  const [delimiter = ''] = text
  if (/[0-9\\i\0]/.test(delimiter) || text.includes('\0')) return false
  const parts: [string, string, string] = ['', '', '']
  let part = 0
  for (let at = 1; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (sign === delimiter) {
      part += 1
      if (part > 2) return false
    } else if (sign === '\\' && part < 2) {
      at += 1
      if (at >= text.length) return false
      parts[part] += sign + (text[at] ?? '')
    } else parts[part] += sign
  }
  const [expression, replacement, flags] = parts
  if (part !== 2 || !/^i*$/.test(flags) || /\\0/.test(replacement)) return false
  const references = [...replacement.matchAll(/\\([1-9])/g)].map(([, digit]) => Number(digit))
  const groups = groupsOf(expression)
  return groups !== undefined && references.every((reference) => reference <= groups)
}

/** The number of groups of an extended regular expression, or undefined if one is not closed. */
function groupsOf(expression: string): number | undefined {
  if (!canCompile(expression)) return undefined
  return [...expression.matchAll(/\\.|\[\]?[^\]]*\]|(\()/g)].filter(([, open]) => open).length
}

/**
 * ECMAScript's syntax includes all of the extended one except the names of classes. Its own
 * additions, "(?" and escapes of ordinary characters, are refused.
 */
function canCompile(expression: string): boolean {
  if (/\(\?|\\[^.[\]\\()*+?{}|^$1-9/-]/.test(expression.replaceAll('\\\\', ''))) return false
  try {
    new RegExp(expression.replaceAll(/\[:[a-z]+:\]/g, 'a'))
    return expression !== ''
  } catch {
    return false
  }
}

export const uri: Codec = {
  fields: [unsigned('priority', 2), unsigned('weight', 2), stringToEnd('target')],
  example: '10 1 "https://www.example.com/"',
  check: (rdata) => {
    if (rdata.length === 4) throw new DnsProblem('Its target is empty.')
  },
}

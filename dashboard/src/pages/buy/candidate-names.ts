// Names to check for a search: the words as one label under every TLD, or full names as they are.
import { toUnicode } from '../../lib/domains/idn.ts'

const popular = ['com', 'net', 'org', 'dev', 'app', 'io', 'ai', 'co', 'xyz']
const most_names = 30

/** TLDs in the order of the results: popular ones first, the others by name. */
export function orderedTlds(tlds: readonly string[]): string[] {
  const rank = (tld: string) => {
    const at = popular.indexOf(tld)
    return at === -1 ? popular.length : at
  }
  return tlds.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}

/**
 * The word without the parts that people paste around a name: scheme, path, "www." and a trailing
 * dot.
 */
function cleanedWord(word: string): string {
  const [host = ''] = word.replace(/^[a-z]+:\/\//, '').split(/[/?#]/)
  return host.replace(/^www\./, '').replace(/^\.+|\.+$/g, '')
}

/**
 * Returns a filter of TLDs by script: ".рф", for one, takes Cyrillic letters but no Latin ones.
 * Full names are checked in any case.
 */
function isOfScript(label: string) {
  const isLatin = /[a-z]/.test(label) && !label.startsWith('xn--')
  return (tld: string) => !(isLatin && tld.startsWith('xn--'))
}

export function candidateNames(asked: string, tlds: readonly string[]): string[] {
  const words = asked
    .toLowerCase()
    .split(/[\s,;]+/)
    .map(cleanedWord)
    .filter(Boolean)
  const full = words.filter((word) => word.includes('.'))
  if (full.length > 1) return [...new Set(full)].slice(0, most_names)
  const [name] = full
  const ordered = orderedTlds(tlds)
  if (name === undefined) {
    const label = words.join('')
    return label === '' ? [] : ordered.filter(isOfScript(label)).map((tld) => `${label}.${tld}`)
  }
  const label = name.slice(0, name.indexOf('.'))
  const others = ordered.filter(isOfScript(label)).map((tld) => `${label}.${tld}`)
  const given = toUnicode(name)
  return [name, ...others.filter((other) => toUnicode(other) !== given)]
}

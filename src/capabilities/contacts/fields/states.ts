// States, provinces and other parts of a country (ISO 3166-2), and the spellings that are accepted
// of each.
import { iso31662 } from 'iso-3166'
import { folded } from './ascii.ts'

type State = { code: string; name: string }

// Addresses of these countries name a state of this very list, under the names that the list has.
// Elsewhere the list's romanisation is unusual ("Hukuoka"), or addresses do not name its parts.
const strict = new Set(['AU', 'BR', 'CA', 'US'])
// Mail to the armed forces abroad; customary codes of another name than the list's (Distrito
// Federal, Estado de México, Orissa).
const alsoStates: Record<string, readonly string[]> = {
  IN: ['OR'],
  MX: ['DF', 'EM'],
  US: ['AA', 'AE', 'AP'],
}

function byCountry(): Map<string, State[]> {
  const states = new Map<string, State[]>()
  for (const { code, name } of iso31662) {
    const country = code.slice(0, 2)
    const list = states.get(country) ?? []
    list.push({ code, name })
    states.set(country, list)
  }
  for (const list of states.values()) list.sort((a, b) => (a.code < b.code ? -1 : 1))
  return states
}
const states = byCountry()

/** The parts of a country (alpha-2), in the order of their codes; empty for one without. */
export function statesOf(country: string): readonly State[] {
  return states.get(country) ?? []
}

/**
 * Whether the text is accepted as a state in an address of this country (alpha-2). See the README.
 */
export function isState(country: string, text: string): boolean {
  const list = statesOf(country)
  const code = text.toUpperCase()
  if (list.some((state) => state.code === code)) return true
  // In the form of an ISO 3166-2 code, it must be one of this country.
  if (/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(text)) return false
  const wanted = folded(text)
  const short = wanted.toUpperCase()
  const isListed =
    list.some((state) => state.code === `${country}-${short}` || folded(state.name) === wanted) ||
    (alsoStates[country] ?? []).includes(short)
  if (isListed || list.length === 0) return isListed || !strict.has(country)
  if (strict.has(country)) return false
  // Capitals that short are a code, too: "BE" in Germany, of "DE-BE". Many countries have customary
  // ones beside those of the standard: "NL" in Mexico, of "MX-NLE"; "75" in France, of "FR-75C".
  if (!/^[A-Z0-9]{1,3}$/.test(text)) return true
  return list.some(
    ({ code, name }) =>
      abbreviates(name, wanted) || (/[0-9]$/.test(text) && isBefore(`${country}-${text}`, code)),
  )
}

/** Whether it has characters of the name in their order, from the beginning of a word on. */
function abbreviates(name: string, short: string): boolean {
  const words = folded(name).split(' ')
  return words.some((word, i) => {
    if (word[0] !== short[0]) return false
    const rest = words.slice(i).join('')
    let at = -1
    for (const character of short) {
      at = rest.indexOf(character, at + 1)
      if (at < 0) return false
    }
    return true
  })
}

/** Whether the code is that number and one of A to Z more. */
function isBefore(number: string, code: string): boolean {
  return code.startsWith(number) && /^[A-Z]$/.test(code.slice(number.length))
}

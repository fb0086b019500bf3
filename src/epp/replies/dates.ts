// Dates of a registry (xs:dateTime, RFC 5730 section 1.2): read strictly, because JavaScript reads
// some texts as local time and rolls days over that do not exist.
import { GarbageInput } from '../errors.ts'
import { childWords, type Element, requiredWords } from '../xml/xml.ts'

const zone = 'Z|[+-]\\d\\d:\\d\\d'
const time = `([T ])(\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?)(${zone})?`
const form = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)(?:${time}|${zone})?$`)

/**
 * The moment as the registry wrote it, in UTC where it names no time zone; null for what is none: a
 * year of five digits, a day that no calendar has, words.
 */
export function momentOf(text: string): string | null {
  const [whole, year, month, day, separator, clock, zone = 'Z'] = form.exec(text) ?? []
  if (whole === undefined) return null
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1) return null
  const moment = separator ? `${year}-${month}-${day}T${clock}${zone}` : `${year}-${month}-${day}`
  return Number.isNaN(Date.parse(moment)) ? null : moment
}

/** An optional date; null when there is none, or none that can be read. */
export function childMoment(of: Element, uri: string, local: string): string | null {
  const text = childWords(of, uri, local)
  return text === null ? null : momentOf(text)
}

/** A date that the answer is worth nothing without: GarbageInput when it cannot be read. */
export function requiredMoment(of: Element, uri: string, local: string): string {
  return readable(of, { uri, local }, requiredWords(of, uri, local))
}

/** A date that may be left out, but not be unreadable. */
export function readableMoment(of: Element, uri: string, local: string): string | null {
  const text = childWords(of, uri, local)
  return text === null ? null : readable(of, { uri, local }, text)
}

type Named = { uri: string; local: string }

function readable(of: Element, { uri, local }: Named, text: string): string {
  const moment = momentOf(text)
  if (moment !== null) return moment
  const domain = childWords(of, uri, 'name') ?? ''
  const facts = { domain, alarm: 'registry_date_unreadable' }
  throw new GarbageInput(`<${local}> of <${of.local}> is no date: ${text}`, facts)
}

// TXT (RFC 1035 section 3.3.14): one or more character strings, which readers join (RFC 7208
// section 3.3). A longer text is split after 255 octets.
import { DnsProblem, quoted } from '../problem.ts'
import { octetsOf, readWords } from '../words.ts'
import type { Codec, Field } from './codec.ts'
import { quotedText, stringOctets } from './fields.ts'

const most = 255

const strings: Field = {
  what: 'text',
  read: (words) => {
    const parts = [split(stringOctets(words.next('text')))]
    while (words.left > 0) parts.push(split(stringOctets(words.next('text'))))
    return Buffer.concat(parts)
  },
  take: (wire) => {
    const bytes: Buffer[] = []
    const texts: string[] = []
    do {
      const length = wire.take(1, 'text')
      const octets = wire.take(length[0] ?? 0, 'text')
      bytes.push(length, octets)
      texts.push(quotedText(octets))
    } while (wire.left > 0)
    return { bytes: Buffer.concat(bytes), text: texts.join(' ') }
  },
}

/** Character strings of 255 octets, and one of the remaining octets. */
function split(octets: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at === 0 || at < octets.length; at += most) {
    const part = octets.subarray(at, at + most)
    parts.push(Buffer.of(part.length), part)
  }
  return Buffer.concat(parts)
}

export const txt: Codec = { fields: [strings], example: '"v=spf1 -all"', paste }

/**
 * A pasted text: text in quotes is in presentation form, and text without quotes is meant as it is.
 * A text with two possible readings is refused with both, so that no text is changed unnoticed.
 */
function paste(text: string): Buffer {
  if (text === '') throw new DnsProblem('The text is empty. An empty text is written as "".', '""')
  if (/[\r\n]/.test(text)) return refuseLines(text)
  const trimmed = text.trim()
  if (/^"(?:[^"\\]|\\.)*"(?:[ \t]+"(?:[^"\\]|\\.)*")*$/s.test(trimmed))
    return Buffer.concat(readWords(trimmed).map((word) => split(octetsOf(word.text))))
  if (trimmed.includes('"')) return refuseQuotes(trimmed)
  if (/\\(?:[;"\\]|[0-9]{3})/.test(text)) return refuseEscapes(text)
  if (trimmed !== text)
    throw refusal(text, {
      repaired: inQuotes(trimmed),
      other: inQuotes(text),
      why: 'has spaces at its ends',
    })
  return split(Buffer.from(text))
}

/** A long text that was wrapped when it was copied, or strings that were below each other. */
function refuseLines(text: string): never {
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const areStrings = lines.length > 0 && lines.every((line) => line.startsWith('"'))
  const repaired = areStrings ? lines.join(' ') : inQuotes(lines.join(''))
  throw refusal(text, { repaired, other: inQuotes(text), why: 'has line breaks' })
}

function refuseQuotes(text: string): never {
  const starts = text.startsWith('"')
  const inner = text.replace(/^"/, '').replace(/(?<!\\)"$/, '')
  if (starts && !inner.includes('"')) {
    const why = 'begins with a quote that is not closed'
    throw refusal(text, { repaired: `"${inner}"`, other: inQuotes(text), why })
  }
  const strings = `"${inner}"`.replaceAll(/(?<!\\)"[ \t]*"/g, '" "')
  const why = 'has quotes within it'
  const isList = starts && /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")+$/s.test(strings)
  const other = isList ? strings : `"${text.replaceAll(/(?<!\\)"/g, '')}"`
  const repaired = starts ? `"${inner.replaceAll(/(?<!\\)"/g, '\\"')}"` : inQuotes(text)
  throw refusal(text, { repaired, other, why })
}

function refuseEscapes(text: string): never {
  throw refusal(text, {
    repaired: quotedText(octetsOfEscaped(text)),
    other: inQuotes(text),
    why: 'has backslashes outside of quotes',
  })
}

/**
 * The text of "v=DKIM1\; p=x" as tools export it, in which a backslash that escapes nothing stands
 * for itself.
 */
function octetsOfEscaped(text: string): Buffer {
  try {
    return octetsOf(text)
  } catch (error) {
    if (error instanceof DnsProblem) return Buffer.from(text)
    throw error
  }
}

/** Every octet as it is, in presentation form. */
function inQuotes(text: string): string {
  return quotedText(Buffer.from(text))
}

type Readings = { repaired: string; other: string; why: string }

function refusal(text: string, { repaired, other, why }: Readings): DnsProblem {
  const [one, two] = [short(repaired), short(other)]
  return new DnsProblem(
    `The text ${quoted(text)} ${why}: it could mean ${one} or ${two}. ` +
      'Write the one that is meant.',
    repaired,
  )
}

/** The beginning and the end of the text, where the readings differ. */
function short(text: string): string {
  return text.length > 100 ? `${text.slice(0, 60)}...${text.slice(-30)}` : text
}

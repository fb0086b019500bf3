// A name within a value. In a zone file, RFC 1035 section 5.1 says what it means. In a form the
// final dot is often missing, so a name with two possible readings is refused with both.
import { isIP } from 'node:net'
import { parseHost } from '../../kit/net/host.ts'
import { absolute, isAbsolute, textOf, wireName } from '../name.ts'
import { DnsProblem, quoted } from '../problem.ts'
import { type Word, writtenAs } from '../words.ts'
import type { Words } from './codec.ts'

/** The octets of the name in the next word. Throws a DnsProblem. */
export function readTarget(words: Words, what: string): Buffer {
  const { how } = words
  const word = words.next(what)
  if (word.kind !== 'word' && (how.names === 'zone_file' || word.kind === 'pair'))
    throw new DnsProblem(
      `The ${what} stands without quotes, and not as ${quoted(writtenAs(word))}.`,
    )
  if (how.names === 'zone_file') return wireName(ascii(words, word), how.origin)
  return pastedName(words, word)
}

function pastedName(words: Words, word: Word): Buffer {
  const { origin } = words.how
  const text = word.text
  if (text === '@') return wireName(origin, null)
  const address = /^[a-z][a-z0-9+.-]*:\/\/([^/:?#@]+)/i.exec(text)?.[1]
  if (address !== undefined && parseHost(address) !== undefined) {
    const name = `${parseHost(address)}.`
    throw new DnsProblem(
      `${quoted(text)} is a web address, and the value has a name, as ${quoted(name)}.`,
      words.repairedWith(name),
    )
  }
  if (isIP(text) !== 0)
    throw new DnsProblem(
      `${quoted(text)} is an IP address, and here a name has to be. A and AAAA have addresses.`,
    )
  const wire = wireName(ascii(words, word), null)
  if (isAbsolute(text) || (wire[0] ?? 0) + 2 < wire.length) return wire
  return refuseBothReadings(words, textOf(wire).toLowerCase())
}

function refuseBothReadings(words: Words, label: string): never {
  const { origin } = words.how
  const within = absolute(origin === '.' ? label : `${label}.${origin}`)
  throw new DnsProblem(
    `${quoted(label)} could mean ${quoted(within)} or the top-level name ${quoted(`${label}.`)}. ` +
      'Write the one that is meant.',
    words.repairedWith(within),
  )
}

/** The word, or a problem with the A-labels of a name in another script. */
function ascii(words: Words, { text }: Word): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  if (/^[\u0000-\u007f]*$/.test(text)) return text
  const host = parseHost(text)
  if (host === undefined) throw new DnsProblem(`${quoted(text)} is no domain name.`)
  const name = text.endsWith('.') || words.how.names === 'api' ? `${host}.` : host
  throw new DnsProblem(
    `${quoted(text)} has to be written in A-labels, as ${quoted(name)}.`,
    words.repairedWith(name),
  )
}

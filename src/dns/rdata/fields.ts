// The fields that several types share: numbers, names, character strings, hexadecimal.
import { absolute, textOf } from '../name.ts'
import { DnsProblem, quoted } from '../problem.ts'
import { octetsOf, plainText, type Word, writtenAs } from '../words.ts'
import type { Field } from './codec.ts'
import { readTarget } from './target.ts'

const names = { 1: '255', 2: '65535', 4: '4294967295' } as const

/** An unsigned number of 1, 2 or 4 octets. */
export function unsigned(what: string, octets: 1 | 2 | 4): Field {
  return {
    what,
    read: (words) => {
      const word = words.next(what)
      const text = plainText(word, `The ${what}`)
      const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
      if (!(value < 256 ** octets))
        throw new DnsProblem(
          `The ${what} is ${quoted(text)}, and has to be a number from 0 to ${names[octets]}.`,
        )
      const bytes = Buffer.alloc(octets)
      bytes.writeUIntBE(value, 0, octets)
      return bytes
    },
    take: (wire) => {
      const bytes = wire.take(octets, what)
      return { bytes, text: String(bytes.readUIntBE(0, octets)) }
    },
  }
}

/** A name that the record points to. */
export function target(what: string): Field {
  return {
    what,
    read: (words) => readTarget(words, what),
    take: (wire) => {
      const bytes = wire.name()
      const name = textOf(bytes)
      return { bytes, text: absolute(name), ...(name === '.' ? {} : { target: name }) }
    },
  }
}

/** A character string: up to 255 octets, preceded by their number (RFC 1035 section 3.3). */
export function characterString(what: string): Field {
  return {
    what,
    read: (words) => {
      const word = words.next(what)
      const octets = stringOctets(word)
      if (octets.length > 255)
        throw new DnsProblem(`The ${what} has ${octets.length} octets, and may have 255.`)
      return Buffer.concat([Buffer.of(octets.length), octets])
    },
    take: (wire) => {
      const length = wire.take(1, what)
      const octets = wire.take(length[0] ?? 0, what)
      return { bytes: Buffer.concat([length, octets]), text: quotedText(octets) }
    },
  }
}

/** All octets to the end as a quoted string without a length. */
export function stringToEnd(what: string): Field {
  return {
    what,
    read: (words) => stringOctets(words.next(what)),
    take: (wire) => {
      const bytes = wire.rest()
      return { bytes, text: quotedText(bytes) }
    },
  }
}

/** All octets to the end in hexadecimal, which may be written in several words. */
export function hexToEnd(what: string): Field {
  return {
    what,
    read: (words) => {
      let text = plainText(words.next(what), `The ${what}`)
      while (words.left > 0) text += plainText(words.next(what), `The ${what}`)
      return hexOctets(text, what)
    },
    take: (wire) => {
      const bytes = wire.rest()
      if (bytes.length === 0) throw new DnsProblem(`Its ${what} is missing.`)
      return { bytes, text: bytes.toString('hex') }
    },
  }
}

export function hexOctets(text: string, what: string): Buffer {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text))
    throw new DnsProblem(
      `The ${what} is ${quoted(text)}, and has to be hexadecimal, two digits for each octet.`,
    )
  return Buffer.from(text, 'hex')
}

export function stringOctets(word: Word): Buffer {
  if (word.kind !== 'pair') return octetsOf(word.text)
  throw new DnsProblem(`${quoted(writtenAs(word))} has a quote within a word.`)
}

const quote = 0x22
const backslash = 0x5c

/**
 * The octets in quotes, in which quotes, backslashes and everything except printable ASCII are
 * escaped.
 */
export function quotedText(octets: Buffer): string {
  return `"${escaped(octets)}"`
}

function escaped(octets: Buffer): string {
  let text = ''
  for (const octet of octets) {
    if (octet < 0x20 || octet > 0x7e) text += `\\${String(octet).padStart(3, '0')}`
    else if (octet === quote || octet === backslash) text += `\\${String.fromCharCode(octet)}`
    else text += String.fromCharCode(octet)
  }
  return text
}

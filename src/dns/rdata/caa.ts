// CAA (RFC 8659): the authorities that may issue certificates.
import { DnsProblem, quoted } from '../problem.ts'
import { plainText, type Word } from '../words.ts'
import type { Codec, Field, Words } from './codec.ts'
import { quotedText, stringOctets, stringToEnd, unsigned } from './fields.ts'

const tag: Field = {
  what: 'tag',
  read: (words) => {
    const octets = Buffer.from(plainText(words.next('tag'), 'The tag'))
    assertTag(octets)
    return Buffer.concat([Buffer.of(octets.length), octets])
  },
  take: (wire) => {
    const length = wire.take(1, 'tag')
    const octets = wire.take(length[0] ?? 0, 'tag')
    assertTag(octets)
    return { bytes: Buffer.concat([length, octets]), text: octets.toString('latin1') }
  },
}

function assertTag(octets: Buffer): void {
  const text = octets.toString('latin1')
  if (!/^[a-z0-9]{1,255}$/i.test(text))
    throw new DnsProblem(`The tag is ${quoted(text)}, and has to be of letters and digits.`)
}

const value: Field = {
  ...stringToEnd('value'),
  read: (words) => {
    const word = words.next('value')
    const octets = stringOctets(word)
    if (words.left > 0) refuseWithoutQuotes(words, word)
    return octets
  },
}

/** A value such as `0 issue letsencrypt.org; accounturi=...`, without quotes. */
function refuseWithoutQuotes(words: Words, first: Word): void {
  const all = [first]
  while (words.left > 0) all.push(words.next('value'))
  if (words.how.names === 'zone_file' || all.some(({ kind }) => kind !== 'word')) {
    throw new DnsProblem('The value has spaces, and has to be one string in quotes.')
  }
  const text = quotedText(Buffer.from(all.map((word) => word.text).join(' ')))
  throw new DnsProblem(
    `The value has spaces, and has to be in quotes: ${text}.`,
    words.repairedWith(text, all.length),
  )
}

/**
 * RFC 8659 section 4.2: the name of an authority or none, and parameters. Any other text means that
 * no authority may issue.
 */
function isIssueValue(text: string): boolean {
  const [name = ''] = text.split(';', 1)
  return /^(?:[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*)?$/i.test(name.trim())
}

export const caa: Codec = {
  fields: [unsigned('flags', 1), tag, value],
  example: '0 issue "letsencrypt.org"',
  doubt: (rdata) => {
    const length = rdata[1] ?? 0
    const name = rdata
      .subarray(2, 2 + length)
      .toString('latin1')
      .toLowerCase()
    const text = rdata.subarray(2 + length).toString('latin1')
    if (/^issue(?:wild|mail)?$/.test(name) && !isIssueValue(text))
      throw new DnsProblem(
        `The value of ${name} is ${quoted(text)}, and has to be the domain name of an authority, ` +
          'as "letsencrypt.org", or ";" for none.',
      )
    if (name === 'iodef' && !/^(?:mailto:|https?:\/\/)/i.test(text))
      throw new DnsProblem(
        `The value of iodef is ${quoted(text)}, and has to be a URL with mailto: or https://.`,
      )
  },
}

// The identity of an answer that is not XML even after repair, found by pattern. It is needed above
// all for a poll message, which could not be removed from its queue otherwise.

import { repairedText } from './repaired-text.ts'

type Skimmed = {
  cl_trid: string | null
  sv_trid: string | null
  code: number
  queue: { id: string; count: number; at: string | null; text: string } | null
  /** The first domain-like <name>. */
  name: string | null
}

const tag = (name: string) => `<(?:[\\w.-]{1,40}:)?${name}\\b`
const textOf = (name: string) => new RegExp(`${tag(name)}[^<>]{0,500}>([^<]{0,2000})<`, 'g')

const results = new RegExp(`${tag('result')}[^<>]{0,200}\\bcode\\s*=\\s*["'](\\d{4})["']`)
const queues = new RegExp(`${tag('msgQ')}([^<>]{0,2000})>`)
const clTrids = textOf('clTRID')
const svTrids = textOf('svTRID')
const dates = textOf('qDate')
const messages = textOf('msg')
const names = textOf('name')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(text: string): string {
  const decoded = text.replace(/&(amp|lt|gt|quot|apos);/g, (found, name) => entities[name] ?? found)
  return decoded.trim().replace(/\s+/g, ' ')
}

function all(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, inside = '']) => plain(inside))
}

function attributeOf(attributes: string, name: string): string | null {
  const [, double, single] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? []
  const value = double ?? single
  return value === undefined ? null : plain(value)
}

/** The message's own words are in <msgQ>, while the first <msg> belongs to the result. */
function queueOf(text: string): Skimmed['queue'] {
  const found = queues.exec(text)
  const attributes = found?.[1] ?? ''
  const id = attributeOf(attributes, 'id')
  if (!found || !id) return null
  const after = text.slice(found.index)
  const count = Number(attributeOf(attributes, 'count'))
  return { id, count, at: all(after, dates)[0] ?? null, text: all(after, messages)[0] ?? '' }
}

const most_bytes = 100_000

/** The identifiers are at the beginning and the end. */
function ends(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= 2 * most_bytes) return bytes
  return Buffer.concat([bytes.subarray(0, most_bytes), bytes.subarray(-most_bytes)])
}

/** The identity, or null if not even a result code can be found. */
export function skim(bytes: Uint8Array): Skimmed | null {
  // A registrant's words may look like tags in either.
  const text = repairedText(ends(bytes)).replace(
    /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)/g,
    '',
  )
  const code = Number(results.exec(text)?.[1])
  if (!code || code < 1000 || code > 2999) return null
  return {
    // The response's own identifiers are the last ones (RFC 5730 section 2.6).
    cl_trid: all(text, clTrids).at(-1) ?? null,
    sv_trid: all(text, svTrids).at(-1) ?? null,
    code,
    queue: queueOf(text),
    name: all(text, names).find((name) => /^[^\s.]+(\.[^\s.]+)+$/.test(name)) ?? null,
  }
}

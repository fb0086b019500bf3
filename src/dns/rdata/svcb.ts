// SVCB and HTTPS (RFC 9460): a priority, a target and parameters, which are on the wire in
// ascending order of their keys, each once.
import { DnsProblem, quoted } from '../problem.ts'
import { octetsOf, type Word, writtenAs } from '../words.ts'
import type { Codec, Field, Words } from './codec.ts'
import { quotedText, target, unsigned } from './fields.ts'
import { isParamKey, mandatoryKeys, paramKey, paramKind, svcKey } from './svc-params.ts'

const priority: Field = unsigned('priority', 2)
const host: Field = target('target name')

/** A value such as `1 alpn=h2`, in which the target was left out; "." would be the owner itself. */
const targetName: Field = {
  ...host,
  read: (words) => {
    const next = words.peek
    if (next && isParam(next.text)) {
      words.next('target name')
      throw new DnsProblem(
        `Before ${quoted(writtenAs(next))} its target name is missing: "." is the owner itself.`,
        words.repairedWith(`. ${writtenAs(next)}`),
      )
    }
    return host.read(words)
  },
}

/** A name may contain an equals sign, too, so one with a final dot is meant as a name. */
function isParam(text: string): boolean {
  const [, key] = /^([a-z0-9-]+)=.*[^.]$/is.exec(text) ?? []
  return key !== undefined && isParamKey(key)
}

const params: Field = {
  what: 'parameters',
  read: (words) => {
    const found = new Map<number, Buffer>()
    while (words.left > 0) readParam(words, found)
    const ascending = [...found].sort(([one], [other]) => one - other)
    return Buffer.concat(ascending.map(([key, value]) => paramOctets(key, value)))
  },
  take: (wire) => {
    const parts: Buffer[] = []
    const texts: string[] = []
    let last = -1
    while (wire.left > 0) {
      const key = wire.take(2, 'parameters').readUInt16BE(0)
      const length = wire.take(2, 'parameters').readUInt16BE(0)
      const value = wire.take(length, 'parameters')
      if (key <= last) throw new DnsProblem('Its keys have to ascend, each once.')
      if (key === 65_535) throw new DnsProblem('The key 65535 is none.')
      last = key
      parts.push(paramOctets(key, value))
      texts.push(paramText(key, value))
    }
    return { bytes: Buffer.concat(parts), text: texts.join(' ') }
  },
}

function paramOctets(key: number, value: Buffer): Buffer {
  if (value.length > 65_535)
    throw new DnsProblem(`The value of ${paramKind(key).name} has ${value.length} octets.`)
  const head = Buffer.alloc(4)
  head.writeUInt16BE(key, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value])
}

/**
 * The form that PowerDNS accepts: only these values are in quotes, which stand for themselves
 * elsewhere.
 */
function paramText(key: number, value: Buffer): string {
  const kind = paramKind(key)
  const text = kind.write(value)
  if (text === null) return kind.name
  const plain = text.toString('latin1')
  // RFC 9460 appendix A: characters that need neither quotes nor escapes.
  const isPlain = !kind.is_quoted && /^[!#-'*-:<-[\]-~]+$/.test(plain)
  return `${kind.name}=${isPlain ? plain : quotedText(text)}`
}

function readParam(words: Words, found: Map<number, Buffer>): void {
  const word = words.next('parameters')
  const { name, value } = partsOf(word)
  const key = paramKey(name)
  if (found.has(key)) throw new DnsProblem(`It has the key ${name} twice.`)
  found.set(key, paramKind(key).read(value))
}

/** One of the forms `key`, `key=value` and `key="value"`. */
function partsOf(word: Word): { name: string; value: Buffer | null } {
  const { kind, text } = word
  const at = text.indexOf('=')
  if (
    kind === 'string' ||
    (kind === 'pair' && (at < 0 || !/^"(?:[^"\\]|\\.)*"$/s.test(text.slice(at + 1))))
  )
    throw new DnsProblem(`${quoted(writtenAs(word))} is no parameter, as key="value" would be one.`)
  if (at < 0) return { name: text, value: null }
  const written = text.slice(at + 1)
  const value = octetsOf(kind === 'pair' ? written.slice(1, -1) : written)
  return { name: text.slice(0, at), value: value.length === 0 ? null : value }
}

export const svcb: Codec = {
  fields: [priority, targetName, params],
  example: '1 . alpn=h2,h3',
  check: (rdata) => {
    const values = valuesOf(rdata)
    if (rdata.readUInt16BE(0) === 0 && values.size > 0)
      throw new DnsProblem('With the priority 0 it is an alias, which has no parameters.')
    if (values.has(svcKey.no_default_alpn) && !values.has(svcKey.alpn))
      throw new DnsProblem('It has no-default-alpn without alpn.')
    const listed = values.get(svcKey.mandatory)
    for (const key of listed ? mandatoryKeys(listed) : [])
      if (!values.has(key))
        throw new DnsProblem(`Its mandatory key ${paramKind(key).name} is missing.`)
  },
}

function valuesOf(rdata: Buffer): Map<number, Buffer> {
  let at = 2
  while ((rdata[at] ?? 0) > 0) at += 1 + (rdata[at] ?? 0)
  const values = new Map<number, Buffer>()
  for (at += 1; at < rdata.length; ) {
    const length = rdata.readUInt16BE(at + 2)
    values.set(rdata.readUInt16BE(at), rdata.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return values
}

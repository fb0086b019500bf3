// An EPP response (RFC 5730 section 2.6), read from its tree, and the greeting (section 2.4).
// Object identity: an answer counts only if it names the object that its command named (RFC 5731 to
// 5733: creData, renData, trnData, infData and chkData all contain it).

import { parseHost } from '../../kit/net/host.ts'
import { GarbageInput } from '../errors.ts'
import { skim } from '../xml/skimmed.ts'
import {
  attribute,
  child,
  childrenOf,
  childWords,
  type Element,
  ns,
  parseRepairedXml,
  requiredWords,
  words,
} from '../xml/xml.ts'

type MessageQueue = { id: string; count: number; at: string | null; text: string }

export type Reply = {
  code: number
  /** The first result's message, followed by the server's reasons. */
  message: string
  /** Elements of the command that the server names as the cause (RFC 5730 section 2.6). */
  blamed: Element[]
  queue: MessageQueue | null
  /** The object's part of the answer: the children of resData and of extension. */
  data: Element[]
  extensions: Element[]
  cl_trid: string | null
  sv_trid: string | null
  /**
   * `strict`: read as XML. `repaired`: read as XML after characters were replaced that it forbids.
   * `skimmed`: not XML, so only the identifying parts are found by pattern, and its code does not
   * show what happened to a command.
   */
  read: 'strict' | 'repaired' | 'skimmed'
  /** The domain that a skimmed answer seems to be about. */
  seems_about: string | null
  /** The answer as it arrived, for records that must be kept or looked at later. */
  raw: Buffer
}

export type Greeting = {
  server: string
  /** RFC 5646 tags, in the server's order. */
  languages: string[]
  objects: string[]
  extensions: string[]
}

function rootOf(bytes: Buffer): { epp: Element; repaired: boolean } {
  const { root, repaired } = parseRepairedXml(bytes)
  if (root.uri !== ns.epp || root.local !== 'epp') throw new GarbageInput('Root is not <epp>')
  return { epp: root, repaired }
}

/** The texts of msg and of each extValue's reason, from which an operator can see the cause. */
function messageOf(result: Element): string {
  const reasons = childrenOf(result, ns.epp, 'extValue').map((value) =>
    childWords(value, ns.epp, 'reason'),
  )
  return [childWords(result, ns.epp, 'msg'), ...reasons].filter(Boolean).join(': ')
}

function blamedBy(result: Element): Element[] {
  const extended = childrenOf(result, ns.epp, 'extValue')
  return [result, ...extended]
    .flatMap((part) => childrenOf(part, ns.epp, 'value'))
    .flatMap((value) => value.children)
    .filter(({ uri, local }) => uri !== ns.epp || local !== 'undef')
}

function queueOf(response: Element): MessageQueue | null {
  const queue = child(response, ns.epp, 'msgQ')
  const id = queue && attribute(queue, 'id')
  if (!queue || !id) return null
  const text = child(queue, ns.epp, 'msg')
  return {
    id,
    count: Number(attribute(queue, 'count')),
    at: childWords(queue, ns.epp, 'qDate'),
    text: text ? words(text) : '',
  }
}

/** Reads a response. Throws GarbageInput if it is not one. */
export function parseReply(bytes: Buffer): Reply {
  const { epp, repaired } = rootOf(bytes)
  const response = child(epp, ns.epp, 'response')
  if (!response) throw new GarbageInput('Not a <response>')
  const result = child(response, ns.epp, 'result')
  const code = result && Number(attribute(result, 'code'))
  if (!result || !code || !Number.isInteger(code) || code < 1000 || code > 2999) {
    throw new GarbageInput('Response without a result code')
  }
  const ids = child(response, ns.epp, 'trID')
  return {
    code,
    message: messageOf(result),
    blamed: blamedBy(result),
    queue: queueOf(response),
    data: child(response, ns.epp, 'resData')?.children ?? [],
    extensions: child(response, ns.epp, 'extension')?.children ?? [],
    cl_trid: ids ? childWords(ids, ns.epp, 'clTRID') : null,
    sv_trid: ids ? childWords(ids, ns.epp, 'svTRID') : null,
    read: repaired ? 'repaired' : 'strict',
    seems_about: null,
    raw: bytes,
  }
}

/** Reads a response, or skims it. Throws GarbageInput if not even its code can be found. */
export function readReply(bytes: Buffer): Reply {
  try {
    return parseReply(bytes)
  } catch (error) {
    const seen = error instanceof GarbageInput ? skim(bytes) : null
    if (!seen) throw error
    const { name, ...identity } = seen
    const seems_about = name === null ? null : comparable(name)
    const nothing = { message: '', blamed: [], data: [], extensions: [] }
    return { ...nothing, ...identity, read: 'skimmed', seems_about, raw: bytes }
  }
}

/** Reads a greeting. Throws GarbageInput if it is not one. */
export function parseGreeting(bytes: Buffer): Greeting {
  const greeting = child(rootOf(bytes).epp, ns.epp, 'greeting')
  const menu = greeting && child(greeting, ns.epp, 'svcMenu')
  if (!greeting || !menu) throw new GarbageInput('Not a <greeting>')
  const extensions = child(menu, ns.epp, 'svcExtension')
  return {
    server: childWords(greeting, ns.epp, 'svID') ?? '',
    languages: childrenOf(menu, ns.epp, 'lang').map(words).filter(Boolean),
    objects: childrenOf(menu, ns.epp, 'objURI').map(words),
    extensions: extensions ? childrenOf(extensions, ns.epp, 'extURI').map(words) : [],
  }
}

/**
 * The object data of a reply by its namespace and name, such as domain infData. Throws GarbageInput
 * if it is missing.
 */
export function dataOf(reply: Reply, uri: string, local: string): Element {
  const found = reply.data.find((element) => element.local === local && element.uri === uri)
  if (!found) throw new GarbageInput(`Answer ${reply.code} without <${local}>`)
  return found
}

/** An extension's part of a reply, which is always optional. */
export function extensionOf(reply: Reply, uri: string, local: string): Element | undefined {
  return reply.extensions.find((element) => element.local === local && element.uri === uri)
}

/**
 * A name as it is compared and stored, so that case, a final dot and U-labels make no difference.
 */
export function comparable(name: string): string {
  return parseHost(name) ?? name.toLowerCase().replace(/\.$/, '')
}

/** The name in `data`, as it was requested. Throws GarbageInput if it names another object. */
export function sameName(data: Element, uri: string, asked: string): string {
  const answered = requiredWords(data, uri, 'name')
  if (comparable(answered) === comparable(asked)) return asked.toLowerCase()
  throw new GarbageInput(`<${data.local}> is about ${answered}, not about ${asked}`)
}

/** The same for a contact's identifier, which some registries write in another case. */
export function sameId(data: Element, asked: string): string {
  const answered = requiredWords(data, ns.contact, 'id')
  if (answered.toLowerCase() === asked.toLowerCase()) return asked
  throw new GarbageInput(`<${data.local}> is about ${answered}, not about ${asked}`)
}

/** For answers whose data may be left out. If it is present, it must be about `asked`. */
export function requireSameName(reply: Reply, uri: string, asked: string): null {
  for (const data of reply.data) if (data.uri === uri) sameName(data, uri, asked)
  return null
}

// Dates of a registry (xs:dateTime, RFC 5730 section 1.2) are read strictly, because JavaScript
// reads some texts as local time, and rolls over days that do not exist.

const zone = 'Z|[+-]\\d\\d:\\d\\d'
const time = `([T ])(\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?)(${zone})?`
const form = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)(?:${time}|${zone})?$`)

/**
 * The time as the registry wrote it, in UTC if it names no time zone, or null if it is not a time:
 * a year of five digits, a day that no calendar has, or words.
 */
export function momentOf(text: string): string | null {
  const [whole, year, month, day, separator, clock, zone = 'Z'] = form.exec(text) ?? []
  if (whole === undefined) return null
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== Number(month) - 1) return null
  const moment = separator ? `${year}-${month}-${day}T${clock}${zone}` : `${year}-${month}-${day}`
  return Number.isNaN(Date.parse(moment)) ? null : moment
}

/** An optional date, or null if it is missing or cannot be read. */
export function childMoment(of: Element, uri: string, local: string): string | null {
  const text = childWords(of, uri, local)
  return text === null ? null : momentOf(text)
}

/** A date without which the answer is useless. Throws GarbageInput if it cannot be read. */
export function requiredMoment(of: Element, uri: string, local: string): string {
  return readable(of, { uri, local }, requiredWords(of, uri, local))
}

/** A date that may be left out, but must be readable. */
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
  throw new GarbageInput(`<${local}> of <${of.local}> is not a date: ${text}`, facts)
}

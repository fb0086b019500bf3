// An EPP response (RFC 5730 section 2.6), read out of its tree, and the greeting (section 2.4).
import { GarbageInput } from '../errors.ts'
import { ns } from '../xml/namespaces.ts'
import {
  attribute,
  child,
  childrenOf,
  childWords,
  type Element,
  parseXml,
  words,
} from '../xml/xml.ts'

type MessageQueue = { id: string; count: number; at: string | null; text: string }

export type Reply = {
  code: number
  /** The first result's message, with the server's reasons behind it. */
  message: string
  /** Elements of the command that the server names as the cause (RFC 5730 section 2.6). */
  blamed: Element[]
  queue: MessageQueue | null
  /** The object's part of the answer: the children of resData and of extension. */
  data: Element[]
  extensions: Element[]
  cl_trid: string | null
  sv_trid: string | null
  /** The answer as it came, for what must be kept or looked at later. */
  raw: Buffer
}

export type Greeting = { server: string; objects: string[]; extensions: string[] }

function root(bytes: Buffer): Element {
  const epp = parseXml(bytes)
  if (epp.uri !== ns.epp || epp.local !== 'epp') throw new GarbageInput('Root is not <epp>')
  return epp
}

/** The texts of msg, and of each extValue's reason: what a person needs to see why. */
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

/** Reads a response. Throws GarbageInput when it is none. */
export function parseReply(bytes: Buffer): Reply {
  const response = child(root(bytes), ns.epp, 'response')
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
    raw: bytes,
  }
}

/** Reads a greeting. Throws GarbageInput when it is none. */
export function parseGreeting(bytes: Buffer): Greeting {
  const greeting = child(root(bytes), ns.epp, 'greeting')
  const menu = greeting && child(greeting, ns.epp, 'svcMenu')
  if (!greeting || !menu) throw new GarbageInput('Not a <greeting>')
  const extensions = child(menu, ns.epp, 'svcExtension')
  return {
    server: childWords(greeting, ns.epp, 'svID') ?? '',
    objects: childrenOf(menu, ns.epp, 'objURI').map(words),
    extensions: extensions ? childrenOf(extensions, ns.epp, 'extURI').map(words) : [],
  }
}

/**
 * The object data of a reply by its namespace and name, e.g. domain infData. Throws GarbageInput
 * when missing.
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

// XML parser and writer. Documents are read by saxes, with guards, into a small tree by namespace
// URI. They are written with templates and ONE escape.
import { SaxesParser } from 'saxes'
import { GarbageInput, UnwritableCommand } from '../errors.ts'
import { repairedText } from './repaired-text.ts'

/** Namespaces, whose URIs are also those that a greeting lists and a log-in requests. */
export const ns = {
  epp: 'urn:ietf:params:xml:ns:epp-1.0',
  domain: 'urn:ietf:params:xml:ns:domain-1.0',
  contact: 'urn:ietf:params:xml:ns:contact-1.0',
  host: 'urn:ietf:params:xml:ns:host-1.0',
  rgp: 'urn:ietf:params:xml:ns:rgp-1.0',
  secDNS: 'urn:ietf:params:xml:ns:secDNS-1.1',
  fee: 'urn:ietf:params:xml:ns:epp:fee-1.0',
  loginSec: 'urn:ietf:params:xml:ns:epp:loginSec-1.0',
} as const

/**
 * `text` is the element's own character data, including CDATA, as it was written (see `words` for
 * the collapsed form).
 */
export type Element = {
  uri: string
  local: string
  attributes: Record<string, { value: string; uri: string }>
  children: Element[]
  text: string
}

// saxes becomes very slow for deep nesting (4.6 s at 20,000 tags), and EPP needs less than ten
// levels.
const deepest = 64
const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw new GarbageInput(`Not UTF-8: ${String(error)}`)
  }
}

function build(text: string): Element | undefined {
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  })
  const open: Element[] = []
  let root: Element | undefined
  let current: Element | undefined
  const addText = (characters: string) => {
    if (current) current.text += characters
  }
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && encoding.toLowerCase() !== 'utf-8') {
      throw new GarbageInput(`Encoding ${encoding} is not UTF-8`)
    }
  })
  // Without a DOCTYPE there are no entities to expand, so neither an entity bomb nor reading files
  // is possible.
  parser.on('doctype', () => {
    throw new GarbageInput('A DOCTYPE is not allowed')
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const element: Element = { uri, local, attributes, children: [], text: '' }
    if (current) current.children.push(element)
    else root = element
    open.push(element)
    if (open.length > deepest) throw new GarbageInput(`Nested deeper than ${deepest} levels`)
    current = element
  })
  parser.on('closetag', () => {
    open.pop()
    current = open.at(-1)
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  return root
}

/**
 * Parses one document. Throws GarbageInput for anything but well-formed, namespaced XML 1.0 in
 * UTF-8, without DOCTYPE and at most 64 levels deep. The framing limits the size.
 */
export function parseXml(bytes: Uint8Array): Element {
  const text = decode(bytes)
  let root: Element | undefined
  try {
    root = build(text)
  } catch (error) {
    if (error instanceof GarbageInput) throw error
    throw new GarbageInput(error instanceof Error ? error.message : 'Not XML')
  }
  if (!root) throw new GarbageInput('No root element')
  return root
}

/**
 * The same, but with repaired text if the document is only well-formed without the characters that
 * spoil it.
 */
export function parseRepairedXml(bytes: Uint8Array): { root: Element; repaired: boolean } {
  try {
    return { root: parseXml(bytes), repaired: false }
  } catch (error) {
    if (!(error instanceof GarbageInput)) throw error
    const root = parsedRepaired(bytes)
    if (!root) throw error
    return { root, repaired: true }
  }
}

function parsedRepaired(bytes: Uint8Array): Element | null {
  try {
    return parseXml(Buffer.from(repairedText(bytes)))
  } catch (error) {
    if (!(error instanceof GarbageInput)) throw error
    return null
  }
}

/**
 * The element's text as an xs:token: outer white space is removed, and each run of it becomes one
 * space.
 */
export function words(element: Element): string {
  const { text } = element
  return /\s/.test(text) ? text.trim().replace(/\s+/g, ' ') : text
}

export function child(of: Element, uri: string, local: string): Element | undefined {
  for (const element of of.children) {
    if (element.local === local && element.uri === uri) return element
  }
  return undefined
}

export function childrenOf(of: Element, uri: string, local: string): Element[] {
  return of.children.filter((element) => element.local === local && element.uri === uri)
}

/** The text of a child as a token, or null if there is no such child. */
export function childWords(of: Element, uri: string, local: string): string | null {
  const element = child(of, uri, local)
  return element ? words(element) : null
}

/**
 * Like `childWords`, for a child that the RFC requires: throws GarbageInput if it is missing or
 * empty.
 */
export function requiredWords(of: Element, uri: string, local: string): string {
  const text = childWords(of, uri, local)
  if (!text) throw new GarbageInput(`<${of.local}> has no <${local}>`)
  return text
}

/** The value of an attribute without a namespace. */
export function attribute(of: Element, name: string): string | null {
  const found = of.attributes[name]
  return found ? found.value : null
}

/** An xs:boolean attribute, or null if it is absent or neither true nor false. */
export function flag(of: Element, name: string): boolean | null {
  const value = attribute(of, name)?.trim()
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  return null
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
// C0, DEL, C1 and the non-characters: XML forbids most of them, and no field of EPP needs the
// others.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const forbidden = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/

/**
 * The only way for a value into a frame, for text and for attributes. Throws UnwritableCommand for
 * control characters, including line ends, and for lone surrogates.
 */
export function escapeXml(value: string): string {
  if (forbidden.test(value)) throw new UnwritableCommand('Text holds a control character')
  if (!value.isWellFormed()) throw new UnwritableCommand('Text holds a lone surrogate')
  return /[&<>"']/.test(value) ? value.replace(/[&<>"']/g, (c) => escapes[c] ?? c) : value
}

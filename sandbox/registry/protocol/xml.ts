// Parses a command frame into a tree with namespaces by URI; refuses DOCTYPE and deep nesting.
import { SaxesParser } from 'saxes'

const MAX_DEPTH = 50

/** One XML element: namespace URI, local name, attributes by local name, children and own text. */
export type Element = {
  ns: string
  name: string
  attributes: Map<string, string>
  children: Element[]
  text: string
}

/** The text is not XML that this server accepts; the message explains why. */
export class XmlError extends Error {}

/** Parses one document and returns its root. @throws XmlError */
export function parseXml(text: string): Element {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const open: Element[] = []
  let root: Element | null = null
  parser.on('xmldecl', (declaration) => {
    const encoding = declaration.encoding?.toLowerCase()
    if (encoding !== undefined && encoding !== 'utf-8') throw new XmlError('only UTF-8 is read')
  })
  parser.on('doctype', () => {
    throw new XmlError('a DOCTYPE is refused')
  })
  parser.on('opentag', (tag) => {
    if (open.length >= MAX_DEPTH) throw new XmlError(`nested deeper than ${MAX_DEPTH}`)
    const attributes = new Map<string, string>()
    for (const attribute of Object.values(tag.attributes)) {
      attributes.set(attribute.local, attribute.value)
    }
    const element = { ns: tag.uri, name: tag.local, attributes, children: [], text: '' }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  const append = (text: string): void => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  }
  parser.on('text', append)
  parser.on('cdata', append)
  try {
    parser.write(text).close()
  } catch (error) {
    throw error instanceof XmlError ? error : new XmlError(messageOf(error))
  }
  if (root === null) throw new XmlError('no element')
  return root
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Text as XML character data or a double-quoted attribute value. */
export function escapeXml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign) : text
}

/** Text as an xs:token, with its white space collapsed. */
export function collapse(text: string): string {
  return text.replace(/[\t\n\r ]+/g, ' ').trim()
}

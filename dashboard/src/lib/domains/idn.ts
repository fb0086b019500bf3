// Internationalized domain names: A-labels as the U-labels that people write (RFC 5890 2.3.2.1).
/// <reference path="./punycode.d.ts" />
import { decode } from 'punycode/punycode.es6.js'

const a_label = /\bxn--([a-z0-9-]+)/gi
/**
 * Letters, marks, digits, and two dots that stand between letters (RFC 5892), but no character that
 * looks like "/".
 */
const u_label = /^[\p{L}\p{M}\p{Nd}\u00b7\u30fb-]+$/u

/**
 * Decodes a domain, or a text with domains in it. A label is left alone unless the browser encodes
 * its U-label to the same A-label: "xn--a-" would read as another name, and some labels reverse the
 * direction of text.
 */
export function toUnicode(text: string): string {
  return text.replaceAll(a_label, (label: string, encoded: string) => {
    try {
      const unicode = decode(encoded.toLowerCase())
      const isSame = new URL(`http://${unicode}/`).hostname === label.toLowerCase()
      return isSame && u_label.test(unicode) ? unicode : label
    } catch {
      // The label is neither Punycode nor a host name.
      return label
    }
  })
}

// Internationalized domain names: A-labels as the U-labels that people write (RFC 5890 2.3.2.1).
/// <reference path="./punycode.d.ts" />
import { decode } from 'punycode/punycode.es6.js'

const a_label = /\bxn--([a-z0-9-]+)/gi
/** Letters, marks, digits, and two dots between letters (RFC 5892): no sign that looks like "/". */
const u_label = /^[\p{L}\p{M}\p{Nd}\u00b7\u30fb-]+$/u

/**
 * A domain, or a text with domains in it. A label stays as it is unless the browser encodes its
 * U-label to the same A-label: "xn--a-" would read as another name, and others turn text around.
 */
export function toUnicode(text: string): string {
  return text.replaceAll(a_label, (label: string, encoded: string) => {
    try {
      const unicode = decode(encoded.toLowerCase())
      const isSame = new URL(`http://${unicode}/`).hostname === label.toLowerCase()
      return isSame && u_label.test(unicode) ? unicode : label
    } catch {
      // Neither Punycode nor a host name.
      return label
    }
  })
}

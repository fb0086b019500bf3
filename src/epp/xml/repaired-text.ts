// Lenient reading of an answer that strict XML refuses: unreadable characters spoil only their own
// text. Registries pass on texts as registrants typed them: form feeds, Latin-1, HTML entities.

/** Replaces everything that cannot be read. */
const unreadable = '\ufffd'

/** Everything except the characters of XML 1.0 (section 2.2). */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const forbiddenOne = new RegExp(forbidden.source, 'u')

/** Within CDATA an ampersand stands for itself; elsewhere it begins one of these references. */
const referenceOrCdata =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&(?:(?:amp|lt|gt|quot|apos);|#(\d{1,8}|x[0-9a-fA-F]{1,6});)?/g

const lenientUtf8 = new TextDecoder('utf-8')

function repairedReference(found: string, number: string | undefined): string {
  if (found === '&') return '&amp;'
  if (number === undefined) return found
  const code = number.startsWith('x') ? Number.parseInt(number.slice(1), 16) : Number(number)
  const isCharacter = code <= 0x10ffff && !forbiddenOne.test(String.fromCodePoint(code))
  return isCharacter ? found : unreadable
}

/** The text from the first tag to the last. */
function documentIn(text: string): string {
  const first = text.indexOf('<')
  return first < 0 ? text : text.slice(first, text.lastIndexOf('>') + 1)
}

/**
 * The text of a frame with a replacement character for each byte that is not UTF-8, each character
 * that XML 1.0 forbids and each reference to one. An ampersand that begins no known reference
 * stands for itself, and everything around the document is left out. Tags stay as they are.
 */
export function repairedText(bytes: Uint8Array): string {
  const text = lenientUtf8.decode(bytes).replace(forbidden, unreadable)
  return documentIn(text)
    .replace(/^<\?xml\b[^>]*\?>/, '')
    .replace(referenceOrCdata, (found, number) => repairedReference(found, number))
}

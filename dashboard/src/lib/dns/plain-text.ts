// TXT contents as people read them: the text without the quotes and escapes of its presentation
// form (RFC 1035 5.1), if sending the text alone means the same.
const strings = /"((?:[^"\\]|\\.)*)"/gs
const escaped = /\\(?:(\d{3})|(.))/gs
/** Texts that the service would interpret, or ask about. */
const ambiguous = /^\s|\s$|^$|^\\#|["\p{Cc}\p{Cf}]|\\(?:[;\\]|\d{3})/u

/**
 * The text of a content in presentation form, or that form itself if the text alone would mean
 * something else.
 */
export function plainText(presented: string): string {
  const octets = Array.from(presented.matchAll(strings), ([, inner = '']) => octetsOf(inner)).flat()
  const text = decoded(octets)
  return text === null || ambiguous.test(text) ? presented : text
}

function octetsOf(inner: string): number[] {
  const octets: number[] = []
  let at = 0
  const literal = (until: number) =>
    octets.push(...new TextEncoder().encode(inner.slice(at, until)))
  for (const match of inner.matchAll(escaped)) {
    literal(match.index)
    const [whole, code, sign = ''] = match
    octets.push(code === undefined ? sign.charCodeAt(0) : Number(code))
    at = match.index + whole.length
  }
  literal(inner.length)
  return octets
}

function decoded(octets: readonly number[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(octets),
    )
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

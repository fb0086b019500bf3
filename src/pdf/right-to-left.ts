// Lines with Hebrew or Arabic in the visual order of their words, in a document that runs from left
// to right (a part of UAX 9). pdfkit only reverses the characters within a word.

const rtl = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}]/u

export const hasRightToLeft = (text: string) => rtl.test(text)

/** The words, numbers and spaces of a line. A word that mixes directions is cut. */
function tokensOf(line: string): string[] {
  const ofScripts = '[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Nko}\\p{M}]'
  return line.match(new RegExp(`\\s+|${ofScripts}+|(?:(?!${ofScripts})\\S)+`, 'gu')) ?? []
}

/**
 * The parts of a line in their visual order from left to right. Adjacent words of one direction
 * form one part.
 */
export function seenOrder(line: string): string[] {
  const tokens = tokensOf(line)
  const seen: string[] = []
  for (let from = 0; from < tokens.length; ) {
    const end = endOfRun(tokens, from)
    for (const token of tokens.slice(from, end).reverse()) {
      const last = seen.at(-1)
      const joins = last !== undefined && !hasRightToLeft(last) && !hasRightToLeft(token)
      if (joins) seen[seen.length - 1] = last + token
      else seen.push(token)
    }
    from = end
  }
  return seen
}

/**
 * The place after the last right-to-left word or number before the next word that runs from left to
 * right.
 */
function endOfRun(tokens: readonly string[], from: number): number {
  if (!hasRightToLeft(tokens[from] ?? '')) return from + 1
  let end = from + 1
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at] ?? ''
    if (hasRightToLeft(token) || /^\p{N}/u.test(token)) end = at + 1
    else if (/\p{L}/u.test(token)) break
  }
  return end
}

type WidthOf = (text: string) => number

/** The line in parts that are not wider than `width`, split at spaces, or else within a word. */
export function wrapped(line: string, width: number, widthOf: WidthOf): string[] {
  const lines: string[] = []
  for (const word of line.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(...(widthOf(word) <= width ? [word] : cut(word, width, widthOf)))
  }
  return lines
}

function cut(word: string, width: number, widthOf: WidthOf): string[] {
  const parts: string[] = []
  let used = 0
  for (const character of word) {
    const own = widthOf(character)
    if (parts.length === 0 || used + own > width) {
      parts.push(character)
      used = own
    } else {
      parts[parts.length - 1] += character
      used += own
    }
  }
  return parts
}

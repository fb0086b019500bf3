// Lines with Hebrew or Arabic in the order in which their words are seen, in a document that runs
// from left to right (a part of UAX 9). pdfkit turns the characters within a word, and no more.

const rtl = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Nko}]/u

export const hasRightToLeft = (text: string) => rtl.test(text)

/** Words, numbers and spaces; a word that mixes directions is cut. */
function tokensOf(line: string): string[] {
  const ofScripts = '[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Nko}\\p{M}]'
  return line.match(new RegExp(`\\s+|${ofScripts}+|(?:(?!${ofScripts})\\S)+`, 'gu')) ?? []
}

/** The tokens of a line as they are seen from left to right. */
export function seenOrder(line: string): string[] {
  const tokens = tokensOf(line)
  const seen: string[] = []
  let from = 0
  while (from < tokens.length) {
    const end = endOfRun(tokens, from)
    const run = tokens.slice(from, end)
    seen.push(...(run.length > 1 ? run.reverse() : run))
    from = end
  }
  return seen
}

/**
 * After the last right-to-left word or number before the next word that runs from left to right.
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

/** The line in parts that are not wider than `width`, by the spaces. */
export function wrapped(line: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  for (const word of line.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || widthOf(longer) > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

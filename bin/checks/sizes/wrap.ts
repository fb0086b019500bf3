// Wraps comments that are too wide at a word, because biome formats code but leaves comments as
// they are.

type Line = { text: string; comment: boolean }

/** A comment that has a line to itself: its indent and mark, then its words. */
const marked = /^(\s*(?:\/\/|\*)\s)(\S.*)$/
const oneLineBlock = /^(\s*)\/\*\*\s+(.*\S)\s*\*\/$/
/**
 * Words that begin a paragraph, an item, a row or a directive of their own: nothing flows into
 * them.
 */
const apart = /^([-*|@#<]|\d+[.)]\s|biome-ignore)/

/**
 * The text with every comment that is wider than `width` wrapped; the rest of its paragraph is
 * filled up again. `comments` are the lines (counted from 1) that contain a comment, because text
 * in a string can look like one.
 */
export function wrapComments(text: string, comments: ReadonlySet<number>, width: number): string {
  const lines = text
    .split('\n')
    .map((line, at): Line => ({ text: line, comment: comments.has(at + 1) }))
    .flatMap((line) => openBlock(line, width))
  for (const [at, line] of lines.entries()) {
    const [, mark, words] = wordsOf(line)
    const cut =
      wide(line.text) > width ? (words?.lastIndexOf(' ', width - wide(mark ?? '')) ?? 0) : 0
    if (mark === undefined || words === undefined || cut <= 0) continue
    line.text = `${mark}${words.slice(0, cut)}`
    const rest = `${mark}${words.slice(cut + 1)}`
    const below = lines[at + 1]
    const [, markBelow, wordsBelow] = below ? wordsOf(below) : []
    if (below && wordsBelow && markBelow === mark && !apart.test(wordsBelow))
      below.text = `${rest} ${wordsBelow}`
    else lines.splice(at + 1, 0, { text: rest, comment: true })
  }
  return lines.map((line) => line.text).join('\n')
}

function wordsOf(line: Line): readonly (string | undefined)[] {
  return (line.comment && marked.exec(line.text)) || []
}

function openBlock(line: Line, width: number): Line[] {
  const [, indent, words] = (line.comment && oneLineBlock.exec(line.text)) || []
  if (indent === undefined || words === undefined || wide(line.text) <= width) return [line]
  const opened = [`${indent}/**`, `${indent} * ${words}`, `${indent} */`]
  return opened.map((text) => ({ text, comment: true }))
}

/** How many characters a line is wide. */
export function wide(line: string): number {
  return [...line].length
}

// Named parameters: rewrites `:name` in the text of a statement to the positional `$1, $2, ...` of
// PostgreSQL, so that two swapped arguments are two wrong names.

const initial = 'A-Za-z_\\u0080-\\uffff'
// A colon or a dollar in the first five is no parameter. An unclosed one runs to the end:
// PostgreSQL says what is wrong with it. A colon right after a word, a bracket or another colon is
// a cast or a slice.
const token = new RegExp(
  [
    `[eE]'(?:[^'\\\\]|''|\\\\[^])*'?`,
    `'(?:[^']|'')*'?`,
    `"(?:[^"]|"")*"?`,
    `--[^\\n]*`,
    `\\$(?<tag>[${initial}][${initial}0-9]*)?\\$[^]*?(?:\\$\\k<tag>\\$|$)`,
    `[${initial}0-9][${initial}0-9$]*`,
    `(?<![${initial}0-9$:\\])'"]):(?<name>[${initial}][${initial}0-9$]*)`,
    `(?<position>\\$\\d+)`,
  ].join('|'),
  'y',
)

function endOfComment(text: string, start: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  let depth = 0
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  return text.length
}

type Part = { text: string; name?: string | undefined; position?: string | undefined }

function* partsOf(text: string): Generator<Part> {
  let at = 0
  while (at < text.length) {
    token.lastIndex = at
    const found = text.startsWith('/*', at) ? null : token.exec(text)
    const comment = text.startsWith('/*', at) ? endOfComment(text, at) : at + 1
    const end = found ? at + found[0].length : comment
    yield { text: text.slice(at, end), ...found?.groups }
    at = end
  }
}

export type Numbered = { text: string; params: readonly string[] }

/** The text with `$1..$n` in place of its parameters, and their names in this order. */
export function numberParameters(source: string): Numbered {
  const params: string[] = []
  let text = ''
  for (const { text: part, name, position } of partsOf(source)) {
    if (position !== undefined) throw new Error(`${position} has no name: write it as :name`)
    if (name !== undefined && !/^[a-z][a-z0-9_]*$/.test(name))
      throw new Error(`:${name} is not in lower snake case`)
    if (name !== undefined && !params.includes(name)) params.push(name)
    text += name === undefined ? part : `$${params.indexOf(name) + 1}`
  }
  return { text, params }
}

/** Where a character of the rewritten text is in its source; both count from 1. */
export function sourcePosition(source: string, position: number): number {
  const { params } = numberParameters(source)
  let rewritten = 1
  let original = 1
  for (const { text, name } of partsOf(source)) {
    const length = name === undefined ? text.length : `$${params.indexOf(name) + 1}`.length
    if (rewritten + length > position)
      return name === undefined ? original + position - rewritten : original
    rewritten += length
    original += text.length
  }
  return original
}

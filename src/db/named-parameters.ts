// Named parameters: rewrites `:name` in the text of a statement to the positional `$1, $2, ...` of
// PostgreSQL, so that two swapped arguments are two wrong names.

const initial = 'A-Za-z_\\u0080-\\uffff'
const inWord = `${initial}0-9$`
// Quoted text and comments hold no parameters; unclosed, they run to the end, and PostgreSQL
// reports it. A colon right after a word, a bracket or a colon is a cast or a slice.
const token = new RegExp(
  [
    // A string that goes on after a line break has the same escapes.
    `(?<![${inWord}])[eE]'(?:[^'\\\\]|''|\\\\[^]|'[ \\t]*[\\n\\r]\\s*')*'?`,
    `'(?:[^']|'')*'?`,
    `"(?:[^"]|"")*"?`,
    `--[^\\n\\r]*`,
    `/\\*`,
    `(?<![${inWord}])\\$(?<tag>[${initial}][${initial}0-9]*)?\\$[^]*?(?:\\$\\k<tag>\\$|$)`,
    `(?<![${inWord}:\\])'"]):(?<name>[${initial}][${inWord}]*)`,
    `(?<![${inWord}])(?<position>\\$\\d+)`,
  ].join('|'),
  'g',
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

type Place = { name: string; start: number; end: number }

/** The places of parameters in a text, in its order. */
function* placesOf(text: string): Generator<Place> {
  token.lastIndex = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const start = found.index
    const end = found[0] === '/*' ? endOfComment(text, start) : token.lastIndex
    const { name, position } = found.groups ?? {}
    if (position !== undefined) throw new Error(`${position} has no name: write it as :name`)
    if (name !== undefined && !/^[a-z][a-z0-9_]*$/.test(name))
      throw new Error(`:${name} is not in lower snake case`)
    if (name !== undefined) yield { name, start, end }
    token.lastIndex = end
  }
}

export type Numbered = { text: string; params: readonly string[] }

/** The text with `$1..$n` in place of its parameters, and their names in this order. */
export function numberParameters(source: string): Numbered {
  const params: string[] = []
  let text = ''
  let copied = 0
  for (const { name, start, end } of placesOf(source)) {
    if (!params.includes(name)) params.push(name)
    text += `${source.slice(copied, start)}$${params.indexOf(name) + 1}`
    copied = end
  }
  return { text: text + source.slice(copied), params }
}

/** The position in the source of a character of the rewritten text; both count from 1. */
export function sourcePosition(source: string, position: number): number {
  const { params } = numberParameters(source)
  let removed = 0
  for (const { name, start, end } of placesOf(source)) {
    const at = start - removed + 1
    const length = `$${params.indexOf(name) + 1}`.length
    if (position < at) break
    if (position < at + length) return start + 1
    removed += end - start - length
  }
  return position + removed
}

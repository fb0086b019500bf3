// PostgreSQL's text form of arrays: {a,"b \"c\"",NULL,{...}} (manual, 8.15.6).

export type ArrayText = (string | null | ArrayText)[]

/** One element, or a bracket or comma between elements. */
const token = /\{|\}|,|"((?:[^"\\]|\\.)*)"|[^{},"]+/gsy

/** Reads an array; elements stay text, NULL is null. Throws SyntaxError for anything else. */
export function parseArray(text: string): ArrayText {
  // Bounds come first when they are not the usual ones: [0:1]={a,b}
  const body = text.startsWith('[') ? text.slice(text.indexOf('=') + 1) : text
  const open: ArrayText[] = []
  token.lastIndex = 0
  for (let match = token.exec(body); match !== null; match = token.exec(body)) {
    const [whole, quoted] = match
    const inner = open.at(-1)
    if (whole === '{') {
      const list: ArrayText = []
      inner?.push(list)
      open.push(list)
    } else if (whole === '}') {
      const list = open.pop()
      if (list && open.length === 0 && token.lastIndex === body.length) return list
    } else if (whole !== ',') {
      inner?.push(quoted === undefined ? bare(whole) : quoted.replace(/\\(.)/gs, '$1'))
    }
  }
  throw new SyntaxError(`Not an array of PostgreSQL: ${text.slice(0, 80)}`)
}

function bare(word: string): string | null {
  return word === 'NULL' ? null : word
}

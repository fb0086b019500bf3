// Words of a POSIX shell command (POSIX.1-2024, Shell Command Language, 2.2 Quoting), as far as the
// curl samples of the documents use them.

/** The words of one command; variables are replaced within double quotes and outside of them. */
function shellWords(command: string, variables: Record<string, string>): string[] {
  const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(\n)|\\(.)|([^\s'"\\]+)|(\s+)/gs
  const words: string[] = []
  let word: string | null = null
  for (const [, single, double, folded, escaped, bare, space] of command.matchAll(part)) {
    if (folded !== undefined) continue
    if (space !== undefined) {
      if (word !== null) words.push(word)
      word = null
      continue
    }
    const expanded = single ?? escaped ?? expand(double ?? bare ?? '', variables)
    word = (word ?? '') + expanded
  }
  return word === null ? words : [...words, word]
}

function expand(text: string, variables: Record<string, string>): string {
  return text.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`$${name} is not set`)
    return value
  })
}

export type CurlCall = {
  method: string
  url: URL
  headers: Headers
  body: string | undefined
}

/** The request of a curl command line. */
export function curlCall(command: string, variables: Record<string, string>): CurlCall {
  const [program, ...words] = shellWords(command, variables)
  if (program !== 'curl') throw new Error(`${program} is not curl`)
  const call: CurlCall = {
    method: 'GET',
    url: new URL('about:blank'),
    headers: new Headers(),
    body: undefined,
  }
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('-')) {
      call.url = new URL(word)
      continue
    }
    const value = words.shift() ?? ''
    const [name = '', text = ''] = value.split(/: (.*)/s)
    if (word === '-X') call.method = value
    else if (word === '-H') call.headers.set(name, text)
    else if (word === '-b') call.headers.set('Cookie', value)
    else if (word === '-d') call.body = value
    else throw new Error(`curl ${word} is not read here`)
  }
  return call
}

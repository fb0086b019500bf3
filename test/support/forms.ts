// Reads the forms of our plain HTML pages, as a browser shows them.

export type Input = { type: string; name: string; value: string; checked: boolean }
export type Form = { action: URL; inputs: Input[] }

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(#\d+|#x[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16))
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)))
    return named[name] ?? whole
  })
}

function attributesOf(tag: string): Map<string, string> {
  const found = tag.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/gi)
  return new Map([...found].map(([, name = '', value = '']) => [name, decode(value)]))
}

function inputOf(tag: string): Input {
  const attributes = attributesOf(tag)
  const type = tag.startsWith('<button') ? 'submit' : (attributes.get('type') ?? 'text')
  const name = attributes.get('name') ?? ''
  // A box without a value sends "on".
  const value = attributes.get('value') ?? (type === 'checkbox' ? 'on' : '')
  return { type, name, value, checked: attributes.has('checked') }
}

/** The only form of a page; undefined for a page without one. Throws for more. */
export function formOf(page: string, url: URL): Form | undefined {
  const [form, ...others] = page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)
  if (!form) return undefined
  if (others.length > 0) throw new Error(`${url} has more than one form`)
  const [, opening = '', inside = ''] = form
  const action = new URL(attributesOf(opening).get('action') ?? '', url)
  const tags = inside.match(/<(?:input|button)\b[^>]*>/g) ?? []
  return { action, inputs: tags.map(inputOf) }
}

/** Where a page redirects the browser; undefined for one that stays. */
export function onwardOf(page: string, url: URL): URL | undefined {
  const tag = /<meta http-equiv="refresh"[^>]*>/.exec(page)?.[0]
  const target = tag && /url=(.*)$/.exec(attributesOf(tag).get('content') ?? '')?.[1]
  return target === undefined ? undefined : new URL(target, url)
}

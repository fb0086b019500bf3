// Untrusted text in mails: folded to one line before it stands among our own words.

// Control characters, line and paragraph separators, characters that turn the direction of the text
// around them, lone surrogates and noncharacters.
const breaking = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufeff]+/gu
const longest = 200

/**
 * One line of at most 200 characters: breaks, direction marks and lone surrogates become a space.
 */
export function oneLine(text: string): string {
  const line = folded(text)
  const characters = [...line]
  return characters.length <= longest ? line : `${characters.slice(0, longest - 3).join('')}...`
}

/** One line of any length. */
export function folded(text: string): string {
  return text.replaceAll(breaking, ' ').replaceAll(/\s+/gu, ' ').trim()
}

/** Lines of at most `width` characters, broken at spaces only: names and addresses stay whole. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** A URL of ours within a sentence; a string that looks like one is never a link. */
export class Link {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }
}

export function link(url: string): Link {
  return new Link(url)
}

type Value = string | number | Link

/** A sentence or a paragraph that is safe to stand in a mail; only `words` makes one. */
export class Words {
  /** The parts in their order. A link is a Link. */
  readonly parts: readonly (string | Link)[]

  constructor(parts: readonly (string | Link)[]) {
    this.parts = parts
  }

  toString(): string {
    return this.parts.map((part) => (part instanceof Link ? part.url : part)).join('')
  }
}

/**
 * Our own text with inserted text of others, which is folded: words`The key "${name}" is revoked.`
 */
export function words(strings: TemplateStringsArray, ...values: Value[]): Words {
  const lines = values.map((value) => (value instanceof Link ? value : oneLine(String(value))))
  return new Words(strings.flatMap((part, i) => (i === 0 ? [part] : [lines[i - 1] ?? '', part])))
}

/** One paragraph of several sentences. */
export function paragraph(...sentences: readonly Words[]): Words {
  return new Words(sentences.flatMap(({ parts }, i) => (i === 0 ? parts : [' ', ...parts])))
}

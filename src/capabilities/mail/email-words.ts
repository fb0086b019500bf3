// Text for mails: what others wrote is folded to one line before it stands among our own words.

// Control characters, line and paragraph separators, what turns the direction of the text around
// it, lone surrogates and noncharacters.
const breaking = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufeff]+/gu
const longest = 200

/**
 * One line of at most 200 characters: breaks, direction marks and lone surrogates become a space.
 */
export function oneLine(text: string): string {
  const line = text.replaceAll(breaking, ' ').replaceAll(/\s+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= longest ? line : `${characters.slice(0, longest - 3).join('')}...`
}

/** A sentence or a paragraph that is safe to stand in a mail; only `words` makes one. */
export class Words {
  readonly #text: string

  constructor(strings: readonly string[], values: readonly (string | number)[]) {
    this.#text = strings.reduce((text, part, i) => text + oneLine(String(values[i - 1])) + part)
  }

  toString(): string {
    return this.#text
  }
}

/** Our words with others' among them, each folded: words`The key "${name}" is revoked.` */
export function words(strings: TemplateStringsArray, ...values: (string | number)[]): Words {
  return new Words(strings, values)
}

/** One paragraph of several sentences. */
export function paragraph(...sentences: readonly Words[]): Words {
  return new Words([sentences.join(' ')], [])
}

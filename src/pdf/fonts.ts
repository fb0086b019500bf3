// The fonts that are embedded in documents, and the text in characters that they have: DejaVu has
// the European scripts, Hebrew and Arabic. Characters of other scripts, such as Han, are
// transliterated.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import anyAscii from 'any-ascii'
import { create } from 'fontkit'

const { resolve } = createRequire(import.meta.url)
const font = (name: string) => readFileSync(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))

export const fonts = { regular: font('DejaVuSans'), bold: font('DejaVuSans-Bold') }
export type Weight = keyof typeof fonts

let known: Set<number> | undefined

/** The characters that each of the fonts has. */
function covered(): Set<number> {
  if (known) return known
  const bold = charactersOf(fonts.bold)
  known = new Set([...charactersOf(fonts.regular)].filter((one) => bold.has(one)))
  return known
}

function charactersOf(bytes: Buffer): Set<number> {
  const opened = create(bytes)
  return new Set('characterSet' in opened ? opened.characterSet : [])
}

const inFonts = (character: string) => covered().has(character.codePointAt(0) ?? 0)

/** Whether the fonts have each character of the text. */
export function isCovered(text: string): boolean {
  return [...text.normalize('NFC')].every(inFonts)
}

/**
 * The text in characters that the fonts have. Line breaks stay. Transliterated characters are
 * separated by spaces, like words.
 */
export function printable(text: string): string {
  const lines = text.normalize('NFC').split(/\r?\n/)
  return lines.map((line) => (isCovered(line) ? line : transliterated(line))).join('\n')
}

function transliterated(line: string): string {
  const parts: string[] = []
  let hasGap = true
  for (const character of line) {
    const isKept = inFonts(character)
    const part = isKept ? character : latinOf(character)
    if (part === '') continue
    const isWord = !isKept && /^\p{Lu}/u.test(part)
    if (isWord && !hasGap) parts.push(' ')
    parts.push(part)
    hasGap = /\s/.test(character)
  }
  return parts.join('')
}

/** The text is empty for characters that show nothing of their own. */
function latinOf(character: string): string {
  const latin = anyAscii(character)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
  return latin !== '' || /[\p{M}\p{Z}\p{Cc}\p{Cf}]/u.test(character) ? latin : '?'
}

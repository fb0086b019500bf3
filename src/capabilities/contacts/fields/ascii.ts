// Transliteration to ASCII, which every registry accepts: accents are removed, a few letters
// spelled out.

const spelled: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŋ: 'n',
  Ŋ: 'N',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
}

/** The text without accents. Characters without an ASCII form (other scripts) stay unchanged. */
export function withoutAccents(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  // Marks of other scripts are part of their letters: the text would differ without them.
  const plain = /^[\p{Script=Latin}\p{Script=Common}]*$/u.test(bare) ? bare : text.normalize('NFC')
  return plain.replaceAll(/[^\x20-\x7e]/g, (character) => spelled[character] ?? character)
}

/** For comparing names: no accents, no case, no punctuation. */
export function folded(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replaceAll(/[.'"]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

// Text in the letters that every registry takes: accents fall away, a few letters are spelled out.

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

/** The text without accents. What has no ASCII form by that (other scripts) stays as it is. */
export function withoutAccents(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  // Marks of other scripts are part of their letters: without them the text would say something
  // else.
  const plain = /^[\p{Script=Latin}\p{Script=Common}]*$/u.test(bare) ? bare : text.normalize('NFC')
  return plain.replaceAll(/[^\x20-\x7e]/g, (letter) => spelled[letter] ?? letter)
}

/** For comparing names: no accents, no case, no punctuation. */
export function folded(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replaceAll(/[.'"]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

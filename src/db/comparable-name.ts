// Names that people choose, compared as they look: in NFKC (Unicode Standard Annex 15), without
// invisible characters, and regardless of the case of ASCII letters.

/** Default_Ignorable_Code_Point of Unicode, control characters, and the empty braille cell. */
const unseen =
  '[\\u0001-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5' +
  '\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-' +
  '\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a' +
  '\\U000e0000-\\U000e0fff]'

/**
 * SQL of the form by which a text is compared, which is empty if none of it is visible. An index of
 * contacts has exactly this expression (migration 0061).
 */
export function comparableName(text: string): string {
  const seen = `regexp_replace(normalize(${text}, NFKC), '${unseen}', '', 'g')`
  return `lower(btrim(regexp_replace(normalize(${seen}, NFKC), '\\s+', ' ', 'g')) collate "C")`
}

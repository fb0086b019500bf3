// Form-encoded requests as Stripe reads them: `a[b][0][c]=v` describes nested objects and arrays.

export type Fields = { [name: string]: string | Fields }

/** The indexes of arrays stay names: '0', '1'. */
export function parseForm(text: string): Fields {
  const fields: Fields = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const names = key.split(/\]\[|\[|\]/).filter((name) => name !== '')
    const last = names.pop()
    if (last === undefined) continue
    let place = fields
    for (const name of names) {
      const inner = place[name]
      const next: Fields = typeof inner === 'object' ? inner : {}
      place[name] = next
      place = next
    }
    place[last] = value
  }
  return fields
}

/** A field by its path, or undefined if there is none or its value is an object. */
export function fieldAt(fields: Fields, ...path: string[]): string | undefined {
  let place: string | Fields | undefined = fields
  for (const name of path) place = typeof place === 'object' ? place[name] : undefined
  return typeof place === 'string' ? place : undefined
}

/** The texts of an object, such as `metadata`. */
export function textsAt(fields: Fields, name: string): Record<string, string> {
  const place = fields[name]
  if (typeof place !== 'object') return {}
  const entries = Object.entries(place).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[key, value]] : [],
  )
  return Object.fromEntries(entries)
}

// The word that a mistyped one may have meant: the one with the least edit distance, of at most two
// characters.

export function nearest(word: string, names: readonly string[]): string | null {
  const near = names.map((name) => ({ name, far: distance(word, name) }))
  const [best] = near.sort((a, b) => a.far - b.far)
  // Two characters would be most of a short word.
  return best !== undefined && best.far <= Math.min(2, word.length - 1) ? best.name : null
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [index, character] of [...a].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...b].entries()) {
      const same = (row[column] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(same, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

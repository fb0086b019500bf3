// Recent clTRIDs of each registrar, in two generations of bounded size.

const HALF = 50_000

export class Seen {
  #recent = new Set<string>()
  #older = new Set<string>()

  /** True when this registrar used the clTRID before; adds it otherwise. */
  check(registrar: string, clTrid: string): boolean {
    const key = `${registrar} ${clTrid}`
    if (this.#recent.has(key) || this.#older.has(key)) return true
    this.#recent.add(key)
    if (this.#recent.size < HALF) return false
    this.#older = this.#recent
    this.#recent = new Set()
    return false
  }
}

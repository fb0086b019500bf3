// Merkle trees by RFC 6962 (RFC 9162 section 2.1): one hash for many rows, and a short proof that a
// row is among them.
import { hash } from 'node:crypto'

const leafPrefix = Buffer.of(0)
const nodePrefix = Buffer.of(1)

const sha256 = (octets: Buffer): Buffer => hash('sha256', octets, 'buffer')
const leafOf = (entry: Buffer): Buffer => sha256(Buffer.concat([leafPrefix, entry]))
const nodeOf = (left: Buffer, right: Buffer): Buffer =>
  sha256(Buffer.concat([nodePrefix, left, right]))

/** One level up: pairs are joined, a last one without a partner rises as it is. */
function parents(level: readonly Buffer[]): Buffer[] {
  const above: Buffer[] = []
  for (let i = 0; i < level.length; i += 2) {
    const [left, right] = [level[i], level[i + 1]]
    if (left) above.push(right ? nodeOf(left, right) : left)
  }
  return above
}

/** The root over the entries in their order (RFC 9162 2.1.1). */
export function merkleRoot(entries: readonly Buffer[]): Buffer {
  let level = entries.map(leafOf)
  while (level.length > 1) level = parents(level)
  return level[0] ?? sha256(Buffer.alloc(0))
}

/** The same root over any number of entries, of which one hash for each level is kept. */
export class MerkleStream {
  /** Roots of complete subtrees, the largest first: one for each bit of the count. */
  #subtrees: Buffer[] = []
  #count = 0

  push(entry: Buffer): void {
    let root = leafOf(entry)
    for (let rest = this.#count; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      const left = this.#subtrees.pop()
      if (left) root = nodeOf(left, root)
    }
    this.#subtrees.push(root)
    this.#count += 1
  }

  root(): Buffer {
    const [last, ...before] = this.#subtrees.toReversed()
    if (!last) return merkleRoot([])
    return before.reduce((root, left) => nodeOf(left, root), last)
  }
}

/** The siblings from the entry at `index` up to the root (RFC 9162 2.1.3.1). */
export function merklePath(entries: readonly Buffer[], index: number): Buffer[] {
  const path: Buffer[] = []
  let level = entries.map(leafOf)
  for (let at = index; level.length > 1; at >>= 1) {
    const sibling = level[at ^ 1]
    if (sibling) path.push(sibling)
    level = parents(level)
  }
  return path
}

/**
 * The root that a path leads to (RFC 9162 2.1.3.2); null when it cannot be a path in a tree of that
 * size.
 */
export function rootOfPath(
  entry: Buffer,
  { index, size, path }: { index: number; size: number; path: readonly Buffer[] },
): Buffer | null {
  if (!Number.isInteger(index) || index < 0 || index >= size) return null
  let at = index
  let last = size - 1
  let root = leafOf(entry)
  for (const sibling of path) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      root = nodeOf(sibling, root)
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2)
        last = Math.floor(last / 2)
      }
    } else {
      root = nodeOf(root, sibling)
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? root : null
}

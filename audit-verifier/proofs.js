// @ts-check
// The proofs of an exported audit log: SHA-256, RFC 8785 JSON, Merkle trees (RFC 9162, section 2.1)
// and Ed25519. They are written independently of the service, whose output they verify.
import { createHash, createPublicKey, verify } from 'node:crypto'

/** @typedef {import('node:crypto').KeyObject} KeyObject */

const leafPrefix = Buffer.of(0)
const nodePrefix = Buffer.of(1)

/** @param {readonly (Buffer | string)[]} parts */
function sha256(...parts) {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

/** @param {string} text @returns {string} The digest, in hex. */
export const hashOf = (text) => sha256(text).toString('hex')

/**
 * The canonical form (RFC 8785) of a flat object of texts, integers, booleans and nulls: its
 * members are sorted by name.
 * @param {Record<string, unknown>} value
 */
export function canonicalJson(value) {
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(members))
}

/**
 * @param {readonly string[]} hashes The hashes in hex, in their order. @returns {string} The root,
 * in hex.
 */
export function merkleRoot(hashes) {
  let level = hashes.map((hash) => sha256(leafPrefix, Buffer.from(hash, 'hex')))
  while (level.length > 1)
    level = level.flatMap((left, at) => {
      if (at % 2 === 1) return []
      const right = level[at + 1]
      return [right ? sha256(nodePrefix, left, right) : left]
    })
  return (level[0] ?? sha256('')).toString('hex')
}

/**
 * The root that a path leads to (RFC 9162, section 2.1.3.2).
 * @param {string} hash The hash of the entry, in hex.
 * @param {{ index: number, size: number, path: readonly string[] }} place
 * @returns {string | null} The root in hex, or null if the path does not fit a tree of that size.
 */
export function rootOfPath(hash, { index, size, path }) {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return null
  let node = index
  let last = size - 1
  let root = sha256(leafPrefix, Buffer.from(hash, 'hex'))
  for (const sibling of path.map((one) => Buffer.from(one, 'hex'))) {
    if (last === 0) return null
    if (node % 2 === 1 || node === last) {
      root = sha256(nodePrefix, sibling, root)
      while (node % 2 === 0 && node !== 0) {
        node = Math.floor(node / 2)
        last = Math.floor(last / 2)
      }
    } else root = sha256(nodePrefix, root, sibling)
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? root.toString('hex') : null
}

/**
 * @param {string} text PEM, or the SPKI DER in base64.
 * @returns {KeyObject} Throws if the text is neither.
 */
export function readKey(text) {
  if (text.includes('BEGIN')) return createPublicKey(text)
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
}

/**
 * @param {KeyObject} key @returns {string} The first 32 hex digits of the SHA-256 of its SPKI DER.
 */
export function keyIdOf(key) {
  const der = key.export({ format: 'der', type: 'spki' })
  return sha256(der).toString('hex').slice(0, 32)
}

/** @param {Buffer} octets @param {{ key: KeyObject, signature: string }} seal */
export function isSigned(octets, { key, signature }) {
  if (key.asymmetricKeyType !== 'ed25519') return false
  return verify(null, octets, key, Buffer.from(signature, 'base64'))
}

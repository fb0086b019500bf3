// Verification of an inclusion proof in the browser (RFC 9162, section 2.1.3.2; Ed25519): the
// service that made the entry is not asked.
import type { AuditProofResponse } from 'sdk'

export type ProofSteps = { row: boolean; inclusion: boolean; block: boolean; signature: boolean }
type Bytes = Uint8Array<ArrayBuffer>

const { subtle } = crypto

function hexOf(bytes: Bytes): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOfHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function bytesOfBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return new Uint8Array(await subtle.digest('SHA-256', all))
}

const leaf_prefix = Uint8Array.of(0)
const node_prefix = Uint8Array.of(1)

/** The root that the path leads to, or null if the path does not fit the tree. */
async function rootOf(proof: AuditProofResponse): Promise<string | null> {
  const { leaf_index, tree_size, path } = proof.inclusion
  if (leaf_index >= tree_size) return null
  let node = leaf_index
  let last = tree_size - 1
  let hash = await sha256(leaf_prefix, bytesOfHex(proof.row_hash))
  for (const sibling of path.map(bytesOfHex)) {
    if (last === 0) return null
    if (node % 2 === 1 || node === last) {
      hash = await sha256(node_prefix, sibling, hash)
      while (node % 2 === 0 && node !== 0) {
        node = Math.floor(node / 2)
        last = Math.floor(last / 2)
      }
    } else hash = await sha256(node_prefix, hash, sibling)
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 ? hexOf(hash) : null
}

/**
 * The form of RFC 8785 for a flat object of strings and integers, which orders its members by name.
 */
function canonicalJson(value: object): string {
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(members))
}

async function isSigned({ block }: AuditProofResponse): Promise<boolean> {
  const spki = bytesOfBase64(block.public_key)
  const key = await subtle.importKey('spki', spki, { name: 'Ed25519' }, false, ['verify'])
  const signature = bytesOfBase64(block.signature)
  return subtle.verify({ name: 'Ed25519' }, key, signature, bytesOfHex(block.block_hash))
}

export async function verifyProof(proof: AuditProofResponse): Promise<ProofSteps> {
  const { canonical_row, row_hash, block, inclusion } = proof
  const { block_hash, signature: _signature, public_key: _key, ...sealed } = block
  const encoder = new TextEncoder()
  return {
    row: hexOf(await sha256(encoder.encode(canonical_row))) === row_hash,
    inclusion:
      inclusion.tree_size === block.row_count && (await rootOf(proof)) === block.merkle_root,
    block: hexOf(await sha256(encoder.encode(canonicalJson(sealed)))) === block_hash,
    signature: await isSigned(proof),
  }
}

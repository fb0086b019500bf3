// Encryption at rest (AES-256-GCM) of secrets that must be kept for a while: an authorization code
// that an order sends again, a link in a queued mail.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const keyFile = 'encryption-key'
const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

type KeySettings = { encryption_key: string | null; data_dir: string }

/** ENCRYPTION_KEY, or the one made in the data folder. Nodes of one database share it. */
function keyOf({ encryption_key, data_dir }: KeySettings): Buffer {
  return encryption_key === null ? keptKey(data_dir) : Buffer.from(encryption_key, 'base64')
}

/** Whether the data folder has a key of its own. */
export function hasKeptKey({ data_dir }: Pick<KeySettings, 'data_dir'>): boolean {
  return existsSync(join(data_dir, keyFile))
}

function keptKey(data_dir: string): Buffer {
  const path = join(data_dir, keyFile)
  if (!hasKeptKey({ data_dir })) {
    mkdirSync(data_dir, { recursive: true })
    const own = `${path}.${process.pid}`
    writeFileSync(own, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flag: 'wx' })
    renameSync(own, path)
  }
  const kept = Buffer.from(readFileSync(path, 'utf8'), 'base64')
  if (kept.length === keyBytes) return kept
  throw new EncryptionKeyError(`has an unreadable ${keyFile}: put back a copy of it`)
}

/** The key file of the data folder cannot be used: what it is, after the folder's setting. */
export class EncryptionKeyError extends Error {}

/** Encryption with the key of this node. */
export class Encryption {
  readonly #key: Buffer

  /** Makes the key where there is none; throws EncryptionKeyError for one that cannot be used. */
  constructor(settings: KeySettings) {
    this.#key = keyOf(settings)
  }

  /** Base64 of iv, tag and ciphertext. */
  seal(text: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** The text, or undefined when it was sealed with another key. */
  unseal(sealed: string): string | undefined {
    const octets = Buffer.from(sealed, 'base64')
    const cipher = createDecipheriv('aes-256-gcm', this.#key, octets.subarray(0, ivBytes))
    cipher.setAuthTag(octets.subarray(ivBytes, ivBytes + tagBytes))
    try {
      const text = [cipher.update(octets.subarray(ivBytes + tagBytes)), cipher.final()]
      return Buffer.concat(text).toString('utf8')
    } catch {
      // GCM's tag does not fit: another key.
      return undefined
    }
  }

  /**
   * A keyed digest to compare secrets by: from a plain digest, codes that people choose could be
   * found by brute force.
   */
  hmac(text: string): string {
    return createHmac('sha256', this.#key).update(`mark ${text}`).digest('base64')
  }
}

// Encryption at rest (AES-256-GCM) of secrets that must be kept for a while: an authorization code
// that an order sends again, a link in a queued mail.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const keyFile = 'encryption-key'
const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

type KeySettings = {
  encryption_key: string | null
  encryption_keys_previous: readonly string[]
  data_dir: string
}

/** ENCRYPTION_KEY, or the one made in the data folder. Nodes of one database share it. */
function keyOf({ encryption_key, data_dir }: Omit<KeySettings, 'encryption_keys_previous'>) {
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

/**
 * The key file of the data folder cannot be used. The message goes on after the name of the
 * folder's setting.
 */
export class EncryptionKeyError extends Error {}

/** The result of sealing a value again; `current` if the current key had sealed it already. */
type Resealed =
  | { state: 'resealed'; sealed: string }
  | { state: 'current' }
  | { state: 'unreadable' }

/** Seals with the current key of this node, and opens with that and the previous ones. */
export class Encryption {
  /** The keys, beginning with the current one. */
  readonly #keys: readonly [Buffer, ...Buffer[]]

  /** Makes the key where there is none; throws EncryptionKeyError for one that cannot be used. */
  constructor(settings: KeySettings) {
    const previous = settings.encryption_keys_previous.map((key) => Buffer.from(key, 'base64'))
    this.#keys = [keyOf(settings), ...previous]
  }

  /** Seals a text as base64 of iv, tag and ciphertext. */
  seal(text: string): string {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0], iv)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** The text, or undefined when it was sealed with none of the keys. */
  unseal(sealed: string): string | undefined {
    return this.#open(sealed)?.text
  }

  /** Seals a value of a previous key with the current one. */
  reseal(sealed: string): Resealed {
    const opened = this.#open(sealed)
    if (opened === undefined) return { state: 'unreadable' }
    if (opened.is_current) return { state: 'current' }
    return { state: 'resealed', sealed: this.seal(opened.text) }
  }

  /**
   * A keyed digest to compare secrets by: from a plain digest, codes that people choose could be
   * found by brute force. It is to be compared with `hmacs` of what is shown later.
   */
  hmac(text: string): string {
    return hmacWith(this.#keys[0], text)
  }

  /** The digests of a text by each key, beginning with the current one. */
  hmacs(text: string): string[] {
    return this.#keys.map((key) => hmacWith(key, text))
  }

  #open(sealed: string): { text: string; is_current: boolean } | undefined {
    const octets = Buffer.from(sealed, 'base64')
    if (octets.length < ivBytes + tagBytes) return undefined
    for (const key of this.#keys) {
      const text = openWith(key, octets)
      if (text !== undefined) return { text, is_current: key === this.#keys[0] }
    }
    return undefined
  }
}

function openWith(key: Buffer, octets: Buffer): string | undefined {
  const cipher = createDecipheriv('aes-256-gcm', key, octets.subarray(0, ivBytes))
  cipher.setAuthTag(octets.subarray(ivBytes, ivBytes + tagBytes))
  try {
    const text = [cipher.update(octets.subarray(ivBytes + tagBytes)), cipher.final()]
    return Buffer.concat(text).toString('utf8')
  } catch {
    // GCM's tag does not fit, so another key has sealed it.
    return undefined
  }
}

function hmacWith(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(`mark ${text}`).digest('base64')
}

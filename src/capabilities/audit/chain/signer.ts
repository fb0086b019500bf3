// The signing key of blocks, kept outside the database: write access to rows cannot forge a block.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { SettingError, type Settings } from '../../../config/config.ts'
import { keyIdOf } from './block.ts'
import { type Head, noteHead } from './noted-head.ts'

export type SignerSettings = Pick<Settings, 'audit_signing_key' | 'data_dir'>
export type AuditSigner = {
  key_id: string
  /** The public key as SPKI DER in base64. */
  public_key: string
  /** Signs the octets by Ed25519; returns base64. */
  sign: (octets: Buffer) => string
  /** Notes the newest link in the data folder; an older one than the noted changes nothing. */
  noteHead: (head: Head) => void
}

declare module '../../../app.ts' {
  interface App {
    auditSigner: AuditSigner
  }
}

const pkcs8 = { format: 'pem', type: 'pkcs8' } as const
const keyFile = 'audit-signing-key.pem'
const trustedFile = 'audit-trusted-keys.pem'

function givenKey(base64: string): KeyObject {
  const der = Buffer.from(base64, 'base64')
  try {
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The failure is reported below, without the key.
  }
  throw new SettingError('AUDIT_SIGNING_KEY', 'must be an Ed25519 private key: PKCS #8 DER, base64')
}

function keptKey(data_dir: string): KeyObject {
  const path = join(data_dir, keyFile)
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    const own = `${path}.${process.pid}`
    writeFileSync(own, privateKey.export(pkcs8), { mode: 0o600, flag: 'wx' })
    renameSync(own, path)
  }
  try {
    return createPrivateKey(readFileSync(path))
  } catch {
    throw new SettingError('DATA_DIR', `has an unreadable ${keyFile}: put back a copy of it`)
  }
}

/**
 * The signer of this node: `AUDIT_SIGNING_KEY`, or a key generated in the data folder (mode 0600)
 * at the first start. Its public key is added to the trusted ones of the folder. Throws
 * SettingError for a key that cannot be used.
 */
export function openAuditSigner({ settings }: { settings: SignerSettings }): AuditSigner {
  const { audit_signing_key, data_dir } = settings
  mkdirSync(data_dir, { recursive: true, mode: 0o700 })
  const key = audit_signing_key === null ? keptKey(data_dir) : givenKey(audit_signing_key)
  const publicKey = createPublicKey(key)
  const key_id = keyIdOf(publicKey)
  if (!trustedKeys({ settings }).has(key_id))
    appendFileSync(
      join(data_dir, trustedFile),
      publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    )
  return {
    key_id,
    public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    sign: (octets) => sign(null, octets, key).toString('base64'),
    noteHead: (head) => noteHead(data_dir, head),
  }
}

/** Whether a key was generated in the folder: blocks may have been signed with it. */
export function hasOwnKey({ data_dir }: Pick<Settings, 'data_dir'>): boolean {
  return existsSync(join(data_dir, keyFile))
}

/**
 * The public keys that this folder trusts, by their ids: every key that signed here, and the keys
 * that operators added.
 */
export function trustedKeys({ settings }: { settings: SignerSettings }): Map<string, KeyObject> {
  const path = join(settings.data_dir, trustedFile)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const pems = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? []
  const keys = pems.map((pem) => createPublicKey(pem))
  return new Map(keys.map((key) => [keyIdOf(key), key]))
}

// The receiver's side of web push, based on RFC 8291 and RFC 8188 alone and using WebCrypto: the
// keys of a browser, and the decryption of a message.

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const ascii = (text: string) => new TextEncoder().encode(text)

export type BrowserKeys = {
  /** The keys in base64url, for the application server. */
  p256dh: string
  auth: string
  /** The text of a message body. Rejects with an Error if it is not for these keys. */
  decrypt: (body: Uint8Array<ArrayBuffer>) => Promise<string>
}

export async function newBrowserKeys(): Promise<BrowserKeys> {
  const pair = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  return keysOf(pair, crypto.getRandomValues(new Uint8Array(16)))
}

type Pair = { privateKey: CryptoKey; publicKey: CryptoKey }

/** A browser with known keys, as in the example of RFC 8291 section 5. */
export async function keysOf(
  { privateKey, publicKey }: Pair,
  auth: Uint8Array<ArrayBuffer>,
): Promise<BrowserKeys> {
  const own = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
  return {
    p256dh: Buffer.from(own).toString('base64url'),
    auth: Buffer.from(auth).toString('base64url'),
    async decrypt(body) {
      const { salt, record_size, sender, record } = splitHeader(body)
      if (record.length > record_size) throw new Error('more than one record')
      const public_key = await crypto.subtle.importKey('raw', sender, curve, false, [])
      const shared = await crypto.subtle.deriveBits(
        { name: 'ECDH', public: public_key },
        privateKey,
        256,
      )
      const info = joined(ascii('WebPush: info\0'), own, sender)
      const ikm = await hkdf(new Uint8Array(shared), { salt: auth, info, bytes: 32 })
      const bits = (name: string, bytes: number) =>
        hkdf(ikm, { salt, info: ascii(`Content-Encoding: ${name}\0`), bytes })
      const raw = await bits('aes128gcm', 16)
      const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt'])
      const algorithm = { name: 'AES-GCM', iv: await bits('nonce', 12) }
      const plain = new Uint8Array(await crypto.subtle.decrypt(algorithm, key, record))
      return new TextDecoder('utf-8', { fatal: true }).decode(withoutPadding(plain))
    },
  }
}

/** RFC 8188 section 2.1: salt (16), record size (4), length of the key id (1), key id. */
function splitHeader(body: Uint8Array<ArrayBuffer>) {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  if (body.length < 21 + 65 + 17) throw new Error('too short')
  if (view.getUint8(20) !== 65) throw new Error('the key id is not an uncompressed point')
  return {
    salt: body.slice(0, 16),
    record_size: view.getUint32(16),
    sender: body.slice(21, 86),
    record: body.slice(86),
  }
}

/** The last record ends with a 2 and zeros (RFC 8188 section 2). */
function withoutPadding(plain: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const last = plain.findLastIndex((octet) => octet !== 0)
  if (plain[last] !== 2) throw new Error('the record is not the last one')
  return plain.slice(0, last)
}

type Derivation = {
  salt: Uint8Array<ArrayBuffer>
  info: Uint8Array<ArrayBuffer>
  bytes: number
}

async function hkdf(
  secret: Uint8Array<ArrayBuffer>,
  { salt, info, bytes }: Derivation,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, bytes * 8))
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}

// A WebAuthn authenticator in software (ES256, attestation "none"), with the browser in front of
// it: its answers can be falsified in each field that the server has to check.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type FalsifiedFields = {
  /** The page's origin, as the browser reports it. */
  origin: string
  rp_id: string
  challenge?: string
  type?: string
  /** If false, the user was not verified. */
  verified?: boolean
  /** The signature counter. */
  count?: number
  user_handle?: string
}
type Credential = {
  id: string
  rawId: string
  type: 'public-key'
  clientExtensionResults: object
  response: Record<string, unknown>
}
type Options = { challenge: string }

export type SoftwareAuthenticator = {
  id: string
  create: (options: Options & { user: { id: string } }, falsified: FalsifiedFields) => Credential
  get: (options: Options, falsified: FalsifiedFields) => Credential
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (data: Buffer) => data.toString('base64url')

// CBOR (RFC 8949), as far as it is needed here.
const head = (major: number, value: number) =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const word = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...pairs: [Buffer, Buffer][]) =>
  Buffer.concat([head(5, pairs.length), ...pairs.flat()])

export function softwareAuthenticator(id_bytes = 32): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(id_bytes)
  const id = text(credentialId)
  let counter = 0
  let owner = ''
  const key = map(
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), bytes(Buffer.from(x, 'base64url'))],
    [int(-3), bytes(Buffer.from(y, 'base64url'))],
  )
  const authData = (
    { rp_id, verified = true, count = counter }: FalsifiedFields,
    attested?: Buffer,
  ) => {
    const numbers = Buffer.alloc(5)
    numbers.writeUInt8(1 | (verified ? 4 : 0) | (attested ? 64 : 0))
    numbers.writeUInt32BE(count, 1)
    return Buffer.concat([sha256(rp_id), numbers, attested ?? Buffer.alloc(0)])
  }
  const clientData = (type: string, { challenge }: Options, falsified: FalsifiedFields) =>
    Buffer.from(
      JSON.stringify({
        type: falsified.type ?? type,
        challenge: falsified.challenge ?? challenge,
        origin: falsified.origin,
        crossOrigin: false,
      }),
    )
  const credential = (response: Record<string, unknown>): Credential => {
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
  return {
    id,
    create(options, falsified) {
      owner = options.user.id
      const length = Buffer.from([id_bytes >> 8, id_bytes & 255])
      const data = authData(falsified, Buffer.concat([Buffer.alloc(16), length, credentialId, key]))
      const attestation = map(
        [word('fmt'), word('none')],
        [word('attStmt'), map()],
        [word('authData'), bytes(data)],
      )
      return credential({
        clientDataJSON: text(clientData('webauthn.create', options, falsified)),
        attestationObject: text(attestation),
        transports: ['internal'],
      })
    },
    get(options, falsified) {
      counter += 1
      const data = authData(falsified)
      const client = clientData('webauthn.get', options, falsified)
      return credential({
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle: falsified.user_handle ?? owner,
      })
    },
  }
}

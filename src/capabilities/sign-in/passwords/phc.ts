// The stored form of a password hash: a PHC string with its own parameters and salt (RFC 9106).
export type Costs = { memory_kib: number; passes: number; parallelism: number }
export type StoredHash = { costs: Costs; salt: Buffer; tag: Buffer }

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<tag>`, both in base64 without padding. */
export function writeHash({ costs, salt, tag }: StoredHash): string {
  const { memory_kib, passes, parallelism } = costs
  const parameters = `m=${memory_kib},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(tag)}`
}

/** The parts of such a string. An Error for anything else: the database checks the form. */
export function readHash(text: string): StoredHash {
  const [, m, t, p, salt = '', tag = ''] = form.exec(text) ?? []
  if (tag === '') throw new Error('A stored password hash is no Argon2id string')
  return {
    costs: { memory_kib: Number(m), passes: Number(t), parallelism: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

function unpadded(octets: Buffer): string {
  return octets.toString('base64').replaceAll('=', '')
}

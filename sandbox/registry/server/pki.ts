// The registries' certificate authority: made at the first start, stored in the data folder.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate and its key, as PEM and as files. */
export type Identity = { cert: string; key: string; cert_file: string; key_file: string }

export type Pki = {
  ca: { cert: string; cert_file: string }
  server: Identity
  /** The client certificates, by registrar. */
  registrars: Record<string, Identity>
}

/** Reads the PKI of a folder, or makes it there. Only the owner can read the keys. */
export async function openPki(folder: string, registrars: string[]): Promise<Pki> {
  if (!existsSync(join(folder, 'ca.crt'))) {
    const { makePki } = await import('./make-pki.ts')
    await makePki(folder, registrars)
  }
  const ca_file = join(folder, 'ca.crt')
  return {
    ca: { cert: readFileSync(ca_file, 'utf8'), cert_file: ca_file },
    server: readIdentity(folder, 'server'),
    registrars: Object.fromEntries(registrars.map((id) => [id, readIdentity(folder, id)])),
  }
}

function readIdentity(folder: string, name: string): Identity {
  const cert_file = join(folder, `${name}.crt`)
  const key_file = join(folder, `${name}.key`)
  const [cert, key] = [readFileSync(cert_file, 'utf8'), readFileSync(key_file, 'utf8')]
  return { cert, key, cert_file, key_file }
}

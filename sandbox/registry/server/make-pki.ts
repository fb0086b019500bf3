// Makes the registries' certificate authority. It is separate from pki.ts, so that the library is
// loaded only at the first start.
import 'reflect-metadata'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { addYears, DAY_MS } from '../../support/sandbox-clock.ts'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const VALID_YEARS = 10

type Keys = { publicKey: CryptoKey; privateKey: CryptoKey }
type Authority = { cert: X509Certificate; keys: Keys }

/** Writes to a temporary folder and renames it, so that a killed start leaves no partial PKI. */
export async function makePki(folder: string, registrars: string[]): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const authority = await makeAuthority()
  writeFileSync(join(draft, 'ca.crt'), authority.cert.toString('pem'))
  const names: Extension[] = [
    new SubjectAlternativeNameExtension([
      { type: 'dns', value: 'localhost' },
      { type: 'ip', value: '127.0.0.1' },
      { type: 'ip', value: '::1' },
    ]),
  ]
  await issue(draft, authority, { name: 'server', usage: ExtendedKeyUsage.serverAuth, more: names })
  for (const name of registrars) {
    await issue(draft, authority, { name, usage: ExtendedKeyUsage.clientAuth, more: [] })
  }
  mkdirSync(dirname(folder), { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
}

function validity(): { notBefore: Date; notAfter: Date } {
  const now = Date.now()
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(addYears(now, VALID_YEARS)) }
}

async function makeAuthority(): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const cert = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Simulated registry CA',
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert, keys }
}

async function issue(
  folder: string,
  authority: Authority,
  subject: { name: string; usage: string; more: Extension[] },
): Promise<void> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const cert = await X509CertificateGenerator.create({
    subject: `CN=${subject.name}`,
    issuer: authority.cert.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    ...validity(),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([subject.usage]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(authority.keys.publicKey),
      ...subject.more,
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  writeFileSync(join(folder, `${subject.name}.crt`), cert.toString('pem'))
  writeFileSync(join(folder, `${subject.name}.key`), PemConverter.encode(key, 'PRIVATE KEY'), {
    mode: 0o600,
  })
}

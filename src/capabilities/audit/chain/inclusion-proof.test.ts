// Inclusion proofs offline, and the signing key.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scratch, sealedLog, someRow, write } from '../jobs/log.fixture.ts'
import { readPublicKey } from './block.ts'
import { inclusionProof, verifyInclusion } from './inclusion-proof.ts'
import { notedHead } from './noted-head.ts'
import { openAuditSigner, trustedKeys } from './signer.ts'

test('inclusion can be checked offline with the public key alone', async () => {
  const log = await sealedLog()
  const [key] = [...trustedKeys({ settings: log.settings }).values()]
  assert.ok(key)
  const proof = await inclusionProof(log.database, 6n)
  assert.ok(proof)
  const sent = JSON.parse(JSON.stringify(proof))
  assert.equal(verifyInclusion(sent, key), true)
  assert.equal(verifyInclusion(sent, readPublicKey(proof.block.public_key)), true)
  assert.equal(verifyInclusion({ ...sent, row_hash: someRow(7).row_hash }, key), false)
  const later = { ...sent, block: { ...sent.block, created_at: '2020-01-01T00:00:00.000Z' } }
  assert.equal(verifyInclusion(later, key), false)
  const other = generateKeyPairSync('ed25519').publicKey
  assert.equal(verifyInclusion(sent, other), false)
  await write(log, 1)
  assert.equal(await inclusionProof(log.database, 13n), null, 'not sealed yet')
  assert.equal(await inclusionProof(log.database, 999n), null)
})

test('the signing key is made once, for its owner, and stays trusted after another', () => {
  const data_dir = join(scratch, 'fresh')
  const settings = { audit_signing_key: null, data_dir }
  const first = openAuditSigner({ settings })
  assert.equal(statSync(join(data_dir, 'audit-signing-key.pem')).mode & 0o777, 0o600)
  assert.equal(openAuditSigner({ settings }).key_id, first.key_id)
  const { privateKey } = generateKeyPairSync('ed25519')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const second = openAuditSigner({ settings: { audit_signing_key: der, data_dir } })
  assert.deepEqual([...trustedKeys({ settings }).keys()], [first.key_id, second.key_id])
  assert.equal(notedHead({ settings }), null)
  const block_hash = 'ab'.repeat(32)
  second.noteHead({ number: '7', block_hash })
  second.noteHead({ number: '6', block_hash: 'cd'.repeat(32) })
  assert.deepEqual(notedHead({ settings }), { number: '7', block_hash })
  assert.match(readFileSync(join(data_dir, 'audit-signing-key.pem'), 'utf8'), /BEGIN PRIVATE KEY/)
  appendFileSync(join(data_dir, 'audit-trusted-keys.pem'), 'a note in between\n')
  assert.equal(trustedKeys({ settings }).size, 2)
})

test('an invalid signing key gives one clear line without the key', () => {
  const settings = { audit_signing_key: 'c2VjcmV0', data_dir: join(scratch, 'bad') }
  assert.throws(
    () => openAuditSigner({ settings }),
    /^SettingError: AUDIT_SIGNING_KEY must be an Ed25519/,
  )
})

// Settings of the keys that a node signs its audit log and encrypts its rows with.
import { keys, optional, optionalKey } from './readers.ts'
import { setting } from './setting.ts'

export const keySettings = () => ({
  audit_signing_key: setting('AUDIT_SIGNING_KEY', optional, {
    preset: '',
    meaning:
      'Ed25519 private key (PKCS #8, base64) that signs audit blocks; made in DATA_DIR if empty.',
  }),
  encryption_key: setting('ENCRYPTION_KEY', optionalKey, {
    preset: '',
    meaning:
      '32 random bytes in base64 that encrypt data which orders must send again, and mails with ' +
      'a link or a code; made in DATA_DIR if empty. With several nodes, the same on each.',
  }),
  encryption_keys_previous: setting('ENCRYPTION_KEYS_PREVIOUS', keys, {
    preset: '',
    meaning:
      'Former keys, with commas, that still decrypt and never encrypt; with several nodes, also ' +
      'the next one at first (docs/production/keys.md). After bin/reencrypt they are not needed.',
  }),
})

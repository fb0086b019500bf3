// Settings of web push: the key pair by which push services know this service (VAPID, RFC 8292),
// and the push services to which messages are sent.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { list, type Reader, SettingError } from './readers.ts'
import { setting } from './setting.ts'

/** The push services of Chrome and browsers like it, Firefox, Safari and Edge. */
const usualServices =
  'fcm.googleapis.com,updates.push.services.mozilla.com,push.apple.com,notify.windows.com'

/** These settings are spread into the table of all settings. */
export function pushSettings() {
  return {
    vapid_private_key: setting('VAPID_PRIVATE_KEY', vapidKey, {
      preset: '',
      meaning:
        'P-256 private key (DER, base64) that identifies this service to push services (RFC ' +
        '8292): openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -outform DER | ' +
        'base64 -w0. Without it, browsers get no notifications. With several nodes, the same on ' +
        'each.',
    }),
    vapid_subject: setting('VAPID_SUBJECT', vapidSubject, {
      preset: '',
      meaning:
        'Where push services reach you: mailto:push@example.net or an https URL. Must be set ' +
        'together with VAPID_PRIVATE_KEY.',
    }),
    push_services: setting('PUSH_SERVICES', list, {
      preset: usualServices,
      meaning:
        'Hosts of the push services that browsers may name, each with the hosts below it; "*": ' +
        'any public host.',
    }),
  }
}

/** PKCS #8 or SEC 1, because versions of OpenSSL differ. The value is never in the message. */
const vapidKey: Reader<KeyObject | null> = (value, name) => {
  if (value === '') return null
  const der = Buffer.from(value, 'base64')
  const key = keyIn(der, 'pkcs8') ?? keyIn(der, 'sec1')
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  throw new SettingError(name, 'must be a P-256 private key: DER in base64')
}

function keyIn(key: Buffer, type: 'pkcs8' | 'sec1'): KeyObject | undefined {
  try {
    return createPrivateKey({ key, format: 'der', type })
  } catch {
    // The text has another form, or is not a key. It is not repeated, because it may be a secret.
    return undefined
  }
}

/** The contact of the service, as push services know it (RFC 8292 section 2.1). */
const vapidSubject: Reader<string | null> = (value, name) => {
  if (value === '') return null
  if (/^mailto:[^\s@]+@[^\s@]+$/.test(value)) return value
  if (URL.parse(value)?.protocol === 'https:') return value
  throw new SettingError(name, 'must be like mailto:push@example.net, or an https URL')
}

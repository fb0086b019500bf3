// Registration of a passkey: a discoverable credential with user verification, for an owner whose
// log-in is recent.
import Type from 'typebox'
import { type App, type Call, operation, ownerInPerson } from '../../../app.ts'
import {
  customerById,
  freshLogInNeeded,
  requireFreshLogIn,
  sessionRequired,
} from '../../account/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { customerMail } from '../../mail/index.ts'
import { passkeyEmail } from '../emails.ts'
import { passkeyExists, passkeyRefused, passkeysUnavailable } from '../faults.ts'
import { passkeyResponse, presentPasskey } from './manage-passkeys.ts'
import { insertPasskey, passkeysOf } from './passkeys.sql.ts'
import {
  consumeChallenge,
  relyingParty,
  storeChallenge,
  verified,
  webAuthn,
} from './relying-party.ts'
import { creationOptions, registrationResponse } from './web-authn-schemas.ts'

/** The number of passkeys that an account may have. */
const most = 50
/** COSE identifiers of ES256, EdDSA and RS256. Every authenticator has one of them. */
const supportedAlgorithmIDs = [-7, -8, -257]
/** WebAuthn Level 3, section 7.1. The library checks no length. */
const longestCredentialId = 1023
const bindingOf = (session_id: bigint) => `registration of session ${session_id}`

export const beginPasskeyRegistration = operation({
  name: 'begin_passkey_registration',
  does: 'Start the registration of a passkey: the options for the browser.',
  more: 'They are valid once, for five minutes, in this session. The log-in must be recent.',
  at: 'POST /v1/account/passkeys/options',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({}),
  gives: Type.Object({ options: creationOptions }, { title: 'PasskeyRegistrationOptions' }),
  fails: [sessionRequired, freshLogInNeeded, passkeysUnavailable],
  // Its challenge is no change of an account, so there is nothing to audit.
  effect: 'none',
  async run(_input, call, app) {
    const { id, name } = relyingParty(app)
    const { customer_id, session_id } = requireFreshLogIn(app, call)
    const customer = await customerById(app.db, customer_id)
    if (!customer) throw sessionRequired()
    const existing = await app.db.run(passkeysOf, { customer_id })
    const { generateRegistrationOptions } = await webAuthn()
    const options = await generateRegistrationOptions({
      rpID: id,
      rpName: name,
      userName: customer.email,
      userDisplayName: customer.name,
      userID: Uint8Array.from(Buffer.from(customer_id)),
      attestationType: 'none',
      supportedAlgorithmIDs,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: existing.map(({ credential_id }) => ({
        id: credential_id.toString('base64url'),
      })),
    })
    const { challenge } = options
    await storeChallenge(app, { bound_to: bindingOf(session_id), challenge })
    return { options }
  },
})

export const registerPasskey = operation({
  name: 'register_passkey',
  does: 'Register a passkey.',
  more:
    "Send the browser's response to the options. The owner is notified by mail. A passkey stays " +
    'valid when the password is changed.',
  at: 'POST /v1/account/passkeys',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({
    credential: registrationResponse,
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A name that distinguishes it from other passkeys.',
      }),
    ),
  }),
  gives: passkeyResponse,
  status: 201,
  fails: [sessionRequired, freshLogInNeeded, passkeysUnavailable, passkeyRefused, passkeyExists],
  effect: 'own',
  target: () => ({ target_type: 'passkey', target: null }),
  async run({ credential, name = 'Passkey' }, call, app) {
    const { id: expectedRPID, origin: expectedOrigin } = relyingParty(app)
    const { session_id } = requireFreshLogIn(app, call)
    const expectedChallenge = await consumeChallenge(app, bindingOf(session_id))
    const { verifyRegistrationResponse } = await webAuthn()
    const answer = await verified(() =>
      verifyRegistrationResponse({
        response: { ...credential, clientExtensionResults: {} },
        expectedChallenge,
        expectedOrigin,
        expectedRPID,
        supportedAlgorithmIDs,
      }),
    )
    if (!answer.registrationInfo) throw passkeyRefused()
    const { credential: key, credentialBackedUp: backed_up } = answer.registrationInfo
    const credential_id = Buffer.from(key.id, 'base64url')
    if (credential_id.length < 1 || credential_id.length > longestCredentialId)
      throw passkeyRefused({ detail: 'The credential id does not have 1 to 1023 bytes.' })
    return store(app, call, {
      credential_id,
      public_key: Buffer.from(key.publicKey),
      sign_count: BigInt(key.counter),
      transports: (key.transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10),
      backed_up,
      name,
    })
  },
})

type NewPasskey = {
  credential_id: Buffer
  public_key: Buffer
  sign_count: bigint
  transports: string[]
  backed_up: boolean
  name: string
}

async function store(app: App, call: Call, passkey: NewPasskey) {
  const { customer_id } = call
  const now = app.clock.now()
  return app.db.transaction(async (sql) => {
    const row = await sql.maybe(insertPasskey, { ...passkey, customer_id, most, now })
    if (!row) throw passkeyExists()
    await call.assertStillAllowed({ sql })
    const facts = { target_type: 'passkey', target: String(row.id), status_code: 201 }
    await storeAuditRow(sql, call.auditRow({ ...facts, metadata: { name: passkey.name } }))
    const mail = { id: row.id, at: now, done: 'added', settings: app.settings } as const
    await customerMail(sql, customer_id, passkeyEmail(mail))
    return presentPasskey({ ...passkey, id: row.id, created_at: now, last_used_at: null })
  })
}

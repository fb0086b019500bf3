// Log-in with a passkey: a discoverable credential, so the request names no account.
import Type from 'typebox'
import { anyone, operation, Reply } from '../../../app.ts'
import { newSecret } from '../../../kit/random.ts'
import { customerResponse } from '../../account/index.ts'
import { passkeyRefused, passkeysUnavailable } from '../faults.ts'
import { logInReply } from '../sessions/log-in-reply.ts'
import { hostCookieName, sessionField, sessionGiven } from '../sessions/session-cookie.ts'
import { passkeyOfCredential, usePasskey } from './passkeys.sql.ts'
import {
  challenge_ms,
  consumeChallenge,
  relyingParty,
  storeChallenge,
  verified,
  webAuthn,
} from './relying-party.ts'
import { authenticationResponse, requestOptions } from './web-authn-schemas.ts'

/** A cookie of the browser that began the log-in, so that no other can finish it. */
const cookie = 'passkey'
const bindingOf = (secret: string) => `log-in of browser ${secret}`

export const beginPasskeyLogIn = operation({
  name: 'begin_passkey_log_in',
  does: 'Start a log-in with a passkey: the options for the browser.',
  more: 'They are valid once, for five minutes, in the browser that gets the cookie.',
  at: 'POST /v1/dashboard/passkey/options',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({}),
  gives: Type.Object({ options: requestOptions }, { title: 'PasskeyLogInOptions' }),
  fails: [passkeysUnavailable],
  // Its challenge is no change of an account, so there is nothing to audit.
  effect: 'none',
  async run(_input, _call, app) {
    const { id: rpID } = relyingParty(app)
    const { generateAuthenticationOptions } = await webAuthn()
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
    const { value } = newSecret('pkc_')
    await storeChallenge(app, { bound_to: bindingOf(value), challenge: options.challenge })
    const name = hostCookieName(app.settings, cookie)
    const life = `Max-Age=${challenge_ms / 1000}; Path=/; Secure; HttpOnly; SameSite=Strict`
    return new Reply({ options }, { 'Set-Cookie': `${name}=${value}; ${life}` })
  },
})

export const logInWithPasskey = operation({
  name: 'log_in_with_passkey',
  does: 'Log in with a passkey.',
  more: "With the browser's response to the options, and the cookie that came with them.",
  at: 'POST /v1/dashboard/passkey/login',
  area: 'Dashboard',
  who: anyone(),
  takes: Type.Object({ credential: authenticationResponse, ...sessionField.takes }),
  in: sessionField.in,
  gives: Type.Object(
    { customer: customerResponse, ...sessionGiven },
    { title: 'DashboardPasskeyLoginResponse' },
  ),
  fails: [passkeyRefused, passkeysUnavailable],
  effect: 'own',
  async run({ credential, x_session }, call, app) {
    const { id: expectedRPID, origin: expectedOrigin } = relyingParty(app)
    const secret = call.cookies.get(hostCookieName(app.settings, cookie)) ?? ''
    const expectedChallenge = await consumeChallenge(app, bindingOf(secret))
    const credential_id = Buffer.from(credential.id, 'base64url')
    const passkey = await app.db.maybe(passkeyOfCredential, { credential_id })
    const handle = Buffer.from(credential.response.userHandle ?? '', 'base64url').toString()
    if (!passkey || handle !== passkey.customer_id) throw passkeyRefused()
    const { verifyAuthenticationResponse } = await webAuthn()
    const { authenticationInfo } = await verified(() =>
      verifyAuthenticationResponse({
        response: { ...credential, clientExtensionResults: {} },
        expectedChallenge,
        expectedOrigin,
        expectedRPID,
        credential: {
          id: credential.id,
          publicKey: Uint8Array.from(passkey.public_key),
          counter: Number(passkey.sign_count),
        },
      }),
    )
    const { id, customer_id, suspended } = passkey
    const owner = { customer_id, suspended, password_changed_at: null }
    return app.db.transaction(async (sql) => {
      const used = await sql.maybe(usePasskey, {
        id,
        sign_count: BigInt(authenticationInfo.newCounter),
        backed_up: authenticationInfo.credentialBackedUp,
        now: app.clock.now(),
      })
      const metadata = { passkey: Number(id) }
      const facts = { ...owner, x_session, action: 'log_in_with_passkey', metadata }
      const reply = used && (await logInReply(app, { ...call, sql }, facts))
      if (!reply) throw passkeyRefused()
      return reply
    })
  },
})

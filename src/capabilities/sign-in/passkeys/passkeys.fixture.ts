// Fixture of the tests of passkeys: a service over HTTP, owners with an authenticator in software,
// and browsers that log in with it.
import assert from 'node:assert/strict'
import {
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '../../../../test/contract/support/software-authenticator.ts'
import type { Answer, TestService } from '../../../../test/support/service.ts'
import {
  type CookieBrowser,
  cookieBrowser,
  cookieOf,
  ours,
} from '../../../../test/support/sign-in.ts'

export type FalsifiedFields = Partial<Parameters<SoftwareAuthenticator['get']>[1]>

/** The options for a new passkey. */
export const creation = async (by: CookieBrowser) =>
  (await by.send('POST', '/v1/account/passkeys/options', { headers: ours, body: {} })).body.options

export const register = (by: CookieBrowser, credential: unknown, name?: string) =>
  by.send('POST', '/v1/account/passkeys', { headers: ours, body: { credential, name } })

type PasskeyOwner = {
  by: CookieBrowser
  key: SoftwareAuthenticator
  id: number
  /** The challenge of the registration. */
  first: string
}

export async function assertRefused(answer: Promise<Answer>, why: string): Promise<void> {
  const { status, body } = await answer
  assert.deepEqual([status, body.code], [403, 'passkey_refused'], why)
}

export function passkeyService(registrar: TestService) {
  const { port } = new URL(registrar.url)
  const page = { origin: `http://localhost:${port}`, rp_id: 'localhost' }
  const challenge = async () => {
    const at = '/v1/dashboard/passkey/options'
    const { body, headers } = await registrar.request('POST', at, { body: {} })
    return { options: body.options, cookie: cookieOf(headers), set: headers.getSetCookie() }
  }
  const logIn = (cookie: string, credential: unknown, headers: Record<string, string> = ours) =>
    registrar.request('POST', '/v1/dashboard/passkey/login', {
      body: { credential },
      headers: { ...headers, cookie },
    })
  return {
    page,
    /** New options, in a new browser. */
    challenge,
    logIn,
    async logInWithPasskey(
      { key }: PasskeyOwner,
      falsified: FalsifiedFields = {},
    ): Promise<Answer> {
      const { options, cookie } = await challenge()
      return logIn(cookie, key.get(options, { ...page, ...falsified }))
    },
    /** An account with a passkey. */
    async passkeyOwner(): Promise<PasskeyOwner> {
      const by = await cookieBrowser(registrar)
      const key = softwareAuthenticator()
      const options = await creation(by)
      const { status, body, text } = await register(by, key.create(options, page), 'Laptop')
      assert.equal(status, 201, text)
      return { by, key, id: body.id, first: options.challenge }
    },
  }
}

// Valid calls of the operations of passkeys, each with an authenticator of its own.
import { cookieOf, recentSessionOf } from '../../support/sign-in.ts'
import { type Example, type Fixture, must } from './fixture.ts'
import { type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts'

const pageOf = ({ registrar }: Fixture) => {
  const { port } = new URL(registrar.url)
  return { origin: `http://localhost:${port}`, rp_id: 'localhost' }
}

/** A session whose log-in was just now. */
export async function recentSession(fixture: Fixture): Promise<{ session: string }> {
  return { session: await recentSessionOf(fixture.registrar, fixture) }
}

type Registration = { session: string; body: { credential: object } }

async function registrationOf(fixture: Fixture, key: SoftwareAuthenticator): Promise<Registration> {
  const { session } = await recentSession(fixture)
  const at = '/v1/account/passkeys/options'
  const { body } = await must(fixture.registrar.request('POST', at, { token: session, body: {} }))
  return { session, body: { credential: key.create(body.options, pageOf(fixture)) } }
}

function newPasskey(fixture: Fixture): Promise<Example> {
  return registrationOf(fixture, softwareAuthenticator())
}

async function registered(fixture: Fixture) {
  const key = softwareAuthenticator()
  const { session, body } = await registrationOf(fixture, key)
  const options = { token: session, body }
  const made = await must(fixture.registrar.request('POST', '/v1/account/passkeys', options), 201)
  return { session, key, id: Number(made.body.id) }
}

async function passkeyToRemove(fixture: Fixture): Promise<Example> {
  const { session, id } = await registered(fixture)
  return { session, path: { id } }
}

/** Sends the cookie of the browser that got the options. */
async function passkeyLogIn(fixture: Fixture): Promise<Example> {
  const { key } = await registered(fixture)
  const at = '/v1/dashboard/passkey/options'
  const { body, headers } = await must(fixture.registrar.request('POST', at, { body: {} }))
  const sent = { cookie: cookieOf(headers) }
  return { headers: sent, body: { credential: key.get(body.options, pageOf(fixture)) } }
}

const anyone = { access: 'public', operator: true }
const inPerson = { access: 'session', operator: false }

export const passkeyExamples = {
  'POST /v1/dashboard/passkey/options': { ...anyone, make: () => ({}) },
  'POST /v1/dashboard/passkey/login': { ...anyone, make: passkeyLogIn },
  'POST /v1/account/passkeys/options': { ...inPerson, make: recentSession },
  'POST /v1/account/passkeys': { ...inPerson, make: newPasskey },
  'GET /v1/account/passkeys': { ...inPerson, make: recentSession },
  'DELETE /v1/account/passkeys/{id}': { ...inPerson, make: passkeyToRemove },
}

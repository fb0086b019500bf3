// Valid calls of the operations of sign-up and single sign-on, and of those that change the profile
// and the e-mail address.
import { newSecret } from '../../../src/kit/random.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { ownersPassword, sessionOf } from '../../support/sign-in.ts'
import { type Example, type Fixture, fresh } from './fixture.ts'
import { recentSession } from './passkey-examples.ts'
import { ssoExamples } from './sso-examples.ts'

const hash = `$argon2id$v=19$m=19456,t=2,p=1$${'a'.repeat(22)}$${'a'.repeat(43)}`

function signUpExample(): Example {
  const email = `${fresh('sign-up')}@example.net`
  return { body: { email, password: ownersPassword, name: 'Ada', company_name: null } }
}

/** A sign-up whose mail was sent, with the token of its link. */
async function openSignUp({ registrar }: Fixture): Promise<{ id: string; token: string }> {
  const { value: token, hash: token_hash } = newSecret('sgt_')
  const [row] = await rowsIn(registrar)(
    `insert into sign_ups (id, email, name, password_hash, address, agent, created_at, expires_at,
       answered_at, token_hash, code_mac, code_expires_at)
     values ('sgn_' || lpad(nextval('sessions_id_seq')::text, 26, '0'), $1, 'Ada', $2, '192.0.2.1',
       'test', now(), now() + interval '1 hour', now(), $3, $3, now() + interval '1 hour')
     returning id`,
    [`${fresh('sign-up')}@example.net`, hash, token_hash],
  )
  return { id: row.id, token }
}

async function emailToVerify(fixture: Fixture): Promise<Example> {
  const { registrar, id, email } = fixture
  const { value: token, hash: token_hash } = newSecret('emt_')
  await rowsIn(registrar)(
    `insert into email_changes (id, customer_id, email, token_hash, created_at, expires_at)
     values ('emc_' || lpad(nextval('sessions_id_seq')::text, 26, '0'), $1, $2, $3, now(),
       now() + interval '1 day')`,
    // The address stays the same, because other examples log in with it.
    [id, email, token_hash],
  )
  return { session: await sessionOf(registrar, fixture), body: { token } }
}

const anyone = { access: 'public', operator: true }
const inPerson = { access: 'session', operator: false }

export const signUpExamples = {
  ...ssoExamples,
  'GET /v1/dashboard/signup/config': { ...anyone, make: () => ({}) },
  'POST /v1/dashboard/register': { ...anyone, make: signUpExample },
  'POST /v1/dashboard/register/resend': {
    ...anyone,
    make: async (fixture: Fixture) => ({ body: { signup_id: (await openSignUp(fixture)).id } }),
  },
  'POST /v1/dashboard/register/link': {
    ...anyone,
    make: async (fixture: Fixture) => ({ body: { token: (await openSignUp(fixture)).token } }),
  },
  'POST /v1/dashboard/register/verify': {
    ...anyone,
    make: async (fixture: Fixture) => ({ body: { token: (await openSignUp(fixture)).token } }),
  },
  'GET /v1/dashboard/config': { ...anyone, make: () => ({}) },
  'POST /v1/dashboard/config/mcp-api-key/rotate': { ...inPerson, make: recentSession },
  'PATCH /v1/account': {
    ...{ access: 'account:write', operator: false },
    make: () => ({ body: { name: 'Ada King', company_name: null } }),
  },
  'POST /v1/account/email/verify': { ...inPerson, make: emailToVerify },
}

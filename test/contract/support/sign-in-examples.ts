// Valid calls of the operations that are about signing in.
import { newSecret } from '../../../src/kit/random.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { givePassword, ownersPassword, sessionOf } from '../../support/sign-in.ts'
import { type Example, type Fixture, fresh } from './fixture.ts'

export async function logInExample(fixture: Fixture): Promise<Example> {
  await givePassword(fixture.registrar, fixture)
  return { body: { email: fixture.email, password: ownersPassword } }
}

export async function freshSession(fixture: Fixture): Promise<Example> {
  return { session: await sessionOf(fixture.registrar, fixture) }
}

/** Two sessions: one to end, and one that calls. */
export async function sessionToEnd(fixture: Fixture): Promise<Example> {
  const session = await sessionOf(fixture.registrar, fixture)
  await sessionOf(fixture.registrar, fixture)
  const listed = await fixture.registrar.request('GET', '/v1/account/sessions', { token: session })
  return { session, path: { id: listed.body.sessions[0].id } }
}

/** The password stays the same, so that later examples know it. */
export async function ownPassword(fixture: Fixture): Promise<Example> {
  const session = await sessionOf(fixture.registrar, fixture)
  const body = { current_password: ownersPassword, new_password: ownersPassword }
  return { session, body }
}

/** The address has not requested one before, because the limit is one per minute. */
export function resetExample(): Example {
  return { body: { email: `${fresh('reset')}@example.net` } }
}

/**
 * The link is the same as in a mail, to another account each time, because it ends all its
 * sessions.
 */
export async function confirmExample({ registrar }: Fixture): Promise<Example> {
  const account = await registrar.customer({ funds_cents: 0, contact: false })
  const { value, hash } = newSecret('pwt_')
  await rowsIn(registrar)(
    `insert into password_links (id, kind, email, customer_id, token_hash, created_at, expires_at,
       answered_at)
     values ('pwl_' || lpad(nextval('sessions_id_seq')::text, 26, '0'), 'setup', lower($1), $2, $3,
       now(), now() + interval '1 hour', now())`,
    [account.email, account.id, hash],
  )
  return { body: { token: value, password: ownersPassword } }
}

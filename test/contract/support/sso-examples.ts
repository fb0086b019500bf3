// Valid calls of the operations of single sign-on, at the GitHub stand-in of the node.
import { randomBytes } from 'node:crypto'
import { newSecret } from '../../../src/kit/random.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { ssoBrowser } from '../../support/sso/sso-browser.ts'
import type { Example, Fixture } from './fixture.ts'
import { recentSession } from './passkey-examples.ts'

const path = { provider: 'github' }

async function ssoResponse({ registrar }: Fixture): Promise<Example> {
  const browser = ssoBrowser(registrar)
  const back = new URL(await browser.agree(await browser.start('github')), registrar.url)
  const query = Object.fromEntries(back.searchParams)
  return { path, query, headers: { cookie: browser.cookie() } }
}

/** An identity of the account. */
async function identityOf({ registrar, id }: Fixture): Promise<{ id: number; subject: string }> {
  const subject = randomBytes(8).toString('hex')
  const [row] = await rowsIn(registrar)(
    `insert into sso_identities (customer_id, provider, issuer, subject, created_at)
     values ($1, 'github', 'https://github.com', $2, now()) returning id`,
    [id, subject],
  )
  return { id: Number(row.id), subject }
}

/** A log-in whose response arrived, with a ticket of that kind. */
async function answered(
  { registrar, id }: Fixture,
  { kind, subject }: { kind: 'ticket' | 'link'; subject: string },
): Promise<Example> {
  const { value: ticket, hash } = newSecret(kind === 'ticket' ? 'stk_' : 'slk_')
  const { value: browser, hash: browser_hash } = newSecret('ssb_')
  await rowsIn(registrar)(
    `insert into sso_log_ins (id, provider, state_hash, browser_hash, sealed, created_at,
       expires_at, answered_at, issuer, subject, ticket_hash, ticket_expires_at, customer_id,
       link_hash, link_expires_at)
     values ('sso_' || lpad(nextval('sessions_id_seq')::text, 26, '0'), 'github', $1, $2, '', now(),
       now() + interval '1 hour', now(), 'https://github.com', $3, $1, now() + interval '1 hour',
       $4, case when $4::text is not null then $1::bytea end, now() + interval '1 hour')`,
    [hash, browser_hash, subject, kind === 'link' ? id : null],
  )
  const { port } = new URL(registrar.url)
  return { headers: { cookie: `__Host-sso-${port}=${browser}` }, body: { ticket } }
}

const anyone = { access: 'public', operator: true }
const inPerson = { access: 'session', operator: false }

export const ssoExamples = {
  'POST /v1/dashboard/sso/{provider}/start': {
    ...anyone,
    make: () => ({ path, body: { return_to: '/dashboard/' } }),
  },
  'GET /v1/dashboard/sso/{provider}/callback': { ...anyone, make: ssoResponse },
  'POST /v1/dashboard/sso/exchange': {
    ...anyone,
    make: async (fixture: Fixture) => {
      const { subject } = await identityOf(fixture)
      return answered(fixture, { kind: 'ticket', subject })
    },
  },
  'POST /v1/dashboard/sso/link-code': {
    ...anyone,
    make: async (fixture: Fixture) => {
      // It is a new account, because the limit is one mail per minute.
      const { id } = await fixture.registrar.customer({ funds_cents: 0, contact: false })
      const subject = randomBytes(8).toString('hex')
      return answered({ ...fixture, id }, { kind: 'link', subject })
    },
  },
  'GET /v1/account/identities': { ...inPerson, make: recentSession },
  'POST /v1/account/identities': {
    ...inPerson,
    make: async (fixture: Fixture) => {
      const subject = randomBytes(8).toString('hex')
      const proven = await answered(fixture, { kind: 'ticket', subject })
      return { ...(await recentSession(fixture)), ...proven }
    },
  },
  'DELETE /v1/account/identities/{id}': {
    ...inPerson,
    make: async (fixture: Fixture) => {
      const { id } = await identityOf(fixture)
      return { ...(await recentSession(fixture)), path: { id } }
    },
  },
}

// Callers of each kind, and the ways in which the right of one ends while its request is under way.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { scopes } from '../../../src/app.ts'
import { hashSecret } from '../../../src/kit/random.ts'
import { restResource } from '../../../src/oauth/provider/audiences.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import type { RequestOptions, TestCustomer, TestService } from '../../support/service.ts'
import { ownersPassword, recentSessionOf } from '../../support/sign-in.ts'

export type Kind = 'session' | 'api_key' | 'app' | 'operator'

export type Actor = {
  kind: Kind
  /** The owner, whose key is none of the actor's. */
  owner: TestCustomer
  /** Another session of the owner, with a log-in of just now. */
  session: string
  token: string
  /** The id of its key, or of its consent; `parent` is that of the key's parent. */
  id: string
  parent: string
}

const limits = { allowed_domains: ['right-*.com', 'right-*.io'], max_price: { amount: '500.00' } }

type Maker = Partial<typeof limits> & { token: string }

async function keyOf(registrar: TestService, owner: TestCustomer, { token, ...more }: Maker) {
  const path = `/v1/customers/${owner.id}/api-keys`
  const options = { token, body: { scopes: [...scopes], ...more } }
  const made = await registrar.request('POST', path, options)
  assert.equal(made.status, 201, made.text)
  return { token: String(made.body.api_key), id: String(made.body.key.id) }
}

/** A consent with an access token, as the flow leaves them. */
async function appOf(registrar: TestService, owner: TestCustomer) {
  const rows = rowsIn(registrar)
  const id = `grant-${randomBytes(9).toString('hex')}`
  const token = randomBytes(32).toString('base64url')
  const aud = restResource(registrar.service.settings)
  const client = `client-${id}`
  await rows(
    `insert into oauth_grants (id, customer_id, client_id, client_name, redirect_host, scopes,
       resource, created_at)
     values ($1, $2, $3, 'Program', '127.0.0.1', $4, $5, now())`,
    [id, owner.id, client, [...scopes], aud],
  )
  await rows(
    `insert into oauth_models (model, id_hash, payload, grant_id, client_id, account_id, expires_at)
     values ('AccessToken', $1, $2, $3, $4, $5, now() + interval '1 hour')`,
    [hashSecret(token), { scope: scopes.join(' '), aud }, id, client, owner.id],
  )
  return { token, id }
}

async function operatorOf(registrar: TestService) {
  const body = { name: `op-${randomBytes(6).toString('hex')}` }
  const options = { token: registrar.operatorKey, body }
  const made = await registrar.request('POST', '/v1/internal/operator-keys', options)
  assert.equal(made.status, 201, made.text)
  return { token: String(made.body.operator_key), id: String(made.body.key.id) }
}

export async function actorOf(registrar: TestService, kind: Kind): Promise<Actor> {
  const owner = await registrar.customer({ funds_cents: 100_000, scopes: [...scopes] })
  const session = await recentSessionOf(registrar, owner)
  const base = { kind, owner, session, parent: '', id: '' }
  if (kind === 'session') return { ...base, token: await recentSessionOf(registrar, owner) }
  if (kind === 'app') return { ...base, ...(await appOf(registrar, owner)) }
  if (kind === 'operator') return { ...base, ...(await operatorOf(registrar)) }
  const parent = await keyOf(registrar, owner, { token: session, ...limits })
  const child = await keyOf(registrar, owner, { token: parent.token })
  return { ...base, ...child, parent: parent.id }
}

type Ending = {
  of: readonly Kind[]
  /** The refusal of what is stored or sent afterwards. */
  code: string
  /** The refusal of a purchase, where that is another. */
  code_of_purchase?: string
  /** Only of what a protected domain guards. */
  guarded?: true
  /** Only of what names a domain of the owner's. */
  held?: true
  /** `domain`: the one that the request is about. */
  end: (registrar: TestService, actor: Actor, domain: string) => Promise<void>
}

async function done(registrar: TestService, at: string, options: RequestOptions): Promise<void> {
  const [method = '', path = ''] = at.split(' ')
  const answer = await registrar.request(method, path, options)
  assert.ok(answer.status < 300, `${at}: ${answer.text}`)
}

const keys = ({ owner }: Actor) => `/v1/customers/${owner.id}/api-keys`
const everybody = ['session', 'api_key', 'app'] as const

export const endings: Readonly<Record<string, Ending>> = {
  logged_out: {
    of: ['session'],
    code: '401 invalid_token',
    end: (registrar, { token }) => done(registrar, 'POST /v1/dashboard/logout', { token }),
  },
  password_changed: {
    of: ['session'],
    code: '401 invalid_token',
    end: (registrar, { session: token }) =>
      done(registrar, 'POST /v1/account/password', {
        token,
        body: { current_password: ownersPassword, new_password: 'another horse, another staple' },
      }),
  },
  session_expired: {
    of: ['session'],
    code: '401 invalid_token',
    end: async (registrar, { token }) => {
      const text = 'update sessions set expires_at = now() where token_hash = $1'
      await rowsIn(registrar)(text, [hashSecret(token)])
    },
  },
  key_revoked: {
    of: ['api_key'],
    code: '401 invalid_token',
    end: (registrar, actor) =>
      done(registrar, `POST ${keys(actor)}/${actor.id}/revoke`, { token: actor.session }),
  },
  parent_revoked: {
    of: ['api_key'],
    code: '401 invalid_token',
    end: (registrar, actor) =>
      done(registrar, `POST ${keys(actor)}/${actor.parent}/revoke`, { token: actor.session }),
  },
  key_rotated: {
    of: ['api_key'],
    code: '401 invalid_token',
    end: (registrar, actor) =>
      done(registrar, `POST ${keys(actor)}/${actor.id}/rotate`, { token: actor.session }),
  },
  key_expired: {
    of: ['api_key'],
    code: '401 invalid_token',
    end: async (registrar, { id }) => {
      await rowsIn(registrar)('update api_keys set expires_at = now() where id = $1', [id])
    },
  },
  key_narrowed: {
    of: ['api_key'],
    code: '404 domain_not_found',
    code_of_purchase: '403 domain_not_allowed',
    held: true,
    end: (registrar, actor) =>
      done(registrar, `PATCH ${keys(actor)}/${actor.id}`, {
        token: actor.session,
        body: { allowed_domains: ['no-such-name.com'] },
      }),
  },
  key_elsewhere: {
    of: ['api_key'],
    code: '403 address_not_allowed',
    end: (registrar, actor) =>
      done(registrar, `PATCH ${keys(actor)}/${actor.id}`, {
        token: actor.session,
        body: { allowed_ips: ['192.0.2.0/24'] },
      }),
  },
  disconnected: {
    of: ['app'],
    code: '401 invalid_token',
    end: (registrar, { id, session: token }) =>
      done(registrar, `DELETE /v1/account/oauth-grants/${id}`, { token }),
  },
  consent_narrowed: {
    of: ['app'],
    code: '403 insufficient_scope',
    end: async (registrar, { id }) => {
      await rowsIn(registrar)(`update oauth_grants set scopes = '{account:read}' where id = $1`, [
        id,
      ])
    },
  },
  app_narrowed: {
    of: ['app'],
    code: '404 domain_not_found',
    code_of_purchase: '403 domain_not_allowed',
    held: true,
    end: (registrar, { id, session: token }) =>
      done(registrar, `PATCH /v1/account/oauth-grants/${id}`, {
        token,
        body: { allowed_domains: ['no-such-name.com'] },
      }),
  },
  suspended: {
    of: everybody,
    code: '403 account_suspended',
    end: (registrar, { owner }) =>
      done(registrar, `POST /v1/internal/customers/${owner.id}/suspend`, {
        token: registrar.operatorKey,
        body: { reason: 'For a test.' },
      }),
  },
  protected: {
    of: ['api_key', 'app'],
    code: '403 approval_required',
    guarded: true,
    held: true,
    end: (registrar, { session: token }, domain) =>
      done(registrar, `POST /v1/domains/${domain}/protect`, { token }),
  },
  operator_revoked: {
    of: ['operator'],
    code: '401 invalid_token',
    end: (registrar, { id }) =>
      done(registrar, `POST /v1/internal/operator-keys/${id}/revoke`, {
        token: registrar.operatorKey,
      }),
  },
}

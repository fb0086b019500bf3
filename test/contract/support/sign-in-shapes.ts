// Responses of the sign-in operations.
import { fields, flag, integer, list, moment, orNull, type Schema, text, words } from './shape.ts'

const session = fields({
  id: integer,
  current: flag,
  created_at: moment,
  signed_in_at: moment,
  last_used_at: moment,
  expires_at: moment,
  agent: text,
  address: text,
})

const customer = fields({
  id: text,
  email: text,
  email_verified: flag,
  status: words('active', 'suspended', 'closed'),
})
const started = fields({ signup_id: text, email: text, expires_at: moment, resend_after: moment })
const config = {
  environment: words('sandbox', 'production'),
  base_url: text,
  mcp_url: text,
  site_url: text,
  currencies: list(words('USD', 'EUR')),
  nameservers: list(text),
  sso_providers: list(text),
  passkey_rp_id: orNull(text),
  vapid_public_key: orNull(text),
  authenticated: flag,
}

/** The shapes of sign-up, and of a change of the e-mail address. */
export const signUpShapes: Record<string, Schema> = {
  'GET /v1/dashboard/signup/config': fields({
    sign_up: words('open', 'invite', 'closed'),
    sso_providers: list(text),
    password: fields({ min: integer, max: integer }),
    code: fields({ length: integer, ttl_s: integer, resend_after_s: integer }),
  }),
  'POST /v1/dashboard/register': started,
  'POST /v1/dashboard/register/resend': started,
  'POST /v1/dashboard/register/link': fields({
    email: text,
    created_at: moment,
    address: text,
    agent: text,
  }),
  'POST /v1/dashboard/register/verify': fields({
    customer,
    access_token: { type: 'string', pattern: '^ses_[0-9A-Za-z]{40}$' },
    token_type: words('Bearer'),
    expires_at: moment,
    mcp_api_key: { type: 'string', pattern: '^ar_test_[0-9A-Za-z]{40}$' },
  }),
  'GET /v1/dashboard/config': fields({ ...config, mcp: fields({ endpoint: text }) }),
  'POST /v1/dashboard/config/mcp-api-key/rotate': fields({
    ...config,
    mcp: fields({ endpoint: text, api_key_prefix: text, api_key: text }),
  }),
  'POST /v1/account/email/verify': customer,
}
const loggedIn = fields({
  customer: fields({ id: text, email: text, status: words('active', 'suspended', 'closed') }),
  access_token: { type: 'string', pattern: '^ses_[0-9A-Za-z]{40}$' },
  token_type: words('Bearer'),
  expires_at: moment,
})
const options = fields({ options: fields({ challenge: text }) })
const passkey = fields({
  id: integer,
  name: text,
  backed_up: flag,
  transports: list(text),
  created_at: moment,
  last_used_at: orNull(moment),
})

const identity = fields({
  id: integer,
  provider: text,
  provider_name: text,
  issuer: text,
  email: orNull(text),
  created_at: moment,
  last_used_at: orNull(moment),
})

export const signInShapes: Record<string, Schema> = {
  'POST /v1/dashboard/sso/{provider}/start': fields({ authorization_url: text, state: text }),
  'GET /v1/dashboard/sso/{provider}/callback': fields({ ticket: text, expires_at: moment }),
  'POST /v1/dashboard/sso/exchange': fields({
    customer,
    access_token: { type: 'string', pattern: '^ses_[0-9A-Za-z]{40}$' },
    token_type: words('Bearer'),
    expires_at: moment,
    mcp_api_key: orNull(text),
  }),
  'POST /v1/dashboard/sso/link-code': fields({
    email: text,
    expires_at: moment,
    resend_after: moment,
  }),
  'GET /v1/account/identities': fields({ identities: list(identity) }),
  'POST /v1/account/identities': identity,
  'DELETE /v1/account/identities/{id}': {},
  'POST /v1/dashboard/login': loggedIn,
  'POST /v1/dashboard/logout': {},
  'POST /v1/dashboard/password-reset': fields({
    reset_id: text,
    email: text,
    expires_at: moment,
    resend_after: moment,
  }),
  'POST /v1/dashboard/password-reset/confirm': fields({ email: text, changed_at: moment }),
  'POST /v1/dashboard/passkey/options': options,
  'POST /v1/dashboard/passkey/login': loggedIn,
  'POST /v1/account/passkeys/options': options,
  'POST /v1/account/passkeys': passkey,
  'GET /v1/account/passkeys': fields({ passkeys: list(passkey) }),
  'DELETE /v1/account/passkeys/{id}': {},
  'GET /v1/account/sessions': fields({ sessions: list(session) }),
  'DELETE /v1/account/sessions/{id}': {},
  'POST /v1/account/password': fields({ changed_at: moment, sessions_ended: integer }),
  'POST /v1/customers/{customer_id}/password-setup': fields({ email: text, expires_at: moment }),
}

// Responses of the sign-in operations.
import { fields, flag, integer, list, moment, type Schema, text, words } from './shape.ts'

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

export const signInShapes: Record<string, Schema> = {
  'POST /v1/dashboard/login': fields({
    customer: fields({ id: text, email: text, status: words('active', 'suspended', 'closed') }),
    access_token: { type: 'string', pattern: '^ses_[0-9A-Za-z]{40}$' },
    token_type: words('Bearer'),
    expires_at: moment,
  }),
  'POST /v1/dashboard/logout': {},
  'POST /v1/dashboard/password-reset': fields({
    reset_id: text,
    email: text,
    expires_at: moment,
    resend_after: moment,
  }),
  'POST /v1/dashboard/password-reset/confirm': fields({ email: text, changed_at: moment }),
  'GET /v1/account/sessions': fields({ sessions: list(session) }),
  'DELETE /v1/account/sessions/{id}': {},
  'POST /v1/account/password': fields({ changed_at: moment, sessions_ended: integer }),
  'POST /v1/customers/{customer_id}/password-setup': fields({ email: text, expires_at: moment }),
}

// Valid calls of the audit log, and their shapes.
import type { Fixture } from '../fixture.ts'
import { fields, integer, list, moment, orNull, text, words } from '../shape.ts'

const auditLog = fields({
  id: integer,
  entry_point: words('rest', 'mcp', 'dashboard', 'internal', 'job', 'cli', 'webhook'),
  action: text,
  actor_type: words('customer', 'api_key', 'oauth_client', 'operator', 'system', 'anonymous'),
  agent_identifier: text,
  result: words('success', 'denied', 'failed', 'pending', 'unknown'),
  metadata: { type: 'object' },
  created_at: moment,
  target_type: orNull(text),
  target: orNull(text),
  customer_id: orNull(text),
  api_key_id: orNull(integer),
  actor_label: orNull(text),
  status_code: orNull(integer),
  error_code: orNull(text),
})
const auditPage = fields({ audit_logs: list(auditLog) })

export const auditShapes = {
  'GET /v1/customers/{customer_id}/audit-logs': auditPage,
  'GET /v1/customers/{customer_id}/audit-logs/{audit_log_id}/proof': fields({
    canonical_row: text,
    block: { type: 'object' },
  }),
  'GET /v1/customers/{customer_id}/audit-logs/export': fields({
    statement: { type: 'object' },
    signature: text,
    public_key: text,
    entries: list(
      fields({ id: integer, canonical_row: text, row_hash: text, leaf_index: integer }),
    ),
    blocks: list({ type: 'object' }),
    next_cursor: orNull(text),
  }),
  'GET /v1/domain-audit-logs': auditPage,
  'GET /v1/audit/head': fields({
    number: text,
    block_hash: text,
    era: integer,
    created_at: moment,
    key_id: text,
    signature: text,
  }),
}

const reads = { access: 'audit:read', operator: true }
const of = ({ id }: Fixture) => ({ path: { customer_id: id } })

export const auditExamples = {
  'GET /v1/customers/{customer_id}/audit-logs': {
    ...reads,
    make: (fixture: Fixture) => ({ ...of(fixture), query: { limit: '5' } }),
  },
  'GET /v1/customers/{customer_id}/audit-logs/{audit_log_id}/proof': {
    ...reads,
    make: ({ id, audit_log_id }: Fixture) => ({ path: { customer_id: id, audit_log_id } }),
  },
  'GET /v1/customers/{customer_id}/audit-logs/export': {
    ...reads,
    make: (fixture: Fixture) => ({ ...of(fixture), query: { limit: '2' } }),
  },
  'GET /v1/audit/head': { access: 'token', operator: true, make: () => ({}) },
  'GET /v1/domain-audit-logs': {
    access: 'audit:read',
    operator: false,
    make: ({ domain }: Fixture) => ({ query: { domain, limit: '5' } }),
  },
}

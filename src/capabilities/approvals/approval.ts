// An approval as it is read: its fields, and the presentation of a row.

import Type, { type Static } from 'typebox'
import type { App } from '../../app.ts'
import { currencies, formatAmount } from '../../kit/money.ts'
import type { DomainName } from '../../kit/random.ts'
import { dateTime, identifier, nullable, oneOf, stringOf, wordOf } from '../../kit/schema.ts'
import { publicUrls } from '../../origins.ts'
import type { ApprovalRow } from './approvals.sql.ts'

const approvalStates = [
  'pending',
  'approved',
  'executed',
  'failed',
  'declined',
  'expired',
  'voided',
] as const
const approvalReasons = [
  'approval_above',
  'outside_allowed',
  'auto_renewal',
  'protected_domain',
] as const
export type ApprovalReason = (typeof approvalReasons)[number]

export const approvalId = identifier('apr', 'The id of the approval.')

export const approvalShape = Type.Object(
  {
    id: approvalId,
    state: oneOf(approvalStates, {
      description:
        'approved: the service is carrying the request out; for a transfer code, ask again ' +
        'now. executed: it was ordered or done. failed: it was refused when it was carried ' +
        'out. voided: it would be another order now, or its key has ended.',
    }),
    action: Type.String({ description: 'The operation that was asked for.' }),
    domain: stringOf<DomainName>(),
    reason: oneOf(approvalReasons),
    request: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The terms of the request.',
    }),
    highest_price: nullable(
      Type.Object(
        { amount: Type.String(), currency: oneOf(currencies) },
        {
          description:
            'The highest price that may be paid; a lower price is paid as it is. Null if the ' +
            'request costs nothing.',
        },
      ),
    ),
    asked_by: Type.Object({
      of: oneOf(['api_key', 'app']),
      id: Type.String(),
      name: Type.String(),
      agent: Type.String({
        description: 'The name that the agent gave itself. It is not verified.',
      }),
    }),
    created_at: dateTime('When the approval was asked for.'),
    expires_at: dateTime('Until when the request can be approved and carried out.'),
    decided_at: nullable(dateTime('When the owner answered.')),
    note: nullable(Type.String({ description: "The owner's note to the agent." })),
    ended_at: nullable(dateTime('When the request ended.')),
    error: nullable(
      Type.Object(
        { code: Type.String(), detail: nullable(Type.String()) },
        { description: 'Why it failed, or is void.' },
      ),
    ),
    operation: nullable(
      Type.Object(
        { id: Type.String(), state: Type.String() },
        { description: 'The paid operation that it became.' },
      ),
    ),
    url: Type.String({ description: 'Where the owner answers it.' }),
  },
  { title: 'ApprovalResponse' },
)
export type Approval = Static<typeof approvalShape>

/**
 * Actions whose answer is a secret. After the approval the caller sends the request again, which is
 * then served once.
 */
export function isRepeatedByCaller(action: string): boolean {
  return ['get_transfer_auth_code', 'regenerate_transfer_auth_code'].includes(action)
}

/** The page of the approval in the dashboard. */
function approvalPage({ settings }: Pick<App, 'settings'>, id: string): string {
  return `${publicUrls(settings).dashboard_url}/approvals/${id}`
}

export function approvalOf(app: Pick<App, 'settings'>, row: ApprovalRow): Approval {
  const { id, api_key_id, oauth_grant_id, amount: price, currency } = row
  const iso = (at: Date | null) => at?.toISOString() ?? null
  return {
    id,
    state: wordOf(approvalStates, row.state),
    action: row.action,
    domain: row.domain,
    reason: wordOf(approvalReasons, row.reason),
    request: Object(row.request),
    highest_price:
      price === null || currency === null
        ? null
        : { amount: formatAmount(price), currency: wordOf(currencies, currency) },
    asked_by: {
      of: api_key_id === null ? 'app' : 'api_key',
      id: String(api_key_id ?? oauth_grant_id),
      name: row.asked_by,
      agent: row.agent_identifier,
    },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: iso(row.decided_at),
    note: row.note,
    ended_at: iso(row.ended_at),
    error: row.error_code === null ? null : { code: row.error_code, detail: row.error_detail },
    operation: row.order_id === null ? null : { id: row.order_id, state: row.order_state ?? '' },
    url: approvalPage(app, id),
  }
}

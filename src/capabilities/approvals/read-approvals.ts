// Reads approvals (GET /v1/approvals): all approvals of the account, or only those that the caller
// asked for, if limits hide domains from it.

import Type from 'typebox'
import { type App, type Call, operation, owner } from '../../app.ts'
import type { ApprovalId } from '../../kit/random.ts'
import { oneOf, withDefault } from '../../kit/schema.ts'
import { byId } from '../../lists/cursor.ts'
import { pagesOf } from '../../lists/paging.ts'
import { tooManyWaits, waitFor } from '../events/index.ts'
import { isVisibleDomain, limitedBy, visibleNames } from '../limits/index.ts'
import {
  type Approval,
  approvalId,
  approvalOf,
  approvalShape,
  isRepeatedByCaller,
} from './approval.ts'
import {
  approvalOfCustomer,
  listOfApprovals,
  listOfGrantApprovals,
  listOfKeyApprovals,
  listOfOpenApprovals,
  listOfOpenGrantApprovals,
  listOfOpenKeyApprovals,
} from './approvals.sql.ts'
import { approvalNotFound } from './faults.ts'

const common = {
  area: 'Approvals',
  who: owner('domains:read'),
  effect: 'none',
} as const
const tool = { group: 'account', destructive: false, idempotent: true, open_world: false } as const
const example = { id: 'apr_01kc8v3w6qf9t2x5y7z8a4b3c2' }

const pages = pagesOf('list_approvals', byId('apr'), { default: 50 })

export const listApprovals = operation({
  ...common,
  name: 'list_approvals',
  does: 'List the requests that wait for the owner, or have been answered, newest first.',
  more:
    'The list has all requests of the account; for a key or an app that sees only some domains, ' +
    'it has those that it asked for. A key or a consent has at most 20 open requests, and a key ' +
    'with all keys under the same first one, or an app with its keys, makes at most 100 in a day ' +
    '(UTC); a further request is answered with 409 too_many_approvals. One that ended is kept ' +
    'for a year, unless the operator chose another time.',
  at: 'GET /v1/approvals',
  takes: Type.Object({
    state: withDefault(
      oneOf(['pending', 'all'], {
        description: 'Whether to list the open requests, or all of them.',
      }),
      'pending',
    ),
    ...pages.takes,
  }),
  gives: Type.Object(
    {
      approvals: Type.Array(approvalShape),
      ...pages.gives,
    },
    { title: 'ApprovalListResponse' },
  ),
  fails: [],
  async run({ state, ...asked }, call, app) {
    const isOpen = state === 'pending'
    const { rows, next_cursor } = await pages.read(
      asked,
      ({ after: before, most: limit }) => readPage(call, { before, limit, isOpen }),
      ({ id }) => id,
    )
    return { approvals: rows.map((row) => approvalOf(app, row)), next_cursor }
  },
})

type Page = { before: string | null; limit: number; isOpen: boolean }

function readPage({ sql, caller, customer_id }: Call, { isOpen, ...page }: Page) {
  const { api_key_id, oauth_grant_id } = limitedBy(caller)
  if (visibleNames(caller) === null || (api_key_id === null && oauth_grant_id === null))
    return sql.run(isOpen ? listOfOpenApprovals : listOfApprovals, { ...page, customer_id })
  if (api_key_id !== null)
    return sql.run(isOpen ? listOfOpenKeyApprovals : listOfKeyApprovals, { ...page, api_key_id })
  const list = isOpen ? listOfOpenGrantApprovals : listOfGrantApprovals
  return sql.run(list, { ...page, oauth_grant_id: oauth_grant_id ?? '' })
}

/** Throws approvalNotFound also for one about a domain that the caller does not see. */
async function readApproval(app: App, call: Call, id: ApprovalId): Promise<Approval> {
  const row = await app.db.maybe(approvalOfCustomer, { id, customer_id: call.customer_id })
  const by = limitedBy(call.caller)
  const isAsker = row?.api_key_id === by.api_key_id && row.oauth_grant_id === by.oauth_grant_id
  if (!row || !(isAsker || isVisibleDomain(call.caller, row.domain))) throw approvalNotFound()
  return approvalOf(app, row)
}

export const getApproval = operation({
  ...common,
  name: 'get_approval',
  does: 'Read a request that waits for the owner: whether it is approved, and how it ended.',
  more: 'The id is approval.id of the 403 approval_required.',
  at: 'GET /v1/approvals/{id}',
  takes: Type.Object({ id: approvalId }),
  gives: approvalShape,
  fails: [approvalNotFound],
  tools: [{ ...tool, title: 'Read an approval', examples: [example] }],
  run: ({ id }, call, app) => readApproval(app, call, id),
})

export const waitForApproval = operation({
  ...common,
  name: 'wait_for_approval',
  does: 'Wait until the owner has answered a request and it is done, at most 50 s.',
  more:
    'The response comes as soon as the approval has ended (executed, failed, declined, expired ' +
    'or voided), or when the time is over, in which case call again. Then read or wait for ' +
    'operation.id.',
  at: 'GET /v1/approvals/{id}/wait',
  takes: Type.Object({
    id: approvalId,
    wait: withDefault(
      Type.Integer({ minimum: 1, maximum: 50, description: 'Seconds to wait at most.' }),
      50,
    ),
  }),
  gives: approvalShape,
  fails: [approvalNotFound, tooManyWaits],
  tools: [{ ...tool, title: 'Wait for an approval', examples: [example] }],
  run: ({ id, wait }, call, app) =>
    waitFor(app, call, {
      for_ms: wait * 1_000,
      look: () => readApproval(app, call, id),
      isOver: ({ ended_at, state, action }) =>
        ended_at !== null ||
        state === 'expired' ||
        (state === 'approved' && isRepeatedByCaller(action)),
    }),
})

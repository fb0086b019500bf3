// The changes of a domain's records that wait for their confirmation, or for the owner's decision.
import Type, { type Static } from 'typebox'
import type { Sql } from '../../../../db/database.ts'
import { typeName } from '../../../../dns/types.ts'
import { dateTime, nullable, oneOf } from '../../../../kit/schema.ts'
import { diffOfKept } from '../records/kept-change.ts'
import type { SetDiff } from '../records/plan-records.ts'
import { openConfirmations } from './confirmation.sql.ts'
import { type KeptReason, keptBecause, keptReasons } from './kept.ts'

const most_shown = 20

export type OpenChange = {
  id: string
  /** Kept: it was due, and did not go back. */
  state: 'unconfirmed' | 'kept'
  kept_because: KeptReason | null
  reverts_at: Date
  diff: readonly SetDiff[]
  made_by: { kind: string; label: string | null }
}

const openChangeShape = Type.Object(
  {
    id: Type.String({ description: 'For confirm_dns_change and revert_dns_change.' }),
    state: oneOf(['unconfirmed', 'kept'], {
      description: 'kept: it was due to go back and did not, so the owner decides.',
    }),
    kept_because: nullable(
      oneOf(keptReasons, { description: 'Why it did not go back; null: it waits.' }),
    ),
    reverts_at: dateTime('When it goes back without a confirmation, or was to.'),
    made_by: Type.Object({
      kind: Type.String({ description: '"customer", "api_key" or "oauth_client".' }),
      label: nullable(Type.String({ description: 'The name of the key or the app.' })),
    }),
    sets: Type.Array(Type.Object({ host: Type.String(), type: Type.String() }), {
      description: `Up to ${most_shown} of those that it changed.`,
    }),
    sets_total: Type.Integer({ description: 'How many sets it changed.' }),
  },
  { title: 'UnconfirmedDnsChange' },
)
export const openChangesShape = Type.Array(openChangeShape, {
  description:
    'Changes of records that go back by themselves unless they are confirmed, and those that ' +
    'were due to go back and did not.',
})

/** Oldest first. */
export async function readOpenChanges(
  sql: Pick<Sql, 'run'>,
  domain_id: bigint,
): Promise<OpenChange[]> {
  const rows = await sql.run(openConfirmations, { domain_id })
  return rows.map(({ change_id: id, state, reverts_at, kept_because, ...row }) => ({
    ...{ id, reverts_at, state: state === 'kept' ? state : 'unconfirmed' },
    kept_because: state === 'kept' ? keptBecause(kept_because) : null,
    diff: diffOfKept(row.sets),
    made_by: { kind: row.actor_type, label: row.actor_label },
  }))
}

export function shownOpenChanges(open: readonly OpenChange[]): Static<typeof openChangesShape> {
  return open.map(({ id, state, kept_because, reverts_at, diff, made_by }) => ({
    ...{ id, state, kept_because, made_by },
    reverts_at: reverts_at.toISOString(),
    sets: diff.slice(0, most_shown).map(({ host, type }) => ({ host, type: typeName(type) })),
    sets_total: diff.length,
  }))
}

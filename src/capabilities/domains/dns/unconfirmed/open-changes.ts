// The changes of a domain's records and name servers that wait for their confirmation, or for the
// owner's decision.
import Type, { type Static } from 'typebox'
import type { Sql } from '../../../../db/database.ts'
import type { Row } from '../../../../db/statement.ts'
import { typeName } from '../../../../dns/types.ts'
import { dateTime, nullable, oneOf } from '../../../../kit/schema.ts'
import { diffOfKept } from '../record-sets/kept-change.ts'
import type { SetDiff } from '../record-sets/plan-records.ts'
import { openConfirmations } from './confirmation.sql.ts'
import { type KeptReason, keptBecause, keptReasons } from './kept.ts'
import { undecidedNameservers } from './nameserver-confirmations.sql.ts'

const most_shown = 20

export type OpenChange = {
  id: string
  /** `kept` if it was due, and was not reverted. */
  state: 'unconfirmed' | 'kept'
  kept_because: KeptReason | null
  reverts_at: Date
  diff: readonly SetDiff[]
  made_by: { kind: string; label: string | null }
}

const openChangeShape = Type.Object(
  {
    id: Type.String({
      description:
        'The id for confirm_dns_change. revert_dns_change reverts records; update_nameservers ' +
        'with the name servers of "before" reverts name servers.',
    }),
    kind: oneOf(['records', 'name_servers'], { description: 'The kind of the change.' }),
    state: oneOf(['unconfirmed', 'kept'], {
      description: 'kept: it was due to be reverted and was not, so the owner decides.',
    }),
    kept_because: nullable(
      oneOf(keptReasons, { description: 'Why it was not reverted, or null while it waits.' }),
    ),
    reverts_at: dateTime('When it is reverted without a confirmation, or was to be.'),
    made_by: Type.Object({
      kind: Type.String({ description: '"customer", "api_key" or "oauth_client".' }),
      label: nullable(Type.String({ description: 'The name of the key or the app.' })),
    }),
    sets: Type.Array(Type.Object({ host: Type.String(), type: Type.String() }), {
      description: `Up to ${most_shown} of the changed sets.`,
    }),
    sets_total: Type.Integer({ description: 'How many sets it changed.' }),
    nameservers: nullable(
      Type.Object({ before: Type.Array(Type.String()), after: Type.Array(Type.String()) }),
    ),
  },
  { title: 'UnconfirmedChange' },
)
export const openChangesShape = Type.Array(openChangeShape, {
  description:
    'Changes of records and name servers that are reverted unless they are confirmed, and those ' +
    'that were due to be reverted and were not.',
})

/** The open changes of records, oldest first. */
export async function readOpenChanges(
  sql: Pick<Sql, 'run'>,
  domain_id: bigint,
): Promise<OpenChange[]> {
  const rows = await sql.run(openConfirmations, { domain_id })
  return rows.map(({ change_id: id, state, reverts_at, kept_because, ...row }) => ({
    ...{ id, reverts_at, ...stateOf({ state, kept_because }) },
    diff: diffOfKept(row.sets),
    made_by: { kind: row.actor_type, label: row.actor_label },
  }))
}

/** The open changes of records and of name servers, oldest first. */
export async function shownOpenChanges(
  sql: Pick<Sql, 'run'>,
  { open, domain_id }: { open: readonly OpenChange[]; domain_id: bigint },
): Promise<Static<typeof openChangesShape>> {
  const rows = await sql.run(undecidedNameservers, { domain_id })
  return [...rows.map(shownNameservers), ...shownRecords(open)].sort((one, other) =>
    one.reverts_at.localeCompare(other.reverts_at),
  )
}

function shownNameservers(row: Row<'nameserver_confirmations_undecided'>) {
  const { state, kept_because, before_nameservers: before, after_nameservers: after } = row
  return {
    ...{ id: row.change_id, kind: 'name_servers' as const, sets: [], sets_total: 0 },
    ...stateOf({ state, kept_because }),
    made_by: { kind: row.actor_type, label: row.actor_label },
    reverts_at: row.reverts_at.toISOString(),
    nameservers: { before, after },
  }
}

function stateOf({ state, kept_because }: { state: string; kept_because: string | null }) {
  const isKept = state === 'kept'
  return {
    state: isKept ? ('kept' as const) : ('unconfirmed' as const),
    kept_because: isKept ? keptBecause(kept_because) : null,
  }
}

function shownRecords(open: readonly OpenChange[]) {
  return open.map(({ id, state, kept_because, reverts_at, diff, made_by }) => ({
    ...{ id, kind: 'records' as const, state, kept_because, made_by, nameservers: null },
    reverts_at: reverts_at.toISOString(),
    sets: diff.slice(0, most_shown).map(({ host, type }) => ({ host, type: typeName(type) })),
    sets_total: diff.length,
  }))
}

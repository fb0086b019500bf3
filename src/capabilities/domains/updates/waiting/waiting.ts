// A change of name servers that waits until the new ones serve the domain. It is stored with the
// party that asked for it, and a task checks it again until it is made, replaced, canceled, or
// given up after seven days.
import Type, { type Static } from 'typebox'
import type { App, Call } from '../../../../app.ts'
import { json, type Row } from '../../../../db/statement.ts'
import { fault } from '../../../../kit/fault.ts'
import { newId } from '../../../../kit/random.ts'
import { dateTime, nullable } from '../../../../kit/schema.ts'
import { enqueue, taskKind } from '../../../../tasks/index.ts'
import { requestChanged } from '../../../approvals/index.ts'
import { storeAuditRow } from '../../../audit/index.ts'
import { domainNotFound } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import type { Nameservers } from '../../names.ts'
import { endWithChange } from '../approved-change.ts'
import { rightToChange } from '../right-to-change.ts'
import { storeWaiting } from './waiting.sql.ts'

const longest_ms = 7 * 86_400_000
const first_look_ms = 60_000

export const waitingShape = Type.Object(
  {
    id: Type.String(),
    nameservers: Type.Array(Type.String(), { description: 'The name servers to set.' }),
    made_by: nullable(
      Type.String({ description: 'The name of the key or app, or null if it was you.' }),
    ),
    created_at: dateTime('When it was asked for.'),
    expires_at: dateTime('When it is given up.'),
    checked_at: nullable(dateTime('When the name servers were last asked.')),
  },
  { title: 'WaitingNameservers' },
)

/** The answer to a request that its owner has approved, which the service sends again. */
export const notServedYet = fault('not_served_yet', 'unavailable', {
  sentence: 'The new name servers do not serve the domain yet; nothing was changed.',
  hint: 'Send it again later, or without require_served.',
})

/** The task has the id of the waiting change, and ends once that no longer exists. */
export const lookAgainTask = taskKind({
  kind: 'set_served_nameservers',
  payload: Type.Object({ waiting_id: Type.String() }),
  backoff: { first_ms: 60_000, longest_ms: 900_000 },
  most_attempts: null,
})

export function shownWaiting(
  row: Pick<Row<'waiting_nameservers_by_id'>, 'id' | 'nameservers' | 'label'> & {
    created_at: Date
    expires_at: Date
    checked_at: Date | null
  },
): Static<typeof waitingShape> {
  const { id, nameservers, label, created_at, expires_at, checked_at } = row
  return {
    ...{ id, nameservers: [...nameservers], made_by: label },
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    checked_at: checked_at?.toISOString() ?? null,
  }
}

type Wanted = { holding: Holding; desired: Nameservers; asked_at: Date }

/** Replaces a change that waited before; approved ones that wait become void. */
export async function waitForServers(
  app: App,
  call: Call,
  { holding, desired, asked_at }: Wanted,
): Promise<Static<typeof waitingShape>> {
  const { caller } = call
  const { id: domain_id, customer_id, name: domain } = holding
  const { nameservers, glue } = desired
  const created_at = app.clock.now()
  const row = {
    id: newId('nsw', created_at.getTime()),
    nameservers,
    label: caller.kind === 'api_key' || caller.kind === 'oauth_client' ? caller.label : null,
    created_at,
    expires_at: new Date(created_at.getTime() + longest_ms),
    checked_at: created_at,
  }
  const right = rightToChange(call, { holding, guarded: true })
  await app.db.transaction(async (sql) => {
    const { checked_at: _just_now, ...kept } = row
    const stored = await sql.maybe(storeWaiting, {
      ...{ ...kept, domain_id, customer_id, glue: json(glue) },
      api_key_id: caller.kind === 'api_key' ? caller.key_id : null,
      oauth_grant_id: caller.kind === 'oauth_client' ? caller.grant_id : null,
      session_id: caller.kind === 'customer' ? caller.session_id : null,
    })
    if (!stored) throw domainNotFound()
    await right(sql)
    const changed = { holding, parts: { nameservers: true }, asked_at }
    if (!(await endWithChange(sql, call, changed))) throw requestChanged()
    await enqueue(sql, lookAgainTask, {
      key: row.id,
      payload: { waiting_id: row.id },
      run_at: new Date(created_at.getTime() + first_look_ms),
    })
    const metadata = { nameservers, glue, waits_until: row.expires_at.toISOString() }
    const facts = { action: 'update_nameservers', target_type: 'domain', target: domain, metadata }
    await storeAuditRow(sql, call.auditRow({ ...facts, result: 'pending' }))
  })
  return shownWaiting(row)
}

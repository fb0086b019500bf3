// Outbox of client statuses that a former registrar left on a domain (RFC 5731 section 2.3). After
// a transfer in, all are removed except the lock, which the owner removes with an unlock.
import Type from 'typebox'
import { type App, type Call, job } from '../../../app.ts'
import { Fault } from '../../../kit/fault.ts'
import { done, type TaskEnd, taskKind, workTasks } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { domainNotFound } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { byRegistry } from '../per-registry.ts'
import { updateHolding } from './domain-update.ts'
import { leftByOthers } from './update-diff.ts'
import { changeRefused } from './update-faults.ts'
import { transferredHolding } from './updates.sql.ts'

const pace = { at_once: 16, every_ms: 2_000 }
/** A refusal may be temporary; after this many it is final. */
const most_refusals = 5
const action = 'remove_client_statuses'

/** Enqueued by a trigger of domains; the bulkhead is the registry. */
const clientStatusesLeft = taskKind({
  kind: 'remove_client_statuses',
  payload: Type.Object({ domain_id: Type.String({ pattern: '^[0-9]+$' }) }),
  backoff: { first_ms: 10_000, longest_ms: 3_600_000 },
  most_attempts: null,
})

export const removeClientStatuses = job({
  name: action,
  does: 'Removes client statuses that the former registrar of a domain left.',
  every_ms: pace.every_ms,
  per_node: true,
  task_kind: clientStatusesLeft.kind,
  run: (app, call) =>
    byRegistry(app, pace, ({ name, limit }) =>
      workTasks(app, clientStatusesLeft, {
        bulkhead: name,
        limit: Number(limit),
        handle: ({ payload, attempts }) =>
          clear(app, call, { id: BigInt(payload.domain_id), tries: attempts + 1 }),
      }),
    ),
})

async function clear(
  app: App,
  call: Call,
  { id, tries }: { id: bigint; tries: number },
): Promise<TaskEnd> {
  const holding = await app.db.maybe(transferredHolding, { id })
  if (!holding || leftByOthers(holding).length === 0) return done
  const { name: target, customer_id } = holding
  const removed = leftByOthers(holding)
  try {
    await updateHolding(app, call, {
      // They are removed as by an unlock, and in the states that allow one.
      action: 'unlock_domain',
      holding,
      desired: { cleared: true },
      superseded: (present) => present.id !== id || leftByOthers(present).length === 0,
      facts: { action, target_type: 'domain', target, customer_id, metadata: { removed } },
    })
    return done
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.type === domainNotFound) return done
    app.log.warn({ err: error, domain: target, tries }, 'client statuses not taken off yet')
    const isFinal = error.type === changeRefused && tries >= most_refusals
    if (!isFinal) return { end: 'retry', reason: error.message }
    const row = givenUp(call, holding, error)
    return { end: 'done', effects: async (sql) => void (await storeAuditRow(sql, row)) }
  }
}

/** The owner sees them in the domain's statuses, and removes them with an unlock. */
function givenUp(call: Call, { name: target, customer_id }: Holding, { type }: Fault) {
  const result = { result: 'failed', error_code: type.code } as const
  return call.auditRow({ action, target_type: 'domain', target, customer_id, ...result })
}

// Outbox of name servers that can only be set once a domain is ours: those of a transfer in, and
// host objects below a name that was just registered. A crash after the payment does not lose them.

import Type from 'typebox'
import { type App, type Call, job } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { Fault } from '../../../kit/fault.ts'
import { publicUrls } from '../../../origins.ts'
import { done, type TaskEnd, taskKind, workTasks } from '../../../tasks/index.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { customerMail } from '../../mail/index.ts'
import { nameserversNotSetEmail } from '../emails.ts'
import { domainNotFound, glueRequired } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { orderedGlue } from '../orders/order.ts'
import { byRegistry } from '../per-registry.ts'
import { updateHolding } from './domain-update.ts'
import { changeRefused } from './update-faults.ts'
import { dropWantedNameservers, holdingToDelegate } from './updates.sql.ts'

const pace = { at_once: 16, every_ms: 2_000 }
/** A refusal may be temporary; after this many it is final. */
const most_refusals = 5
/** An alarm is raised after about three hours of attempts. */
const alarm_after = 12

/** Enqueued by triggers of domains; the bulkhead is the registry. */
const orderedNameservers = taskKind({
  kind: 'set_ordered_nameservers',
  payload: Type.Object({ domain_id: Type.String({ pattern: '^[0-9]+$' }) }),
  backoff: { first_ms: 10_000, longest_ms: 3_600_000 },
  most_attempts: null,
})

export const setOrderedNameservers = job({
  name: 'set_ordered_nameservers',
  does: 'Sets the name servers that an order could not set, once we sponsor the domain.',
  every_ms: pace.every_ms,
  per_node: true,
  task_kind: orderedNameservers.kind,
  run: (app, call) =>
    byRegistry(app, pace, ({ name, limit }) =>
      workTasks(app, orderedNameservers, {
        bulkhead: name,
        limit: Number(limit),
        handle: ({ payload, attempts }) =>
          setNameservers(app, call, { id: BigInt(payload.domain_id), tries: attempts + 1 }),
      }),
    ),
})

type Due = { id: bigint; tries: number }

async function setNameservers(app: App, call: Call, { id, tries }: Due): Promise<TaskEnd> {
  const due = await app.db.maybe(holdingToDelegate, { id })
  if (!due) return done
  const { ordered, transferred, ...holding } = due
  const nameservers = holding.wanted_nameservers ?? []
  const { name: target, customer_id } = holding
  try {
    await updateHolding(app, call, {
      action: 'update_nameservers',
      holding,
      desired: {
        nameservers,
        glue: orderedGlue(ordered),
        ...(transferred && { cleared: true }),
      },
      // The owner has chosen others meanwhile, which are already set.
      superseded: ({ id, wanted_nameservers }) => id !== holding.id || wanted_nameservers === null,
      facts: { action: 'update_nameservers', target_type: 'domain', target, customer_id },
    })
    return done
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.type === domainNotFound) return done
    const alarm = tries >= alarm_after ? { alarm: 'nameservers_not_set' } : {}
    app.log.warn({ err: error, domain: target, tries, ...alarm }, 'name servers not set yet')
    if (!isFinal(error, tries)) return { end: 'retry', reason: error.message }
    return { end: 'done', effects: (sql) => giveUp(app, call, { sql, holding, error }) }
  }
}

function isFinal({ type }: Fault, tries: number): boolean {
  return type === glueRequired || (type === changeRefused && tries >= most_refusals)
}

type GivenUp = { sql: Sql; holding: Holding; error: Fault }

async function giveUp(app: App, call: Call, { sql, holding, error }: GivenUp): Promise<void> {
  const { id, name, customer_id } = holding
  const urls = publicUrls(app.settings)
  const email = nameserversNotSetEmail(holding, { reason: error.message, ...urls })
  if (!(await sql.maybe(dropWantedNameservers, { id }))) return
  await customerMail(sql, customer_id, email)
  await storeAuditRow(
    sql,
    call.auditRow({
      action: 'update_nameservers',
      target_type: 'domain',
      target: name,
      customer_id,
      result: 'failed',
      error_code: error.type.code,
    }),
  )
}

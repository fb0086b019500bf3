// Makes changes of name servers that waited, as soon as the new ones serve the domain.
import Type from 'typebox'
import { type App, type Call, job } from '../../../../app.ts'
import type { Sql } from '../../../../db/database.ts'
import { Fault } from '../../../../kit/fault.ts'
import { compile } from '../../../../kit/schema.ts'
import { publicUrls } from '../../../../origins.ts'
import { done, type TaskEnd, workTasks } from '../../../../tasks/index.ts'
import { requestChanged } from '../../../approvals/index.ts'
import { storeAuditRow, systemCall } from '../../../audit/index.ts'
import { customerMail } from '../../../mail/index.ts'
import { preflight } from '../../dns/preflight/preflight.ts'
import { domainNotFound } from '../../faults.ts'
import type { Holding } from '../../holdings/domain-presenter.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { updateHolding } from '../domain-update.ts'
import { dropWaitingById, noteChecked, waitingById } from './waiting.sql.ts'
import { lookAgainTask } from './waiting.ts'
import { type GivenUp, waitingGivenUpEmail } from './waiting-email.ts'
import { callOfWaiting, type WaitingChange } from './waiting-maker.ts'

const limit = 5
const readGlue = compile(Type.Record(Type.String(), Type.Array(Type.String())))

export const setServedNameservers = job({
  name: 'set_served_nameservers',
  does: 'Changes name servers that were to wait until the new ones serve the domain.',
  every_ms: 5_000,
  per_node: true,
  task_kind: lookAgainTask.kind,
  run: async (app) => ({
    more:
      (await workTasks(app, lookAgainTask, {
        limit,
        handle: ({ payload }) => lookAgain(app, payload.waiting_id),
      })) === limit,
  }),
})

async function lookAgain(app: App, id: string): Promise<TaskEnd> {
  const waiting = await app.db.maybe(waitingById, { id })
  if (!waiting) return done
  const { customer_id, domain, nameservers } = waiting
  const holding = await app.db.maybe(holdingByName, { customer_id, name: domain })
  if (!holding) return done
  if (app.clock.now() >= waiting.expires_at) return end(app, waiting, { because: 'expired' })
  const call = await callOfWaiting(app, waiting)
  if (!call) return end(app, waiting, { because: 'maker_right_ended' })
  // The protection is newer than the request.
  if (holding.protected && call.caller.kind !== 'customer')
    return end(app, waiting, { because: 'domain_protected' })
  const desired = { nameservers, glue: readGlue.parse(waiting.glue) }
  const { served } = await preflight(app, app.db, { holding, desired, isThorough: true })
  await app.db.count(noteChecked, { id })
  if (served !== true) return { end: 'retry', reason: 'The new name servers do not serve it yet' }
  return make(app, call, { waiting, holding, desired })
}

type Making = {
  waiting: WaitingChange
  holding: Holding
  desired: Parameters<typeof preflight>[2]['desired']
}

async function make(app: App, call: Call, { waiting, holding, desired }: Making): Promise<TaskEnd> {
  try {
    await updateHolding(app, call, {
      ...{ action: 'update_nameservers', holding, desired },
      facts: {
        ...{ action: 'update_nameservers', target_type: 'domain', target: holding.name },
        customer_id: holding.customer_id,
        metadata: {
          ...desired,
          before: holding.nameservers,
          waited_since: waiting.created_at.toISOString(),
        },
      },
    })
    return done
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.type === domainNotFound || error.type === requestChanged) return done
    if (error.type.retryable) return { end: 'retry', reason: error.message }
    return end(app, waiting, { because: 'refused', detail: error.message })
  }
}

type Ending = { because: GivenUp; detail?: string }

function end(app: App, waiting: WaitingChange, { because, detail = undefined }: Ending): TaskEnd {
  return {
    end: 'done',
    effects: (sql) => giveUp(app, sql, { waiting, because, detail: detail ?? null }),
  }
}

type GivingUp = { waiting: WaitingChange; because: GivenUp; detail: string | null }

async function giveUp(app: App, sql: Sql, { waiting, because, detail }: GivingUp): Promise<void> {
  const { id, customer_id, domain, nameservers } = waiting
  if (!(await sql.maybe(dropWaitingById, { id }))) return
  const { dashboard_url } = publicUrls(app.settings)
  const facts = { because, detail, dashboard_url }
  await customerMail(sql, customer_id, waitingGivenUpEmail(waiting, facts))
  await storeAuditRow(
    sql,
    systemCall(app, 'update_nameservers').auditRow({
      ...{ action: 'update_nameservers', target_type: 'domain', target: domain, customer_id },
      ...{ result: 'failed', error_code: 'not_served_yet' },
      metadata: { nameservers, reason: because },
    }),
  )
}

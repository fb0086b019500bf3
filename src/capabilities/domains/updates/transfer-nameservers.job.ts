// Outbox of name servers that can only be set once a domain is ours: those of a transfer in, and
// host objects below a name that was just registered. A crash after the payment purges nothing.

import type { Glue } from '../../../adapters/registry/port.ts'
import { type App, type Call, job } from '../../../app.ts'
import { Fault } from '../../../kit/fault.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { customerMail } from '../../mail/index.ts'
import { nameserversNotSetEmail } from '../emails.ts'
import { domainNotFound } from '../faults.ts'
import type { Holding } from '../holdings/domain-presenter.ts'
import { orderedGlue } from '../orders/order.ts'
import { byRegistry, type Compartment } from '../per-registry.ts'
import { updateHolding } from './domain-update.ts'
import { claimFollowUps, giveUpWanted } from './transfer-nameservers.sql.ts'
import { changeRefused, glueRequired } from './update-faults.ts'

const pace = { at_once: 16, every_ms: 2_000 }
/** The registry's no may be about a moment; so often it is a no. */
const most_refusals = 5
/** About three hours of tries. */
const alarm_after = 12

export const followUpTransfers = job({
  name: 'follow_up_transfers',
  does: 'Sets the name servers that an order could not bring along, once the domain is here.',
  every_ms: pace.every_ms,
  run: (app, call) => byRegistry(app, pace, (at) => followUpsOf(app, call, at)),
})

async function followUpsOf(app: App, call: Call, { name, limit }: Compartment) {
  const due = await app.db.run(claimFollowUps, [limit, name])
  await Promise.all(
    due.map(({ tries, ordered, ...holding }) => {
      return followUp(app, call, { holding, tries, glue: orderedGlue(ordered) })
    }),
  )
  return due.length
}

type Due = { holding: Holding; tries: number; glue: Glue }

async function followUp(app: App, call: Call, due: Due): Promise<void> {
  const { holding, tries, glue } = due
  const nameservers = holding.wanted_nameservers ?? []
  const { name: target, customer_id } = holding
  try {
    await updateHolding(app, call, {
      action: 'update_nameservers',
      holding,
      wish: { nameservers, glue },
      // Its owner has chosen others meanwhile, which are set by now.
      superseded: ({ id, wanted_nameservers }) => id !== holding.id || wanted_nameservers === null,
      facts: { action: 'update_nameservers', target_type: 'domain', target, customer_id },
    })
  } catch (error) {
    if (error instanceof Fault && error.type === domainNotFound) return
    const alarm = tries >= alarm_after ? { alarm: 'nameservers_not_set' } : {}
    app.log.warn({ err: error, domain: target, tries, ...alarm }, 'name servers not set yet')
    if (error instanceof Fault && isFinal(error, tries)) await giveUp(app, call, { due, error })
  }
}

function isFinal({ type }: Fault, tries: number): boolean {
  return type === glueRequired || (type === changeRefused && tries >= most_refusals)
}

type GivenUp = { due: Due; error: Fault }

async function giveUp(app: App, call: Call, { due, error }: GivenUp): Promise<void> {
  const { id, name, customer_id } = due.holding
  const { base_url } = app.settings
  const letter = nameserversNotSetEmail(due.holding, { reason: error.message, base_url })
  await app.db.transaction(async (sql) => {
    if (!(await sql.maybe(giveUpWanted, [id]))) return
    await customerMail(sql, customer_id, letter)
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
  })
}

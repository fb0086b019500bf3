// Handler of restores: the request, which is billed, and the report, without which the registry
// would undo it (RFC 3915).

import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { compile } from '../../../../kit/schema.ts'
import { openQuotes } from '../../../pricing/index.ts'
import * as faults from '../../faults.ts'
import { restoreAsked } from '../../holdings/deletion-time.ts'
import { refuseOrderByState } from '../../holdings/domain-presenter.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { refreshHolding } from '../../holdings/sync.ts'
import { registryOf } from '../../names.ts'
import { skewMs } from '../../registry-dates.ts'
import { chargedPrice, checkForPurchase, refuseAbove } from '../agreement.ts'
import { sendAttempt } from '../attempt.ts'
import { type RestoreOrder, restoreCommand } from '../order.ts'
import { restoredSince } from '../orders.sql.ts'
import { datedRead } from '../reconcile/computed-expiry.ts'
import {
  type Purchased,
  type ReadDecision,
  type ReadReason,
  type Refused,
  release,
  stillOpen,
  unread,
  waiting,
} from '../reconcile/reconcile.ts'
import { reconcileRestore } from '../reconcile/reconcile-restore.ts'
import { extendedHolding, restoredTerm, shownFacts } from '../reconcile/term-verification.ts'
import type {
  Agreement,
  OpenOrder,
  OrderHandler,
  PurchaseContext,
  ReadBack,
  Reconciliation,
} from './order-handler.ts'

const readCommand = compile(restoreCommand)

/**
 * A registry undoes a restore if no report comes in seven days (RFC 3915 section 2): if it were
 * sent again after that, it would be paid twice.
 */
const resends_for_ms = 6 * 86_400_000

export const restoreHandler: OrderHandler = {
  type: 'restore',
  action: 'restore_domain',
  participle: 'restored',
  acquires: false,
  resends_for_ms,
  title: ({ domain }) => `Restore of ${domain}`,
  validate: async () => null,
  agreePrice: agreeRestore,
  async explainConflict({ app, request: { customer_id, domain } }, refused) {
    if (refused === 'price') return
    // The same request came a moment before this one and is paid.
    const holding = await app.db.maybe(holdingByName, { customer_id, name: domain })
    if (holding) refuseOrderByState(app, holding, 'restore_domain')
  },
  approvedPart(command) {
    const { fee: _fee, registry_expiry: _expiry, ...ordered } = readCommand.parse(command)
    return ordered
  },
  async send(app, sending) {
    const { order, registry } = sending
    const { fee } = readCommand.parse(order.command)
    const sent = await sendAttempt(app, sending, (attempt) =>
      registry.restore({ domain: order.domain, fee }, attempt),
    )
    return sent.kind === 'done' ? finish(app, sending) : sent
  },
  reconcile: readRestore,
  term: (order, purchased, circumstances) =>
    restoredTerm(readCommand.parse(order.command), purchased, circumstances),
  holding(order, purchased, { term, found }) {
    const { period_years } = readCommand.parse(order.command)
    return {
      ...extendedHolding(order, purchased, { term, found }),
      period_years,
      ...shownFacts(found),
    }
  },
  answerAtCapture: () => null,
}

/** The request is paid and only the report is missing, until which the order stays open. */
async function finish(app: App, looking: Omit<ReadBack, 'why'>): Promise<Outcome<Purchased>> {
  const seen = await readRestore(app, { ...looking, why: { after: 'silence' } })
  if (seen.decision.do === 'capture') {
    const { purchased } = seen.decision
    const value = seen.found ? { ...purchased, found: seen.found } : purchased
    return { kind: 'done', value, sv_trid: null }
  }
  const message = 'The registry accepted the restore; its report is still to be accepted.'
  return { kind: 'unknown', cause: 'silence', message }
}

async function readRestore(app: App, { order, registry, why }: ReadBack): Promise<Reconciliation> {
  const ordered = { ...order, sponsor: registry.profile.client_id }
  const answer = await registry.read(order.domain, 'purchase')
  const read = datedRead(order, answer, app.calendar.now())
  const decision = reconcileRestore(read, ordered, why)
  if (decision.do === 'capture' && (await isAnothers(app, order)))
    return { decision: release(why.after === 'refusal' ? why.refused : restoredAlready) }
  if (decision.do !== 'report')
    return read.kind === 'done' ? { decision, found: read.value } : { decision }
  if (read.kind !== 'done') throw new Error('A report follows only a reading')
  const known = await app.db.maybe(holdingByName, {
    customer_id: order.customer_id,
    name: order.domain,
  })
  const deleted_at = known?.deleted_at
  if (!deleted_at) return { decision: { do: 'park', detail: 'Nothing shows when it was deleted.' } }
  const reported = await report(app, { order, registry, deleted_at }, read.value)
  if (reported.kind === 'unknown') return { decision: unread(reported, why) }
  if (reported.kind === 'refused')
    return { decision: { do: 'park', detail: `The restore report: ${reported.message}` } }
  if (reported.kind === 'accepted') return { decision: reportPending(why) }
  const there = await registry.read(order.domain, 'purchase')
  const after = datedRead(order, there, app.calendar.now())
  const last = reconcileRestore(after, ordered, why)
  // Its report was taken a moment ago and is not shown yet, so the next round reads it.
  if (last.do === 'report') return { decision: reportPending(why) }
  return after.kind === 'done' ? { decision: last, found: after.value } : { decision: last }
}

const restoredAlready: Refused = { reason: 'status', message: 'Another order restored it.' }

/** Whether another order had restored the domain before this one was placed. */
async function isAnothers(app: App, { id, customer_id, domain, first_sent_at }: OpenOrder) {
  const since = new Date(first_sent_at.getTime() - skewMs)
  const { restored } = await app.db.one(restoredSince, {
    customer_id,
    domain,
    except_id: id,
    since,
  })
  return restored
}

function reportPending(why: ReadReason): ReadDecision {
  return waiting(stillOpen(why), 'report_pending', 'The registry reads the report.')
}

function report(
  app: App,
  { order, registry, deleted_at }: Omit<ReadBack, 'why'> & { deleted_at: Date },
  found: RegistryDomain,
): Promise<Outcome<null>> {
  const { first_sent_at } = order
  const now = app.calendar.now()
  const facts = `${found.domain}, expires ${found.expires_at}, held by ${found.registrant ?? 'us'}`
  return registry.restoreReport(
    {
      domain: order.domain,
      deleted_at: deleted_at.toISOString(),
      restored_at: restoreAsked(found, { first_sent_at, now }).toISOString(),
      before: facts,
      after: facts,
      reason: 'Registrant error.',
    },
    {
      cl_trid: `${order.id}-r-${app.clock.now().getTime().toString(36)}`,
      priority: 'purchase',
      at: () => undefined,
    },
  )
}

/** The present holding and the price; throws the fault that prevents this restore. */
async function agreeRestore(context: PurchaseContext): Promise<Agreement> {
  const { app, call, request } = context
  const { domain, currency, max_price } = request
  const known = await call.sql.maybe(holdingByName, { customer_id: call.customer_id, name: domain })
  if (!known) throw faults.domainNotFound()
  const holding = await refreshHolding(app, known)
  refuseOrderByState(app, holding, 'restore_domain')
  const tld = domain.slice(domain.indexOf('.') + 1)
  const checked = await checkForPurchase(app, { name: domain, tld }, { fees: ['restore', 'renew'] })
  const quoteOf = await openQuotes(app, currency)
  const current = quoteOf({ action: 'restore', tld, years: 1, checked })
  if (!current) throw faults.priceUnavailable()
  const quote = chargedPrice(context, current)
  refuseAbove(quote, max_price)
  const registry = registryOf(app, domain)
  if (!registry) throw faults.domainNotSupported()
  const command: RestoreOrder = {
    paid_until: holding.expiry.toISOString(),
    registry_expiry: holding.registry_expiry.toISOString(),
    period_years: 1,
    fee: quote.fee,
  }
  return { registry, quote, command, holding }
}

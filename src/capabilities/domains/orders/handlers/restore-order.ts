// A restore: the request, which costs, and the report, without which the registry would take it
// back (RFC 3915).

import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { compile } from '../../../../kit/schema.ts'
import { holdingByName } from '../../holdings/holdings.sql.ts'
import { restoreCommand } from '../order.ts'
import { restoredSince } from '../orders.sql.ts'
import {
  type Bought,
  type ReadVerdict,
  type Refused,
  release,
  skewMs,
  stillOpen,
  unread,
  type Why,
  waiting,
} from '../reconcile/reconcile.ts'
import { judgeRestore } from '../reconcile/reconcile-restore.ts'
import { restoredTerm } from '../reconcile/term-verification.ts'
import { restoreAsked } from './deletion-time.ts'
import {
  type Looking,
  type OpenOrder,
  type Sale,
  type Seen,
  sendAttempt,
  shownFacts,
  termFacts,
} from './order-handler.ts'

const readCommand = compile(restoreCommand)

export const restoration: Sale = {
  type: 'restore',
  action: 'restore_domain',
  undone: 'restored',
  title: ({ domain }) => `Restore of ${domain}`,
  async send(app, sending) {
    const { order, registrar } = sending
    const { fee } = readCommand.parse(order.command)
    const sent = await sendAttempt(app, sending, (attempt) =>
      registrar.registry.restore({ domain: order.domain, fee }, attempt),
    )
    return sent.kind === 'done' ? finish(app, sending) : sent
  },
  look: lookAtRestore,
  term: (order, bought, circumstances) =>
    restoredTerm(readCommand.parse(order.command), bought, circumstances),
  holding(order, bought, { term, found }) {
    const { period_years } = readCommand.parse(order.command)
    return {
      ...termFacts(term),
      registered_at: bought.created_at ?? order.first_sent_at.toISOString(),
      nameservers: found?.nameservers ?? [],
      period_years,
      ...shownFacts(found),
      contacts: {},
      sync_at: order.first_sent_at.toISOString(),
      wanted_nameservers: null,
    }
  },
}

/** The request is paid. What is left is the report; without its end the order stays open. */
async function finish(app: App, looking: Omit<Looking, 'why'>): Promise<Outcome<Bought>> {
  const seen = await lookAtRestore(app, { ...looking, why: { after: 'silence' } })
  if (seen.verdict.do === 'capture') {
    const { bought } = seen.verdict
    const value = seen.found ? { ...bought, found: seen.found } : bought
    return { kind: 'done', value, sv_trid: null }
  }
  const message = 'The registry took the restore; its report is still to be taken.'
  return { kind: 'unknown', cause: 'silence', message }
}

async function lookAtRestore(app: App, { order, registrar, why }: Looking): Promise<Seen> {
  const { registry } = registrar
  const judged = { ...order, sponsor: registry.profile.client_id }
  const read = await registry.read(order.domain, 'purchase')
  const verdict = judgeRestore(read, judged, why)
  if (verdict.do === 'capture' && (await isAnothers(app, order)))
    return { verdict: release(why.after === 'refusal' ? why.refused : restoredAlready) }
  if (verdict.do !== 'report')
    return read.kind === 'done' ? { verdict, found: read.value } : { verdict }
  if (read.kind !== 'done') throw new Error('A report follows only a reading')
  const known = await app.db.maybe(holdingByName, [order.customer_id, order.domain])
  const deleted_at = known?.deleted_at
  if (!deleted_at) return { verdict: { do: 'park', detail: 'Nothing tells when it was deleted.' } }
  const reported = await report(app, { order, registrar, deleted_at }, read.value)
  if (reported.kind === 'unknown') return { verdict: unread(reported, why) }
  if (reported.kind === 'refused')
    return { verdict: { do: 'park', detail: `The restore report: ${reported.message}` } }
  if (reported.kind === 'accepted') return { verdict: reportPending(why) }
  const after = await registry.read(order.domain, 'purchase')
  const last = judgeRestore(after, judged, why)
  // Its report was taken a moment ago, and it is still not shown: next time.
  if (last.do === 'report') return { verdict: reportPending(why) }
  return after.kind === 'done' ? { verdict: last, found: after.value } : { verdict: last }
}

const restoredAlready: Refused = { reason: 'status', message: 'Another order restored it.' }

/** It looked at the domain before another order had restored it, and was placed after that. */
async function isAnothers(app: App, { id, customer_id, domain, first_sent_at }: OpenOrder) {
  const since = new Date(first_sent_at.getTime() - skewMs)
  const { restored } = await app.db.one(restoredSince, [customer_id, domain, id, since])
  return restored
}

function reportPending(why: Why): ReadVerdict {
  return waiting(stillOpen(why), 'report_pending', 'The registry reads the report.')
}

function report(
  app: App,
  { order, registrar, deleted_at }: Omit<Looking, 'why'> & { deleted_at: Date },
  found: RegistryDomain,
): Promise<Outcome<null>> {
  const { first_sent_at } = order
  const now = app.calendar.now()
  const facts = `${found.domain}, expires ${found.expires_at}, held by ${found.registrant ?? 'us'}`
  return registrar.registry.restoreReport(
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

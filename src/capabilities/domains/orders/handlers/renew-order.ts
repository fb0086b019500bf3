// A renewal: what the registry has not added by itself is sent, with the expiry that we know as its
// fence.

import type { Outcome, RegistryDomain } from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { compile } from '../../../../kit/schema.ts'
import { dayOf } from '../../holdings/lifecycle.ts'
import { renewCommand } from '../order.ts'
import type { Bought } from '../reconcile/reconcile.ts'
import { judgeRenewal } from '../reconcile/reconcile-renew.ts'
import { renewedTerm } from '../reconcile/term-verification.ts'
import {
  type OpenOrder,
  type Registrar,
  type Sale,
  type Sending,
  sendAttempt,
  shownFacts,
  termFacts,
  withFacts,
  yearsText,
} from './order-handler.ts'

const readCommand = compile(renewCommand)

export const renewal: Sale = {
  type: 'renew',
  action: 'renew_domain',
  undone: 'renewed',
  title: ({ domain, command }) =>
    `Renewal of ${domain}, ${yearsText(readCommand.parse(command).period_years)}`,
  async send(app, sending) {
    const command = readCommand.parse(sending.order.command)
    if (command.send_years === 0) return alreadyAdded(app, sending)
    const renewed = await sendAttempt(app, sending, (sent) =>
      sending.registrar.registry.renew(
        {
          domain: sending.order.domain,
          cur_exp_date: dayOf(new Date(command.registry_expiry)),
          period_years: command.send_years,
          fee: command.fee,
        },
        sent,
      ),
    )
    return withFacts(sending, datesOf(renewed))
  },
  async look(app, { order, registrar, why }) {
    const read = await registrar.registry.read(order.domain, 'purchase')
    const verdict = judgeRenewal(read, judgedOf(app, order, registrar), why)
    return read.kind === 'done' ? { verdict, found: read.value } : { verdict }
  },
  term: (order, bought) => renewedTerm(readCommand.parse(order.command), bought),
  holding(order, bought, { term, found }) {
    const { period_years } = readCommand.parse(order.command)
    return {
      ...termFacts(term),
      registered_at: bought.created_at ?? order.first_sent_at.toISOString(),
      nameservers: found?.nameservers ?? [],
      period_years,
      // What it shows besides is read again, unless it was read just now.
      ...(found ? shownFacts(found) : unknownFacts),
      contacts: {},
      sync_at: order.first_sent_at.toISOString(),
      wanted_nameservers: null,
    }
  },
}

const unknownFacts = { epp_statuses: null, rgp_statuses: null, locked: false }

function datesOf(outcome: Outcome<{ expires_at: string }>): Outcome<Bought> {
  if (outcome.kind !== 'done') return outcome
  return { ...outcome, value: { expires_at: outcome.value.expires_at, created_at: null } }
}

function judgedOf(app: App, order: OpenOrder, { registry }: Registrar) {
  return {
    ...order,
    command: readCommand.parse(order.command),
    sponsor: registry.profile.client_id,
    now: app.calendar.now(),
    // Who has no fence against a second sending has no such status either.
    shows_pending: registry.resends.renew === 'fenced',
  }
}

/** The registry has renewed by itself: nothing is sent, but it must still be there. */
async function alreadyAdded(app: App, { order, registrar }: Sending): Promise<Outcome<Bought>> {
  const read = await registrar.registry.read(order.domain, 'purchase')
  if (read.kind !== 'done') return read.kind === 'accepted' ? unreadable : read
  const why = { after: 'silence' } as const
  const verdict = judgeRenewal(read, judgedOf(app, order, registrar), why)
  if (verdict.do === 'capture') return { ...read, value: verdict.bought }
  const message = shown(read.value)
  return { kind: 'refused', reason: 'status', code: null, message, sv_trid: null }
}

function shown({ expires_at, epp_statuses, rgp_statuses }: RegistryDomain): string {
  const statuses = [...epp_statuses, ...rgp_statuses].join(', ')
  return `The registry has changed it meanwhile: it expires ${expires_at} (${statuses}).`
}

const unreadable: Outcome<never> = {
  kind: 'unknown',
  cause: 'server_failed',
  message: 'The registry answered a read with "action pending".',
}

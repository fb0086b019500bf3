// A transfer in: asked for once, held for days, captured when the registry shows the domain as
// ours.

import type { Outcome, RegistryTransfer } from '../../../../adapters/registry/port.ts'
import type { App } from '../../../../app.ts'
import { unseal } from '../../../../kit/encryption.ts'
import { compile } from '../../../../kit/schema.ts'
import { heldByRegistrar } from '../../holdings/holdings.sql.ts'
import { type TransferOrder, transferCommand } from '../order.ts'
import { type Bought, isOfThisOrder, type Refused, release } from '../reconcile/reconcile.ts'
import { judgeMoved, judgeTransfer } from '../reconcile/reconcile-transfer.ts'
import { transferredTerm } from '../reconcile/term-verification.ts'
import {
  type Looking,
  type OpenOrder,
  type Sale,
  type Seen,
  sendAttempt,
  shownFacts,
  termFacts,
} from './order-handler.ts'
import { putContacts, unmet } from './register-order.ts'

const readCommand = compile(transferCommand)

export const transfer: Sale = {
  type: 'transfer',
  action: 'transfer_domain',
  undone: 'transferred',
  title: ({ domain }) => `Transfer of ${domain}, 1 year`,
  async send(app, sending) {
    const { order, registrar } = sending
    const command = readCommand.parse(order.command)
    const { period_years, fee, contacts } = command
    const auth_info = order.sealed === null ? undefined : unseal(app, order.sealed)
    if (auth_info === undefined) return lostKey
    // EPP asks for no people; a reseller's API wants them in the request itself.
    const people = await putContacts(app, sending, contacts)
    if (people.kind !== 'done') return unmet(people, sending.attempt)
    const told = { ...people.value, ...toldOf(command) }
    const sent = await sendAttempt(app, sending, (attempt) =>
      registrar.registry.transferRequest(
        { domain: order.domain, auth_info, period_years, fee, ...told },
        attempt,
      ),
    )
    return sent.kind === 'done' ? movedAlready(app, sending) : withoutCode(sent, auth_info)
  },
  look: lookAtTransfer,
  term: (order, bought, circumstances) =>
    transferredTerm(readCommand.parse(order.command), bought, circumstances),
  holding(order, bought, { term, found }) {
    const { nameservers, contacts, period_years } = readCommand.parse(order.command)
    return {
      ...termFacts(term),
      registered_at: bought.created_at ?? order.first_sent_at.toISOString(),
      nameservers: found?.nameservers ?? [],
      period_years,
      ...shownFacts(found),
      contacts,
      sync_at: order.first_sent_at.toISOString(),
      wanted_nameservers: nameservers,
    }
  },
}

/** Name servers for a registry that must be told: those asked for, else those that it has. */
function toldOf({ nameservers, glue = {}, kept }: TransferOrder) {
  if (nameservers) return { nameservers, glue }
  return kept ?? { nameservers: [], glue: {} }
}

/** Its words are kept and logged, and some registries quote in them what they were sent. */
function withoutCode<T>(outcome: Outcome<T>, code: string): Outcome<T> {
  if (!('message' in outcome)) return outcome
  return { ...outcome, message: outcome.message.replaceAll(code, '[code]') }
}

const lostKey: Outcome<never> = {
  kind: 'unknown',
  cause: 'not_sent',
  message: 'Its authorization information was sealed with another ENCRYPTION_KEY',
}

/** One that was placed a moment after another's had ended, perhaps. */
const broughtHere: Refused = { reason: 'status', message: 'Another order brought it here.' }

/** 1000 at once: some registries move a domain without asking. */
async function movedAlready(app: App, looking: Omit<Looking, 'why'>): Promise<Outcome<Bought>> {
  const { verdict, found } = await lookAtTransfer(app, {
    ...looking,
    why: { after: 'acceptance' },
  })
  if (verdict.do !== 'capture') return { kind: 'accepted', sv_trid: null }
  const value = found ? { ...verdict.bought, found } : verdict.bought
  return { kind: 'done', value, sv_trid: null }
}

/** The expiry that the registry's record of this order's transfer tells. */
function endOf(query: Outcome<RegistryTransfer>, order: OpenOrder): string | null {
  if (query.kind !== 'done') return null
  const { status, requested_at, expires_at } = query.value
  const approved = status === 'clientApproved' || status === 'serverApproved'
  return approved && isOfThisOrder(requested_at, order) ? expires_at : null
}

async function lookAtTransfer(app: App, { order, registrar, why }: Looking): Promise<Seen> {
  const { registry } = registrar
  const judged = { ...order, sponsor: registry.profile.client_id }
  const query = await registry.transferQuery(order.domain, 'purchase')
  const verdict = judgeTransfer(query, judged, why)
  if (verdict.do !== 'read_domain') return { verdict }
  const read = await registry.read(order.domain, 'purchase')
  const seen = judgeMoved(read, judged, why)
  if (seen.do === 'capture' && (await app.db.one(heldByRegistrar, [order.domain])).held)
    return { verdict: release(why.after === 'refusal' ? why.refused : broughtHere) }
  if (seen.do === 'capture' && read.kind === 'done') {
    const transfer_expires_at = endOf(query, order)
    const bought = { ...seen.bought, transfer_expires_at }
    return { verdict: { ...seen, bought }, found: read.value }
  }
  return read.kind === 'done' ? { verdict: seen, found: read.value } : { verdict: seen }
}

// Refunds and disputes of a payment by card, as reversals. Each reading takes all of them as they
// are now, whatever event led to it: withdrawn money is taken back, and money that came back is
// given again.
import type { Dispute, Refund } from '../../../adapters/processor/port.ts'
import type { AuditFacts } from '../../../app.ts'
import type { Sql } from '../../../db/database.ts'
import { storeAuditRow } from '../../audit/index.ts'
import { lockPayment } from '../payments/payments.sql.ts'
import { reverseOnce } from '../payments/reverse.ts'
import { applyReading, beginReading, type ReadPayment, reversalsOfPayment } from './card.sql.ts'
import type { Reading } from './read-session.ts'
import { type Movement, type Posting, planReversals } from './reversal-plan.ts'

/** Undefined if no payment with this intent was credited. Rejects with ProcessorUnavailable. */
export async function readReversals(
  { app, call }: Reading,
  payment_intent: string,
): Promise<ReadPayment | undefined> {
  const { processor } = app
  if (!processor) return undefined
  const paid = await app.db.maybe(beginReading, { payment_intent })
  if (!paid) return undefined
  const [refunds, disputes] = await Promise.all([
    processor.refunds(payment_intent),
    processor.disputes(payment_intent),
  ])
  app.reached?.('card_reversals_read')
  const movements = movementsOf(refunds, disputes)
  const words = unknownWords([...refunds, ...disputes])
  const read = { paid, movements, words }
  const parked = await app.db.transaction((sql) => apply({ app, call }, sql, read))
  app.reached?.('card_reversals_posted')
  if (parked !== null) {
    const { id: payment, customer_id } = paid
    const facts = { payment, customer_id, parked_cents: String(parked), unknown_words: words }
    const alarm = 'card_reversal_parked'
    app.log.error({ ...facts, alarm }, 'refunds and disputes do not match their payment')
  }
  return paid
}

function movementsOf(refunds: readonly Refund[], disputes: readonly Dispute[]): Movement[] {
  const all = [
    ...refunds.map((one) => ({ ...one, kind: 'refund' as const })),
    ...disputes.map((one) => ({ ...one, kind: 'dispute' as const })),
  ]
  const inOrder = all.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1))
  return inOrder.map(({ id, kind, amount_cents: amount, currency, funds }) => {
    const isKnown = funds === 'withdrawn' || funds === 'unknown'
    return { id, kind, amount, currency, funds: isKnown ? funds : 'here' }
  })
}

/** Names refunds and disputes whose status this version does not know: `re_1 is brand_new`. */
function unknownWords(all: readonly (Refund | Dispute)[]): string[] {
  return all.flatMap(({ id, unknown_word }) =>
    unknown_word === null ? [] : [`${id} is ${unknown_word}`],
  )
}

type Read = { paid: ReadPayment; movements: readonly Movement[]; words: readonly string[] }

/** Posts the missing reversals. Returns the amount that does not fit, where it has changed. */
async function apply(
  { app, call }: Reading,
  sql: Sql,
  { paid, movements, words: unknown_words }: Read,
): Promise<bigint | null> {
  const { id: payment_id, customer_id, currency, reading } = paid
  await sql.run(lockPayment, { keys: [payment_id] })
  const reversals = await sql.run(reversalsOfPayment, { payment_id })
  const { postings, parked } = planReversals({ ...paid, reversals, movements })
  const applied = { payment_id, reading, parked_cents: parked }
  const row = await sql.maybe(applyReading, applied)
  if (!row) return null
  const context = { seller: app.settings, at: app.clock.now() }
  const target = { target_type: 'payment', target: payment_id, customer_id }
  const store = (facts: Pick<AuditFacts, 'action' | 'result' | 'metadata'>) =>
    storeAuditRow(sql, call.auditRow({ ...target, ...facts }))
  for (const { movement, ...posting } of postings) {
    const reversal = { ...posting, payment_id, description: words[posting.kind] }
    await reverseOnce(sql, reversal, context)
    const { kind, amount: amount_cents } = posting
    const metadata = { kind, amount_cents, currency, processor_id: movement }
    await store({ action: 'reverse_card_payment', metadata })
  }
  if (parked === row.was_parked) return null
  if (parked === 0n) return null
  const metadata = {
    parked_cents: parked,
    currency,
    ...(unknown_words.length > 0 && { unknown_words: unknown_words.join(', ') }),
  }
  await store({ action: 'park_card_payment', result: 'unknown', metadata })
  return parked
}

/** The words on the statement and the document. */
const words: Readonly<Record<Posting['kind'], string>> = {
  refund: 'Card payment refunded',
  dispute: 'Card payment disputed',
  reinstatement: 'Card payment returned',
}

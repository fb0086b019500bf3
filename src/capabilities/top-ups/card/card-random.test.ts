// Random courses of payments by card: refunds, disputes and their ends, with events in any order,
// repeated, at once or lost. In the end the customer has what the processor's own records say.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { sharedService } from '../../../../test/support/service.ts'
import { parseAmount } from '../../../kit/money.ts'
import { cardPayments } from './card-payments.fixture.ts'

const registrar = await sharedService({ worker: false })
const card = cardPayments(registrar)
const { processor } = card

const paid_cents = 1_000
const act = fc.oneof(
  fc.record({ do: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: 600 }) }),
  fc.record({
    do: fc.constant('dispute' as const),
    cents: fc.integer({ min: 1, max: 1_000 }),
    inquiry: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('fail', 'won', 'lost'), which: fc.nat(5) }),
  fc.record({ do: fc.constantFrom('spend', 'event', 'two_events', 'jobs', 'complete') }),
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never
type Course = { buyer: Awaited<ReturnType<typeof card.buyer>>; session: string; intent: string }

const paymentOf = (intent: string) => {
  const payment = processor.payments().find(({ id }) => id === intent)
  assert.ok(payment)
  return payment
}

/** An act that the processor would not allow does not happen. */
function atProcessor({ intent }: Course, one: Act): void {
  const { refunds, disputes } = paymentOf(intent)
  if (one.do === 'refund') {
    const rest = refunds.reduce(
      (sum, { status, amount }) => (status === 'failed' ? sum : sum - amount),
      paid_cents,
    )
    if (rest > 0) processor.refund(intent, Math.min(one.cents, rest))
  } else if (one.do === 'dispute') processor.dispute(intent, one.cents, one.inquiry)
  else if (one.do === 'fail' && 'which' in one) {
    const refund = refunds[one.which]
    if (refund) processor.failRefund(refund.id)
  } else if ((one.do === 'won' || one.do === 'lost') && 'which' in one) {
    const dispute = disputes[one.which]
    if (dispute) processor.closeDispute(dispute.id, one.do)
  }
}

async function here({ buyer, session, intent }: Course, one: Act): Promise<void> {
  if (one.do === 'complete') await card.sessionEvent(session)
  else if (one.do === 'event') await card.intentEvent(intent)
  else if (one.do === 'two_events')
    await Promise.all([card.intentEvent(intent), card.intentEvent(intent, 'refund.updated')])
  else if (one.do === 'jobs') await card.runJobs()
  else if (one.do === 'spend')
    await card.rows(
      `select ledger_adjust(gen_random_uuid()::text, customer_id, currency, -available / 2,
                            '{"kind":"adjustment","description":"x","reason":"x"}')
         from ledger_accounts where customer_id = $1 and available > 1`,
      [buyer.id],
    )
}

async function netOf({ buyer }: Course): Promise<bigint> {
  const { available, owed } = await card.balance(buyer)
  const [spent] = await card.rows(
    `select coalesce(sum(-amount), 0)::text as cents
       from ledger_adjustments where customer_id = $1`,
    [buyer.id],
  )
  const [has, owes] = [parseAmount(available), parseAmount(owed)]
  assert.ok(has !== undefined && owes !== undefined)
  return has - owes + BigInt(spent?.cents)
}

function expected({ intent }: Course): bigint {
  const { refunds, disputes } = paymentOf(intent)
  const gone = [
    ...refunds.filter(({ status }) => status === 'succeeded'),
    ...disputes.filter(({ status }) => status === 'needs_response' || status === 'lost'),
  ].reduce((sum, { amount }) => sum + amount, 0)
  return BigInt(Math.max(0, paid_cents - gone))
}

it('the balance less the debt equals the payment that the processor kept', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (acts) => {
      const buyer = await card.buyer({ contact: false })
      const { session } = await card.open(buyer, paid_cents)
      const course = { buyer, session, intent: processor.pay(session).id }
      for (const one of acts) {
        atProcessor(course, one)
        await here(course, one)
      }
      // The last events of each kind come at once, in any order.
      await Promise.all([
        card.sessionEvent(session),
        card.intentEvent(course.intent),
        card.sessionEvent(session, 'async_payment_succeeded'),
        card.intentEvent(course.intent, 'charge.dispute.closed'),
      ])
      await card.runJobs()
      assert.equal(await netOf(course), expected(course))
      const documents = await card.invoices(buyer)
      const kept = documents.reduce((sum: bigint, [kind, amount]: [string, string]) => {
        const cents = parseAmount(amount) ?? 0n
        return kind === 'invoice' ? sum + cents : sum - cents
      }, 0n)
      assert.equal(kept, expected(course), 'the documents add up to it, too')
    }),
    { numRuns: Number(process.env.CARD_RUNS ?? 4) },
  )
})

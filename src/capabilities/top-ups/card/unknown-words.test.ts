// Words of the card processor that this version does not know, and signed events that name nothing:
// they are stored and raise an alarm, and the processor need not send them again.
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import {
  stripeSignature,
  webhookSecret,
} from '../../../../test/support/payments/stripe-signature.ts'
import { sharedService } from '../../../../test/support/service.ts'
import { cardPayments, signedEvent, webhook } from './card-payments.fixture.ts'

const registrar = await sharedService({ worker: false })
const card = cardPayments(registrar)
const { processor } = card
afterEach(() => processor.clearFaults())

const alarmsOf = (name: string, text: string) =>
  card.alarms(name).filter((line) => line.includes(text))

describe('a refund or dispute with a status that is not known', () => {
  for (const [kind, take] of [
    ['refund', (intent: string) => processor.refund(intent, 500)],
    ['dispute', (intent: string) => processor.dispute(intent, 500)],
  ] as const)
    it(`leaves the ${kind}'s amount to an operator until its status is known`, async () => {
      const buyer = await card.buyer()
      const intent = await card.topUp(buyer)
      const { id } = take(intent)
      processor.setFault({ name: 'unknown_word', command: `${kind}:list`, times: null })
      for (let time = 0; time < 2; time += 1)
        assert.equal((await card.intentEvent(intent)).status, 200)
      assert.equal((await card.balance(buyer)).available, '25.00')
      assert.equal(alarmsOf('card_reversal_parked', `${id} is brand_new`).length, 1)
      const stored = await card.rows(
        `select parked_cents from card_readings r join payments p on p.id = r.payment_id
          where p.processor_payment_intent_id = $1`,
        [intent],
      )
      assert.deepEqual(
        stored.map((row) => String(row.parked_cents)),
        ['500'],
      )
      processor.clearFaults()
      assert.equal((await card.intentEvent(intent)).status, 200)
      assert.equal((await card.balance(buyer)).available, '20.00')
    })
})

describe('a session with a word that is not known', () => {
  it('is parked for an operator, and credited once it is known to be paid', async () => {
    const buyer = await card.buyer()
    const { id, session } = await card.open(buyer)
    processor.pay(session)
    processor.setFault({ name: 'unknown_word', command: 'session:read', times: null })
    assert.equal((await card.sessionEvent(session)).status, 200)
    const [row] = await card.rows(
      'select status, parked_reason from card_checkouts where id = $1',
      [id],
    )
    assert.equal(row?.status, 'parked')
    assert.match(String(row?.parked_reason), /status brand_new$/)
    assert.equal(alarmsOf('card_parked', id).length, 1)
    processor.clearFaults()
    assert.equal((await card.sessionEvent(session)).status, 200)
    assert.equal((await card.balance(buyer)).available, '25.00')
  })

  it('of another mode is of no checkout of ours', async () => {
    const buyer = await card.buyer()
    const { id, session } = await card.open(buyer)
    await card.rows("update card_checkouts set session_id = 'cs_test_other' where id = $1", [id])
    processor.setFault({ name: 'other_mode', command: 'session:read' })
    assert.equal((await card.sessionEvent(session)).status, 200)
  })
})

describe('a signed event', () => {
  const cases: Record<string, object> = {
    'without data': { data: undefined },
    'without an object': { data: {} },
    'whose object is null': { data: { object: null } },
    'whose object has no type': { data: { object: { id: 'cs_1' } } },
    'without an id': { id: undefined },
    'without a type': { type: undefined },
  }
  for (const [title, change] of Object.entries(cases))
    it(`${title} is answered 200, stored and reported`, async () => {
      const before = card.alarms('card_event_unknown').length
      const { body: event } = signedEvent('charge.refunded', { object: 'charge' })
      const body = { ...event, ...change }
      const headers = { 'stripe-signature': stripeSignature(JSON.stringify(body), webhookSecret) }
      const answer = await registrar.request('POST', webhook, { body, headers })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(card.alarms('card_event_unknown').length, before + 1)
    })
})

// Sets the renewal reserve, money that no key and no app can spend: POST /v1/account/reserve.
import Type from 'typebox'
import { operation, ownerInPerson } from '../../app.ts'
import { fault } from '../../kit/fault.ts'
import { amountOf, currencies, formatAmount } from '../../kit/money.ts'
import { amount, amountGiven, oneOf, withDefault, wordOf } from '../../kit/schema.ts'
import { moveToReserve } from '../../ledger/ledger.sql.ts'
import { sessionRequired } from '../account/index.ts'

const outcomes = ['done', 'owed', 'insufficient_funds'] as const

const reserveNotCovered = fault('reserve_not_covered', 'unpaid', {
  sentence: 'The balance does not cover the amount to be kept for renewals.',
  hint:
    'Keep at most "available" in addition to what is already kept, or add money first, at ' +
    '"url".',
  page: '/billing/top-up',
  facts: { available: amount('The amount that can be kept.'), currency: oneOf(currencies) },
})
const reserveWhileOwing = fault('reserve_while_owing', 'conflict', {
  sentence: 'Part of a reversed payment had already been spent, so the account owes it.',
  hint: 'Add money at "url" first; it pays what is owed, and the rest can be kept for renewals.',
  next: 'add_funds',
  page: '/billing/top-up',
})

export const setReserve = operation({
  name: 'set_reserve',
  does: 'Set how much of the balance is kept for renewals.',
  more:
    'Renewals of the domains with "from_reserve" draw on it first: automatic ones, and those of ' +
    'your own session. No key and no app can spend it. Zero makes all of it available again.',
  at: 'POST /v1/account/reserve',
  area: 'Billing',
  who: ownerInPerson(),
  takes: Type.Object({
    currency: withDefault(oneOf(currencies, { description: 'Each has its own reserve.' }), 'USD'),
    amount: amountGiven({
      example: '25.00',
      description: 'The new amount of the reserve, in units of "currency": "25.00".',
    }),
  }),
  gives: Type.Object(
    {
      currency: oneOf(currencies),
      reserved: amount('The amount that is now kept for renewals.'),
      available: amount('The amount that can be spent now.'),
    },
    { title: 'ReserveResponse' },
  ),
  fails: [reserveNotCovered, reserveWhileOwing, sessionRequired],
  effect: 'transaction',
  target: ({ currency, amount: reserved }) => ({
    target_type: 'balance',
    target: currency,
    metadata: { reserved: reserved.slice(0, 20), currency },
  }),
  async run({ currency, amount: text }, { sql, customer_id }) {
    const wanted = amountOf(text)
    const moved = await sql.one(moveToReserve, { customer_id, currency, amount: wanted })
    const available = formatAmount(moved.available)
    switch (wordOf(outcomes, moved.outcome)) {
      case 'owed':
        throw reserveWhileOwing()
      case 'insufficient_funds':
        throw reserveNotCovered({ facts: { available, currency } })
      case 'done':
        return { currency, reserved: formatAmount(wanted), available }
    }
  },
})

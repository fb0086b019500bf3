// Errors of suspending and closing accounts.

import Type from 'typebox'
import { fault } from '../../kit/fault.ts'
import { amount } from '../../kit/schema.ts'

export const accountNotEmpty = fault('account_not_empty', 'conflict', {
  sentence: 'The account still has domains or money, or something is in progress.',
  hint:
    'See "contents". Transfer the domains away or let them expire, spend the balance or ask ' +
    'support to pay it out, and wait until orders and top-ups have ended; then repeat this.',
  facts: {
    contents: Type.Object(
      {
        balances: Type.Array(
          Type.Object({
            currency: Type.String(),
            available: amount('The amount that can be spent.'),
            held: amount('The amount that is held for orders.'),
            owed: amount('The amount that the customer owes.'),
            reserved: amount('The amount that is kept for renewals.'),
          }),
        ),
      },
      { description: 'Everything that is left, with a count of each kind.' },
    ),
  },
})
export const closedAccount = fault('account_is_closed', 'conflict', {
  sentence: 'The account is closed, so it cannot be suspended.',
  hint: 'Resume it to open it again.',
})
export const emailNotConfirmed = fault('email_not_confirmed', 'conflict', {
  sentence: 'The email address is not that of this account.',
  hint: 'Send the account\'s own address as "email", to confirm which account is closed.',
  next: 'fix_request',
})

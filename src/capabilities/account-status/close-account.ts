// The owner closes the account: after a fresh log-in, and only when it is empty.
import Type from 'typebox'
import { operation, ownerInPerson, Reply } from '../../app.ts'
import {
  customerAbsent,
  customerById,
  customerResponse,
  freshLogInNeeded,
  requireFreshLogIn,
  sessionRequired,
} from '../account/index.ts'
import { loggedOutReply } from '../sign-in/index.ts'
import { lockStatus } from './change-status.ts'
import { accountNotEmpty, emailNotConfirmed } from './faults.ts'
import { closeAccount } from './operator-changes.ts'

export const closeOwnAccount = operation({
  name: 'close_account',
  does: 'Close your account. Its sessions, API keys and connected apps end immediately.',
  more:
    'Export your data first: GET /v1/account/export. The account must be empty: no domains, no ' +
    'balance, no debt, and no order or top-up in progress. It needs a log-in within the last ' +
    'ten minutes. Support can open it again.',
  at: 'POST /v1/account/close',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({
    email: Type.String({ maxLength: 320, description: "The account's email address." }),
  }),
  gives: customerResponse,
  fails: [sessionRequired, freshLogInNeeded, emailNotConfirmed, accountNotEmpty, customerAbsent],
  effect: 'transaction',
  target: (_input, customer) => ({
    target_type: 'customer',
    target: customer?.id ?? null,
  }),
  async run({ email }, call, app) {
    requireFreshLogIn(app, call)
    const { sql, customer_id: id } = call
    await lockStatus(sql, id)
    const customer = await customerById(sql, id)
    if (customer?.email.toLowerCase() !== email.trim().toLowerCase()) throw emailNotConfirmed()
    const closed = await closeAccount(app, call, { id, by: 'owner' })
    return new Reply(closed, loggedOutReply(app, call).headers)
  },
})

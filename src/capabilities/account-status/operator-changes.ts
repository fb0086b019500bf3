// Operators suspend, resume and close accounts.

import Type from 'typebox'
import { type App, type Call, operation, operatorOnly } from '../../app.ts'
import { FieldReader } from '../../kit/field-reader.ts'
import type { CustomerId } from '../../kit/random.ts'
import { stringOf } from '../../kit/schema.ts'
import { customerAbsent, customerById, customerResponse } from '../account/index.ts'
import { changeStatus, endAccess, lockStatus, requireEmpty } from './change-status.ts'
import { closedEmail, resumedEmail, suspendedEmail } from './emails.ts'
import { accountNotEmpty, closedAccount } from './faults.ts'

const customerId = stringOf<CustomerId>({ description: 'The customer.' })
const reasonField = (description: string) =>
  Type.String({ minLength: 1, maxLength: 500, description })
const target = (id: string, reason?: string) => ({
  target_type: 'customer',
  target: id,
  customer_id: id,
  ...(reason === undefined ? {} : { metadata: { reason } }),
})

export const suspendCustomer = operation({
  name: 'suspend_customer',
  does: 'Suspend an account: it can be read, but not changed or used to buy.',
  more:
    'It takes effect on every node within five seconds. Open orders are still completed, ' +
    'incoming payments are credited, and automatic renewals continue, so that no domain is ' +
    'lost. Suspending it again changes nothing.',
  at: 'POST /v1/internal/customers/{id}/suspend',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({ id: customerId, reason: reasonField('The owner reads it in a mail.') }),
  gives: customerResponse,
  fails: [customerAbsent, closedAccount],
  effect: 'transaction',
  target: ({ id, reason }) => target(id, reason),
  async run({ id, reason: given }, { sql }, app) {
    const reading = new FieldReader()
    const reason = reading.line('reason', given)
    reading.finish()
    const status = await lockStatus(sql, id)
    if (status === 'closed') throw closedAccount()
    if (status === 'suspended') return await asItIs({ sql }, id)
    const { site_url } = app.settings
    const email = (at: Date) => suspendedEmail({ id, at, site_url }, reason)
    return await changeStatus(app, sql, { id, status: 'suspended', email })
  },
})

export const resumeCustomer = operation({
  name: 'resume_customer',
  does: 'Resume a suspended account, or open a closed one again.',
  more:
    'Keys, sessions and connected apps that were ended by closing it stay ended. Resuming an ' +
    'active account changes nothing.',
  at: 'POST /v1/internal/customers/{id}/resume',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({ id: customerId }),
  gives: customerResponse,
  fails: [customerAbsent],
  effect: 'transaction',
  target: ({ id }) => target(id),
  async run({ id }, { sql }, app) {
    const status = await lockStatus(sql, id)
    if (status !== 'suspended' && status !== 'closed') return await asItIs({ sql }, id)
    const { site_url } = app.settings
    const email = (at: Date) => resumedEmail({ id, at, site_url }, status)
    return await changeStatus(app, sql, { id, status: 'active', email })
  },
})

export const closeCustomer = operation({
  name: 'close_customer',
  does: 'Close an empty account: its sessions, keys and connected apps end.',
  more:
    'The call is refused while the account has domains, money, a debt, or anything in progress. ' +
    'Make a reserve available with release_reserve, and pay the balance out with adjust_balance ' +
    'first. Closing it again changes nothing.',
  at: 'POST /v1/internal/customers/{id}/close',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({ id: customerId, reason: reasonField('For the audit log.') }),
  gives: customerResponse,
  fails: [customerAbsent, accountNotEmpty],
  effect: 'transaction',
  target: ({ id, reason }) => target(id, reason),
  async run({ id }, { sql }, app) {
    if ((await lockStatus(sql, id)) === 'closed') return await asItIs({ sql }, id)
    return await closeAccount(app, { sql }, { id, by: 'operator' })
  },
})

async function asItIs({ sql }: Pick<Call, 'sql'>, id: CustomerId) {
  const customer = await customerById(sql, id)
  if (!customer) throw customerAbsent()
  return customer
}

type Closing = { id: CustomerId; by: 'owner' | 'operator' }

/** Call it after `lockStatus`. Throws accountNotEmpty. */
export async function closeAccount(app: App, { sql }: Pick<Call, 'sql'>, { id, by }: Closing) {
  await requireEmpty(sql, id)
  await endAccess(app, sql, id)
  const { site_url } = app.settings
  const email = (at: Date) => closedEmail({ id, at, site_url }, by)
  return await changeStatus(app, sql, { id, status: 'closed', email })
}

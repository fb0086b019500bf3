// The right to act is looked at again right before each effect (decision 94): a share of the
// operations x callers x ends of the right, and the class, as every operation has its line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../../src/catalog.ts'
import { sampleOf } from '../../shards/sampling.ts'
import { sharedMovedService } from '../../support/service.ts'
import { acts } from './acts.ts'
import { allCases, runCases, titleOf } from './held.ts'
import { stored } from './stored-acts.ts'

const registrar = await sharedMovedService()

/** Those that move the clock are of the long tier. */
const sample = sampleOf(
  allCases.filter(({ act }) => !act.alone),
  18,
)

test(`nothing is done for a caller whose right has ended: ${sample.map(titleOf).join('; ')}`, async () => {
  assert.deepEqual(await runCases(registrar, sample), [])
})

const proves = 'it needs no right: the request itself proves who asks, in its own transaction'
const readsOnly = 'it reads'
const money = 'it spends nothing: whatever is paid is credited to the account'
/** Operations without a case, and why they need none. */
const unheld: Readonly<Record<string, string>> = {
  log_in: proves,
  log_in_operator: proves,
  log_in_with_passkey: proves,
  confirm_password_reset: proves,
  sign_up: proves,
  verify_sign_up: proves,
  finish_sso: proves,
  exchange_sso_ticket: proves,
  mail_sso_link_code: proves,
  search_customers: readsOnly,
  read_customer_profile: readsOnly,
  list_database_schemas: readsOnly,
  list_database_tables: readsOnly,
  read_database_table: readsOnly,
  read_database_rows: readsOnly,
  create_top_up: money,
  start_top_up: money,
  report_top_up: money,
  check_payments: money,
  top_up_by_signed_payment: money,
  create_card_checkout: money,
  receive_gateway_webhook: 'the gateway is asked, and no one else is believed',
  receive_processor_event: 'the processor has signed it',
  reconcile_provider_client:
    'the request is stored before the registry is asked, which a job repeats',
  test_support_transports: 'it sends a message of ours to ourselves',
  move_sandbox_clock: 'of the sandbox alone',
  arm_sandbox_fault: 'of the sandbox alone',
  clear_sandbox_faults: 'of the sandbox alone',
}

test('every operation that changes something has a case, or a reason why not', () => {
  const changing = operations.filter(({ effect }) => effect !== 'none')
  // Theirs is the pipeline's: one of them is in `stored`.
  const own = changing.filter(({ effect }) => effect === 'own').map(({ name }) => name)
  const held = [...acts, ...stored].map(({ operation }) => operation)
  const listed = new Set([...held, ...Object.keys(unheld)])
  assert.deepEqual(
    own.filter((name) => !listed.has(name)),
    [],
  )
  const names = new Set(changing.map(({ name }) => name))
  assert.deepEqual(
    [...listed].filter((name) => !names.has(name)),
    [],
  )
  assert.deepEqual(
    Object.keys(unheld).filter((name) => held.includes(name)),
    [],
  )
  const inTransaction = changing.filter(({ effect }) => effect === 'transaction')
  assert.ok(inTransaction.some(({ name }) => held.includes(name)))
})

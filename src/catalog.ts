// The catalog: every operation and every job, by module.
import type { Job, Operation } from './app.ts'
import * as account from './capabilities/account/index.ts'
import * as accountStatus from './capabilities/account-status/index.ts'
import * as apiKeys from './capabilities/api-keys/index.ts'
import * as approvals from './capabilities/approvals/index.ts'
import * as audit from './capabilities/audit/index.ts'
import * as balance from './capabilities/balance/index.ts'
import * as bookkeeping from './capabilities/bookkeeping/index.ts'
import * as contacts from './capabilities/contacts/index.ts'
import * as customerTool from './capabilities/customer-tool/index.ts'
import * as documentSignatures from './capabilities/document-signatures/index.ts'
import * as domains from './capabilities/domains/index.ts'
import * as events from './capabilities/events/index.ts'
import * as health from './capabilities/health/index.ts'
import * as invoices from './capabilities/invoices/index.ts'
import * as limits from './capabilities/limits/index.ts'
import * as mail from './capabilities/mail/index.ts'
import * as operators from './capabilities/operators/index.ts'
import * as pricing from './capabilities/pricing/index.ts'
import * as sandbox from './capabilities/sandbox/index.ts'
import * as signIn from './capabilities/sign-in/index.ts'
import * as signUp from './capabilities/sign-up/index.ts'
import * as sso from './capabilities/sso/index.ts'
import * as support from './capabilities/support/index.ts'
import * as topUps from './capabilities/top-ups/index.ts'
import type { Settings } from './config/config.ts'
import * as oauth from './oauth/index.ts'
import { managePartitions, purgeExpiredRows } from './tasks/index.ts'

export const operations: readonly Operation[] = [
  ...health.operations,
  ...account.operations,
  ...limits.operations,
  ...approvals.operations,
  ...accountStatus.operations,
  ...signIn.operations,
  ...signUp.operations,
  ...sso.operations,
  ...oauth.operations,
  ...apiKeys.operations,
  ...contacts.operations,
  ...domains.operations,
  ...pricing.operations,
  ...documentSignatures.operations,
  ...balance.operations,
  ...topUps.operations,
  ...invoices.operations,
  ...bookkeeping.operations,
  ...audit.operations,
  ...customerTool.operations,
  ...operators.operations,
  ...events.operations,
  ...support.operations,
  ...sandbox.operations,
  ...topUps.sandboxOperations,
]

/** The operations of the sandbox do not exist in production. */
export function operationsIn(environment: Settings['environment']): readonly Operation[] {
  if (environment === 'sandbox') return operations
  const simulated: readonly Operation[] = [...sandbox.operations, ...topUps.sandboxOperations]
  return operations.filter((one) => !simulated.includes(one))
}

export const jobs: readonly Job[] = [
  purgeExpiredRows,
  managePartitions,
  ...domains.jobs,
  ...approvals.jobs,
  ...audit.jobs,
  ...events.jobs,
  ...pricing.jobs,
  ...topUps.jobs,
  ...bookkeeping.jobs,
  ...contacts.jobs,
  ...apiKeys.jobs,
  ...signIn.jobs,
  ...signUp.jobs,
  ...oauth.jobs,
  ...mail.jobs,
  ...support.jobs,
]

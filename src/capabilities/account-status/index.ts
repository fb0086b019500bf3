// The status of accounts: suspend, resume and close, and the export of an account's data.
import { closeOwnAccount } from './close-account.ts'
import { exportAccount } from './export-account.ts'
import { closeCustomer, resumeCustomer, suspendCustomer } from './operator-changes.ts'

export const operations = [
  exportAccount,
  closeOwnAccount,
  suspendCustomer,
  resumeCustomer,
  closeCustomer,
]

// The sandbox module: time and faults of the sandbox registries, for operators, and the mailbox. It
// does not exist in production.
import { moveSandboxClock } from './clock.ts'
import { armSandboxFault, clearSandboxFaults, listSandboxFaults } from './fault-injection.ts'
import { listMailbox, readMailboxMail } from './mailbox/read-mailbox.ts'

export { followSandboxClock } from './calendar.ts'

export const operations = [
  moveSandboxClock,
  listSandboxFaults,
  armSandboxFault,
  clearSandboxFaults,
  listMailbox,
  readMailboxMail,
]

// The sandbox module: time and faults of the sandbox registries, for operators; absent in
// production.
import { moveSandboxClock } from './clock.ts'
import { armSandboxFault, clearSandboxFaults, listSandboxFaults } from './fault-injection.ts'

export { followSandboxClock } from './calendar.ts'

export const operations = [moveSandboxClock, listSandboxFaults, armSandboxFault, clearSandboxFaults]

// Faults of the sandbox operations, and calls of the sandbox control that translate its errors.

import { SandboxRefusal, SandboxUnreachable } from '../../adapters/registry/sandbox-control.ts'
import type { App } from '../../app.ts'
import { fault, InvalidInput } from '../../kit/fault.ts'
import { dateTime } from '../../kit/schema.ts'

export const clockBackwards = fault('clock_backwards', 'conflict', {
  sentence: "The sandbox's time only goes forward.",
  hint: 'Choose a time after "now".',
  next: 'fix_request',
  facts: { now: dateTime('The time in the sandbox.') },
})
export const sandboxUnreachable = fault('sandbox_unreachable', 'unavailable', {
  sentence: "The sandbox registries' control plane does not respond.",
  hint: 'Try again: {"advance_ms": 0} sets the service to their time without moving it.',
})

type Sandbox = NonNullable<App['sandbox']>

/** Asks the sandbox. Throws sandboxUnreachable, or InvalidInput with its own words. */
export async function askSandbox<T>(app: App, ask: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  if (!app.sandbox)
    throw sandboxUnreachable({
      detail: 'The registries of this service are not its own: it cannot move their time.',
      retry_after_s: 60,
    })
  try {
    return await ask(app.sandbox)
  } catch (error) {
    if (error instanceof SandboxUnreachable)
      throw sandboxUnreachable({ cause: error, retry_after_s: 5 })
    if (error instanceof SandboxRefusal)
      throw new InvalidInput([{ path: [], msg: error.message, type: 'value_error' }])
    throw error
  }
}

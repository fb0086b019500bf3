// Log-out by the user, after which the notifications of this browser have ended with the session.
import { dropPush } from './push/remembered.ts'
import { endSession } from './session.ts'

export async function logOutHere(): Promise<void> {
  await endSession()
  dropPush()
}

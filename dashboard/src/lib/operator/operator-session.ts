// Session store of the operators' pages: GET /v1/operator/session decides whether the browser is
// logged in, as the cookie itself cannot be read here.
import { useSyncExternalStore } from 'react'
import type { OperatorSession } from 'sdk'
import { getOperatorSession, logInOperator, logOutOperator } from 'sdk-of-operators'
import { answerOf } from '../api.ts'
import { isLoggedOut } from '../session.ts'
import { readServiceFacts } from '../sign-in/service-facts.ts'

type Session =
  | { state: 'unknown' }
  | { state: 'failed'; error: unknown }
  | { state: 'logged_out' }
  | { state: 'logged_in'; operator: OperatorSession }

let session: Session = { state: 'unknown' }
const listeners = new Set<() => void>()

function publish(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

export function useOperatorSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session,
  )
}

/** Reads the session at the start of a page, without a 401 in the console if there is none. */
export async function readFirstOperatorSession(): Promise<void> {
  const facts = await readServiceFacts()
  if (session.state !== 'unknown') return
  if (facts.state === 'read' && !facts.service.authenticated) publish({ state: 'logged_out' })
  else await readOperatorSession()
}

/** Resolves with false if there is no session, since the browser has kept no cookie. */
export async function readOperatorSession(): Promise<boolean> {
  try {
    publish({ state: 'logged_in', operator: await answerOf(getOperatorSession()) })
  } catch (error) {
    publish(isLoggedOut(error) ? { state: 'logged_out' } : { state: 'failed', error })
  }
  return session.state === 'logged_in'
}

/** Rejects with an ApiError. Resolves with false if the browser did not keep the cookie. */
export async function startOperatorSession(operator_key: string): Promise<boolean> {
  const headers = { 'X-Session': 'operator' } as const
  await answerOf(logInOperator({ body: { operator_key }, headers }))
  return readOperatorSession()
}

export async function endOperatorSession(): Promise<void> {
  await logOutOperator()
  publish({ state: 'logged_out' })
}

export function noteOperatorLoggedOut(): void {
  publish({ state: 'logged_out' })
}

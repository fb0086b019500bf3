// Session store: GET /v1/account decides whether the browser is logged in, as the cookie itself
// cannot be read here. It does not use TanStack Query, which the log-in page does not load.
import { useSyncExternalStore } from 'react'
import { type CustomerResponse, getAccount, logIn, logOut } from 'sdk'
import { ApiError, answerOf } from './api.ts'
import { readServiceFacts } from './sign-in/service-facts.ts'

type Session =
  | { state: 'unknown' }
  | { state: 'failed'; error: unknown }
  | { state: 'logged_out' }
  | { state: 'logged_in'; account: CustomerResponse }

let session: Session = { state: 'unknown' }
const listeners = new Set<() => void>()

/**
 * The key in the browser's storage that says that the last visit had a session, which may have
 * ended since.
 */
const mark = 'logged_in'

function publish(next: Session): void {
  session = next
  if (next.state === 'logged_in') localStorage.setItem(mark, 'true')
  if (next.state === 'logged_out') localStorage.removeItem(mark)
  for (const listener of listeners) listener()
}

export function useSession(): Session {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => session,
  )
}

/**
 * Reads the session at the start of a page. A browser writes each 401 into its console, so one that
 * had no session asks first whether there is one, since the pages of OAuth begin sessions, too.
 */
export async function readFirstSession(): Promise<void> {
  const facts = localStorage.getItem(mark) === null ? await readServiceFacts() : null
  // The user may have logged in before the answer came.
  if (session.state !== 'unknown') return
  if (facts?.state === 'read' && !facts.service.authenticated) publish({ state: 'logged_out' })
  else await readSession()
}

/**
 * Asks the service for the session: at the start, and after a failure or a log-in. Resolves with
 * false if there is no session, since the browser has kept no cookie.
 */
export async function readSession(): Promise<boolean> {
  try {
    publish({ state: 'logged_in', account: await answerOf(getAccount()) })
  } catch (error) {
    publish(isLoggedOut(error) ? { state: 'logged_out' } : { state: 'failed', error })
  }
  return session.state === 'logged_in'
}

/** Stores the account that a change has returned. */
export function noteAccount(account: CustomerResponse): void {
  publish({ state: 'logged_in', account })
}

/** Whether a request failed because the session has ended. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof ApiError && error.failure.status === 401
}

/** Rejects with an ApiError. Resolves with false if the browser did not keep the cookie. */
export async function startSession(body: { email: string; password: string }): Promise<boolean> {
  await answerOf(logIn({ body }))
  return readSession()
}

/** Ends the session. Nothing of the account is kept, since its queries end with the shell. */
export async function endSession(): Promise<void> {
  await logOut()
  publish({ state: 'logged_out' })
}

export function noteLoggedOut(): void {
  publish({ state: 'logged_out' })
}

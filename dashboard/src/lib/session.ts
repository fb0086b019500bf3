// Session store: GET /v1/account decides whether the browser is logged in, as the cookie itself
// cannot be read here. Without TanStack Query, which the log-in page does not load.
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

/** In the browser's storage: its last visit had a session, which may have ended since. */
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
 * At the start of a page. A browser writes each 401 into its console, so one that had no session
 * asks first whether there is one: the pages of OAuth begin sessions, too.
 */
export async function readFirstSession(): Promise<void> {
  const facts = localStorage.getItem(mark) === null ? await readServiceFacts() : null
  // A log-in may have come before the answer.
  if (session.state !== 'unknown') return
  if (facts?.state === 'read' && !facts.service.authenticated) publish({ state: 'logged_out' })
  else await readSession()
}

/**
 * Asks the service: at the start, and after a failure or a log-in. Resolves with false where there
 * is no session, as the browser has kept no cookie.
 */
export async function readSession(): Promise<boolean> {
  try {
    publish({ state: 'logged_in', account: await answerOf(getAccount()) })
  } catch (error) {
    publish(isLoggedOut(error) ? { state: 'logged_out' } : { state: 'failed', error })
  }
  return session.state === 'logged_in'
}

/** The account as a change has returned it. */
export function noteAccount(account: CustomerResponse): void {
  publish({ state: 'logged_in', account })
}

/** Whether a request failed because the session has ended. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof ApiError && error.failure.status === 401
}

/** Rejects with an ApiError; resolves with false where the browser did not keep the cookie. */
export async function startSession(body: { email: string; password: string }): Promise<boolean> {
  await answerOf(logIn({ body }))
  return readSession()
}

/** Nothing of the account is kept: its queries end with the shell. */
export async function endSession(): Promise<void> {
  await logOut()
  publish({ state: 'logged_out' })
}

export function noteLoggedOut(): void {
  publish({ state: 'logged_out' })
}

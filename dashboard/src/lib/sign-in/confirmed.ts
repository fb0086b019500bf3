// Re-authentication for requests whose component renders no dialog for it: switches, bulk actions,
// undo. The shell shows one dialog for all requests that wait, and each is repeated afterwards.
import { useSyncExternalStore } from 'react'
import { ApiError } from '../api.ts'

type Waiting = { go: () => void; stop: () => void }
export type Confirmed = <T>(work: () => Promise<T>) => Promise<T>

let waiting: readonly Waiting[] = []
const watchers = new Set<() => void>()

function set(next: readonly Waiting[]): void {
  waiting = next
  for (const watcher of watchers) watcher()
}

export function needsLogIn(failure: unknown): boolean {
  return failure instanceof ApiError && failure.failure.code === 'fresh_log_in_needed'
}

/**
 * Repeats the work after a new log-in if the service asks for one. If the user closes the dialog,
 * it rejects with the service's refusal.
 */
export const confirmed: Confirmed = async (work) => {
  try {
    return await work()
  } catch (failure) {
    if (!needsLogIn(failure)) throw failure
    await new Promise<void>((resolve, reject) => {
      set([...waiting, { go: resolve, stop: () => reject(failure) }])
    })
    return confirmed(work)
  }
}

/**
 * The same for many requests of one action: once the user has closed the dialog, it does not open
 * again.
 */
export function confirmedOnce(): Confirmed {
  let isRefused = false
  return async (work) => {
    if (isRefused) return work()
    try {
      return await confirmed(work)
    } catch (failure) {
      isRefused ||= needsLogIn(failure)
      throw failure
    }
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Whether a request waits for a log-in. */
export function useIsLogInNeeded(): boolean {
  return useSyncExternalStore(watch, () => waiting.length > 0)
}

/** Lets all requests that wait continue, or stops them. */
export function endWaiting(how: 'go' | 'stop'): void {
  const ended = waiting
  set([])
  for (const one of ended) one[how]()
}

// Parts of the application that are loaded when they are needed. The service may be away for
// seconds, as in a restart: a part that cannot be fetched is requested again until it arrives, and
// meanwhile its place says so (components/part-place.tsx), while the rest of the page stays.
import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from 'react'

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>
type Part<Props> = LazyExoticComponent<ComponentType<Props>>

const first_pause_ms = 1_000
const longest_pause_ms = 10_000
/** The delay after the page that a part belongs to, so that the page is usable sooner. */
const early_ms = 500

/** For each load that has failed, the function that begins its next attempt. */
const waiting = new Set<() => void>()
const listeners = new Set<() => void>()

export function lazyPart<Props>(load: Load<Props>): Part<Props> {
  return lazy(() => fetchPart(load))
}

/**
 * A part that an action needs at once, such as a dialog. It is loaded soon after the page that has
 * the action.
 */
export function earlyPart<Props>(load: Load<Props>): Part<Props> {
  let loading: ReturnType<Load<Props>> | null = null
  const loadOnce = () => {
    loading ??= fetchPart(load)
    return loading
  }
  setTimeout(() => void loadOnce(), early_ms)
  return lazy(loadOnce)
}

/** Whether some part could not be fetched yet. */
export function useIsPartMissing(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.size > 0,
  )
}

export function fetchMissingParts(): void {
  for (const attempt of waiting) attempt()
}

/** Loads code or texts that are not a component. */
export async function fetchPart<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let pause_ms = first_pause_ms; ; pause_ms = Math.min(2 * pause_ms, longest_pause_ms)) {
    try {
      return await load()
    } catch (error) {
      if (!isUnfetched(error)) throw error
      await pauseOf(pause_ms)
    }
  }
}

/**
 * Whether the fetch failed, in the words of Chromium, Firefox, Safari and Vite. Any other error is
 * thrown by the part's own code.
 */
function isUnfetched(error: unknown): boolean {
  return error instanceof Error && /fetch|import|preload/i.test(error.message)
}

/** A pause, which ends early when the connection returns or the user asks for it. */
function pauseOf(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const attempt = () => {
      clearTimeout(timer)
      removeEventListener('online', attempt)
      waiting.delete(attempt)
      publish()
      resolve()
    }
    const timer = setTimeout(attempt, ms)
    addEventListener('online', attempt)
    waiting.add(attempt)
    publish()
  })
}

function publish(): void {
  for (const listener of listeners) listener()
}

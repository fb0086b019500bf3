// Parts of the application that are loaded when they are needed. The service may be away for
// seconds, as in a restart: a part that cannot be fetched is asked for again until it is there, and
// its place says so meanwhile (components/part-place.tsx). No page is replaced for that.
import { type ComponentType, type LazyExoticComponent, lazy, useSyncExternalStore } from 'react'

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>
type Part<Props> = LazyExoticComponent<ComponentType<Props>>

const first_pause_ms = 1_000
const longest_pause_ms = 10_000
/** After the page that it belongs to, which is usable first. */
const early_ms = 500

/** Loads that have failed and wait for their next attempt: the function that begins it. */
const waiting = new Set<() => void>()
const listeners = new Set<() => void>()

export function lazyPart<Props>(load: Load<Props>): Part<Props> {
  return lazy(() => fetchPart(load))
}

/**
 * One that an action needs at once, such as a dialog: it comes with the page that has the action.
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

/** Code or texts that are no component. */
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

/** In the words of Chromium, Firefox, Safari and Vite; another error is of the part's own code. */
function isUnfetched(error: unknown): boolean {
  return error instanceof Error && /fetch|import|preload/i.test(error.message)
}

/** Ends early when the connection returns, or when the user asks for it. */
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

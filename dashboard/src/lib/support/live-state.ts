// State of the conversation with support for the navigation, separate from the code of the stream,
// which is loaded after the page.
import { useSyncExternalStore } from 'react'

type Live = { unread: number; isConnected: boolean }

let live: Live = { unread: 0, isConnected: true }
const listeners = new Set<() => void>()

export function noteLive(change: Partial<Live>): void {
  const next = { ...live, ...change }
  if (next.unread === live.unread && next.isConnected === live.isConnected) return
  live = next
  for (const listener of listeners) listener()
}

function useLive(): Live {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => live,
  )
}

export function useUnreadSupport(): number {
  return useLive().unread
}

export function useIsConnected(): boolean {
  return useLive().isConnected
}

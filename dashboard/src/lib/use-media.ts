// Media queries as state, for components whose structure depends on the width, not only their look.
import { useSyncExternalStore } from 'react'

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}

/** Whether the page is narrower than the breakpoint "sm". */
export function useIsPhone(): boolean {
  return useMedia('(width < 40rem)')
}

/** Whether the page is narrower than the breakpoint "xl". */
export function useIsNarrow(): boolean {
  return useMedia('(width < 80rem)')
}

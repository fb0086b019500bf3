// Media queries as state, where a component's structure depends on the width and not only its look.
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

/** Narrower than the breakpoint "sm". */
export function useIsPhone(): boolean {
  return useMedia('(width < 40rem)')
}

/** Narrower than the breakpoint "xl". */
export function useIsNarrow(): boolean {
  return useMedia('(width < 80rem)')
}

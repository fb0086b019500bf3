// Theme store: the system's theme unless the user has chosen one, which the browser keeps.
import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const key = 'theme'
const listeners = new Set<() => void>()

export function readTheme(): Theme {
  const kept = localStorage.getItem(key)
  return themes.find((one) => one === kept) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') {
    localStorage.removeItem(key)
    delete dataset.theme
  } else {
    localStorage.setItem(key, theme)
    dataset.theme = theme
  }
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, readTheme)
}

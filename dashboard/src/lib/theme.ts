// Theme: the system's unless the user has chosen one; kept in the browser.
export const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const key = 'theme'

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
}

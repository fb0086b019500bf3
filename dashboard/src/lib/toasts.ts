// Toasts: the result of an action, with an undo where it has one. Their component is loaded for the
// first one.
type ToastMessage = { title: string; description?: string | undefined; undo?: () => void }

type Show = (message: ToastMessage) => void

const waiting: ToastMessage[] = []
let show: Show | null = null
let load: (() => void) | null = null

export function showToast(message: ToastMessage): void {
  if (show) {
    show(message)
    return
  }
  waiting.push(message)
  load?.()
}

/**
 * The place of toasts asks to be notified of the first one, which may be of a page before it; the
 * result ends that.
 */
export function onFirstToast(listener: () => void): () => void {
  load = listener
  if (waiting.length > 0) listener()
  return () => {
    load = null
  }
}

/** The component has been loaded: it shows those that wait, and all later ones. */
export function connectToasts(connected: Show): () => void {
  show = connected
  for (const message of waiting.splice(0)) connected(message)
  return () => {
    show = null
  }
}

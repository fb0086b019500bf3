// Toasts: the result of an action, with an undo if there is one. The first toast loads their
// component.
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
 * Notifies the place of the toasts about the first one, which an earlier page may have shown.
 * Returns the function that ends this.
 */
export function onFirstToast(listener: () => void): () => void {
  load = listener
  if (waiting.length > 0) listener()
  return () => {
    load = null
  }
}

/** Connects the loaded component, which shows the toasts that wait and all later ones. */
export function connectToasts(connected: Show): () => void {
  show = connected
  for (const message of waiting.splice(0)) connected(message)
  return () => {
    show = null
  }
}

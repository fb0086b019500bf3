// Service worker: shows a push message as a notification, and opens the request of this origin that
// it is about. It intercepts no requests, and a notification approves nothing.
import { notificationTexts } from '../messages/approvals/notification-texts.ts'

type Extendable = { waitUntil: (work: Promise<unknown>) => void }
type Push = Extendable & { data: { json: () => unknown } | null }
type Click = Extendable & { notification: Notification }
type Window = { url: string; focus: () => Promise<unknown> }

/** The used part of ServiceWorkerGlobalScope, since its type library excludes that of pages. */
declare const self: {
  registration: ServiceWorkerRegistration
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: true }) => Promise<Window[]>
    openWindow: (url: string) => Promise<unknown>
  }
  addEventListener: ((type: 'push', listener: (event: Push) => void) => void) &
    ((type: 'notificationclick', listener: (event: Click) => void) => void)
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data)))

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.tag))
})

type Message = { title: string; body?: string; approval?: string }

/** A message may come twice, so a notification replaces an earlier one with the same tag. */
async function show(data: Push['data']): Promise<void> {
  const { title, body, approval } = messageIn(data)
  await self.registration.showNotification(title, {
    ...(body !== undefined && { body }),
    ...(approval !== undefined && { tag: approval }),
  })
}

function messageIn(data: Push['data']): Message {
  const { title, body, approval } = fieldsOf(data)
  if (typeof title !== 'string') return { title: notificationTexts.title }
  return {
    title,
    ...(typeof body === 'string' && { body }),
    ...(typeof approval === 'string' && { approval }),
  }
}

function fieldsOf(data: Push['data']): Record<string, unknown> {
  try {
    return Object(data?.json())
  } catch {
    // A message that is not JSON comes from another version.
    return {}
  }
}

/**
 * The path is made here, below the scope of the worker, so that a message cannot lead elsewhere.
 */
async function open(tag: string): Promise<void> {
  const place = /^apr_[0-9a-z]{26}$/.test(tag) ? `approvals/${tag}` : 'approvals'
  const url = new URL(place, self.registration.scope).href
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const known = windows.find((window) => window.url === url)
  await (known ? known.focus() : self.clients.openWindow(url))
}

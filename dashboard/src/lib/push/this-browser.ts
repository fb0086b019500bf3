// Web push of this browser: enabled by its owner, renewed from one session to the next, and
// disabled.
import {
  createPushSubscription,
  deletePushSubscription,
  listPushSubscriptions,
} from 'sdk-of-approvals'
import { ApiError, answerOf, doneOf } from '../api.ts'
import { dropPush, rememberedPush, rememberPush } from './remembered.ts'

/** The scope of the service worker: all pages of the dashboard. */
const scope = import.meta.env.BASE_URL
const worker = `${scope}push-worker.js`

/** `denied` means that the browser is set to show no notifications of this site. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

/** False at http, in a private window or in an old browser, where pages have no service workers. */
const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(scope)
  return (await registration?.pushManager.getSubscription()) ?? null
}

const listed = async () => (await answerOf(listPushSubscriptions())).push_subscriptions

export async function readPush(customer_id: string): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const id = rememberedPush(customer_id)
  if (id === null || Notification.permission !== 'granted') return 'off'
  if ((await ownSubscription()) === null) return 'off'
  return (await listed()).some((one) => one.id === id) ? 'on' : 'off'
}

/** Asks the browser for permission. Rejects with the browser's error, or with an ApiError. */
export async function turnPushOn(customer_id: string, public_key: string): Promise<PushState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  await navigator.serviceWorker.register(worker, { scope, updateViaCache: 'none' })
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription with another key is of no use.
  const old = await pushManager.getSubscription()
  if (old && !isOfKey(old, public_key)) await old.unsubscribe()
  const applicationServerKey = octets(public_key)
  const options = { userVisibleOnly: true, applicationServerKey }
  await store(customer_id, await pushManager.subscribe(options))
  return 'on'
}

async function store(customer_id: string, subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  const body = { endpoint, keys: { p256dh, auth } }
  const { id } = await answerOf(createPushSubscription({ body }))
  rememberPush({ customer_id, id })
}

export async function turnPushOff(customer_id: string): Promise<PushState> {
  const id = rememberedPush(customer_id)
  await (await ownSubscription())?.unsubscribe()
  if (id !== null)
    await doneOf(deletePushSubscription({ path: { id } })).catch((error) => {
      // The subscription has ended with its session.
      if (!(error instanceof ApiError) || error.failure.status !== 404) throw error
    })
  dropPush()
  return 'off'
}

/**
 * A subscription ends with the session that made it. If push is on for the account in this browser,
 * the new session takes the subscription over.
 */
export async function renewPush(customer_id: string, public_key: string): Promise<void> {
  const id = rememberedPush(customer_id)
  if (id === null || !isSupported() || Notification.permission !== 'granted') return
  const own = await ownSubscription()
  const isCurrent = (await listed()).some((one) => one.id === id && one.current)
  if (own && isOfKey(own, public_key) && !isCurrent) await store(customer_id, own)
}

function isOfKey({ options }: PushSubscription, public_key: string): boolean {
  const key = options.applicationServerKey
  return key !== null && new Uint8Array(key).toString() === octets(public_key).toString()
}

/** The bytes of a base64url text, since not every browser accepts the text itself. */
function octets(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

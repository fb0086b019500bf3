// The port of web push: messages to browsers by their push services.

/** As a browser gives it (Push API): all that it takes to send to it, so it is a secret. */
export type PushSubscription = {
  endpoint: string
  /** Base64url, as all of the Push API: an uncompressed point on P-256. */
  p256dh: string
  auth: string
}

export type PushMessage = {
  text: string
  /** How long the push service keeps it for a browser that is away. */
  ttl_s: number
  /** Of messages with one topic, a browser that was away gets the newest: 32 characters at most. */
  topic: string
}

/**
 * gone: the subscription has ended. refused: this message will never be taken. later: the service
 * is away or busy; 0: it did not say for how long. No reason has the endpoint in it.
 */
export type Pushed =
  | { kind: 'sent' | 'gone' }
  | { kind: 'refused'; reason: string }
  | { kind: 'later'; reason: string; retry_after_ms: number }

export type WebPush = {
  /** For `applicationServerKey` of a subscription. */
  public_key: string
  /** One attempt. Never rejects for what a server or a network does. */
  send: (subscription: PushSubscription, message: PushMessage) => Promise<Pushed>
}

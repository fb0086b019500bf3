// The port of web push: messages to browsers through their push services.

/**
 * The subscription as a browser gives it (Push API). It is all that sending needs, so it is a
 * secret.
 */
export type PushSubscription = {
  endpoint: string
  /** Base64url, as everywhere in the Push API: an uncompressed point on P-256. */
  p256dh: string
  auth: string
}

export type PushMessage = {
  text: string
  /** How long the push service keeps the message for a browser that is away. */
  ttl_s: number
  /**
   * A topic of at most 32 characters: of several messages with one topic, a browser that was away
   * gets only the newest.
   */
  topic: string
}

/**
 * gone: the subscription has ended. refused: this message will never be accepted. later: the
 * service is away or busy, where 0 means that it did not say for how long. No reason contains the
 * endpoint.
 */
export type Pushed =
  | { kind: 'sent' | 'gone' }
  | { kind: 'refused'; reason: string }
  | { kind: 'later'; reason: string; retry_after_ms: number }

export type WebPush = {
  /** The key for `applicationServerKey` of a subscription. */
  public_key: string
  /** Makes one attempt. Never rejects because of a server or a network. */
  send: (subscription: PushSubscription, message: PushMessage) => Promise<Pushed>
}

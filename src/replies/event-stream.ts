// Server-sent events (WHATWG HTML, section 9.2) as the answer of an operation, in place of JSON.
import Type, { type TUnsafe } from 'typebox'

export const eventStreamType = 'text/event-stream'

/** The schema of an answer that is always a stream of events. */
export const eventStreamContent: TUnsafe<never> = Type.Unsafe<never>({ type: 'string' })

/** The connection of a client, as the surface holds it. */
export type EventSink = {
  /**
   * Sends whole events. It returns false if the limit of waiting octets is reached, so that the
   * stream must send no more until `drained`.
   */
  write: (events: Buffer) => boolean
  /** Ends the response; the client may connect again. */
  end: () => void
}

/** The calls from the surface to a stream that is sending. */
export type SendingStream = {
  drained: () => void
  /** The connection has ended. */
  stopped: () => void
}

/** A stream that waits for its client. */
export class EventStream {
  /** Starts to send. */
  readonly connect: (sink: EventSink) => SendingStream

  constructor(connect: (sink: EventSink) => SendingStream) {
    this.connect = connect
  }

  /** Gives its place back without a client. */
  abandon(): void {
    this.connect({ write: () => true, end: () => undefined }).stopped()
  }
}

/**
 * One event. The data is JSON, which has no line breaks, so no text in it can begin another field
 * or event.
 */
export function eventOf({ id, event, data }: { id: string; event: string; data: unknown }): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** How long a client waits before it connects again. */
export function retryAfter(ms: number): Buffer {
  return Buffer.from(`retry: ${Math.round(ms)}\n\n`)
}

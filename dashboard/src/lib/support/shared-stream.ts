// One event stream for all tabs of a browser: the tab that holds a lock has the connection and
// forwards the events on a channel. The next tab in line continues after the last event that it has
// seen.

export type StreamEvent = { id: number; event: string; data: string }
type Forwarded =
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'state'; isConnected: boolean; last: number }
  | { kind: 'ask' }

type Options = {
  /**
   * The name of the lock and the channel, which is of one account, so that tabs of another account
   * have their own.
   */
  name: string
  path: string
  /** The last event that the page knows. */
  after: number
  onEvent: (event: StreamEvent) => void
  onState: (isConnected: boolean) => void
  /**
   * Called when events were forwarded before this tab listened, so that the list has to be read
   * again.
   */
  onBehind: () => void
  /** Called when the service refused the stream, perhaps because the session has ended. */
  onRefused: () => void
}

const kinds = ['message', 'read'] as const
const first_ms = 2_000
const longest_ms = 30_000

/** The pause after a stream was refused, which is spread over the browsers. */
function pauseMs(failures: number): number {
  return Math.min(longest_ms, first_ms * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)
}

/** Returns the function that ends the stream for this tab. */
export function openSharedStream(options: Options): () => void {
  const { name, onEvent, onState, onBehind } = options
  const over = new AbortController()
  const channel = new BroadcastChannel(name)
  let last = options.after
  let isConnected = true
  let isLeading = false

  const take = (event: StreamEvent) => {
    // Two leaders have forwarded the event, or the list has it already.
    if (event.id <= last) return
    last = event.id
    onEvent(event)
  }
  const note = (state: boolean) => {
    isConnected = state
    onState(state)
  }
  channel.onmessage = ({ data }: MessageEvent<Forwarded>) => {
    if (data.kind === 'event') take(data.event)
    else if (data.kind === 'ask') {
      if (isLeading) channel.postMessage({ kind: 'state', isConnected, last })
    } else {
      note(data.isConnected)
      if (data.last > last) onBehind()
      last = Math.max(last, data.last)
    }
  }
  channel.postMessage({ kind: 'ask' })

  const lead = () =>
    holdConnection({
      ...options,
      signal: over.signal,
      last: () => last,
      take: (event) => {
        take(event)
        channel.postMessage({ kind: 'event', event })
      },
      note: (state) => {
        note(state)
        channel.postMessage({ kind: 'state', isConnected: state, last })
      },
    })
  navigator.locks
    .request(name, { signal: over.signal }, () => {
      isLeading = true
      return lead()
    })
    .catch((error: unknown) => {
      if (!over.signal.aborted) throw error
    })
  return () => {
    over.abort()
    channel.close()
  }
}

type Leading = Pick<Options, 'path' | 'onRefused'> & {
  signal: AbortSignal
  last: () => number
  take: (event: StreamEvent) => void
  note: (isConnected: boolean) => void
}

/** Holds the connection until the tab is closed or left. */
function holdConnection({ path, onRefused, signal, last, take, note }: Leading): Promise<void> {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  const open = () => {
    const opened = new EventSource(`${path}?after=${last()}`)
    source = opened
    const receive = ({ type, lastEventId, data }: MessageEvent<string>) =>
      take({ id: Number(lastEventId), event: type, data })
    for (const kind of kinds) opened.addEventListener(kind, receive)
    opened.onopen = () => {
      failures = 0
      note(true)
    }
    opened.onerror = () => {
      note(false)
      // The browser connects again by itself, unless the service has refused.
      if (opened.readyState !== EventSource.CLOSED) return
      failures += 1
      timer = setTimeout(open, pauseMs(failures))
      onRefused()
    }
  }
  open()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      source?.close()
      resolve()
    })
  })
}

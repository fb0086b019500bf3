// A client of server-sent events over node:http, which parses them as WHATWG HTML says, and keeps
// the last id as a browser does.
import { type IncomingMessage, request } from 'node:http'

export type ServerEvent = { id: string; event: string; data: string }
export type EventClient = {
  status: number
  headers: Record<string, string>
  /** The text of a refusal. */
  text: string
  /** Those that came, heartbeats apart. */
  events: ServerEvent[]
  heartbeats: ServerEvent[]
  lastId: () => string
  /** Until so many events came, or the stream has ended. */
  until: (count: number) => Promise<ServerEvent[]>
  ended: Promise<void>
  close: () => void
}

type Options = {
  token?: string
  headers?: Record<string, string>
  paused?: boolean
  events?: ServerEvent[]
}

export async function openEvents(url: string, options: Options = {}): Promise<EventClient> {
  const { token, headers = {}, paused = false, events = [] } = options
  const outgoing = request(url, {
    agent: false,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
  })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  outgoing.on('response', resolve)
  outgoing.on('error', reject)
  outgoing.end()
  const incoming = await promise
  const client = reading(incoming, { events, destroy: () => outgoing.destroy() })
  if (paused) incoming.pause()
  // A refusal is read whole.
  if (incoming.statusCode !== 200) await client.ended
  return client
}

type Reading = { events: ServerEvent[]; destroy: () => void }

function reading(incoming: IncomingMessage, { events, destroy }: Reading): EventClient {
  const heartbeats: ServerEvent[] = []
  const parser = newParser()
  let wake: (() => void)[] = []
  let isOver = false
  let text = ''
  const notify = () => {
    const waiting = wake
    wake = []
    for (const one of waiting) one()
  }
  const ended = new Promise<void>((resolve) => {
    incoming.on('close', () => {
      isOver = true
      notify()
      resolve()
    })
  })
  incoming.setEncoding('utf8')
  incoming.on('error', () => undefined)
  incoming.on('data', (chunk: string) => {
    if (incoming.statusCode !== 200) text += chunk
    for (const one of parser.push(chunk))
      (one.event === 'heartbeat' ? heartbeats : events).push(one)
    notify()
  })
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([k, v]) => [k, String(v)])),
    get text() {
      return text
    },
    events,
    heartbeats,
    lastId: parser.lastId,
    async until(count) {
      while (events.length < count && !isOver)
        await new Promise<void>((resolve) => wake.push(resolve))
      return events
    },
    ended,
    close: destroy,
  }
}

type Draft = { event: string; data: string[] }

/** Fields of lines, events by blank lines; only what is complete. */
function newParser() {
  let rest = ''
  let lastId = ''
  let draft: Draft = { event: '', data: [] }
  const field = (name: string, value: string) => {
    if (name === 'id') lastId = value
    if (name === 'event') draft.event = value
    if (name === 'data') draft.data.push(value)
  }
  const dispatch = (): ServerEvent[] => {
    const { event, data } = draft
    draft = { event: '', data: [] }
    return data.length === 0 ? [] : [{ id: lastId, event, data: data.join('\n') }]
  }
  return {
    lastId: () => lastId,
    push(chunk: string): ServerEvent[] {
      const lines = (rest + chunk).split(/\r\n|\r|\n/)
      rest = lines.pop() ?? ''
      return lines.flatMap((line) => {
        if (line === '') return dispatch()
        const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
        field(name, value)
        return []
      })
    },
  }
}

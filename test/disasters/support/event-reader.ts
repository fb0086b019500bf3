// A client of a customer's event stream that resumes after each break, at any node.
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestCustomer } from '../../support/service.ts'
import { openEvents, type ServerEvent } from '../../support/streams/event-client.ts'

export type Reader = { events: ServerEvent[]; resumed: number; refused: number; stop: () => void }

/** A client that behaves like a browser: it connects again with the last id that it received. */
export function readerOf({ key }: TestCustomer, urlOf: () => string): Reader {
  const events: ServerEvent[] = []
  let isOver = false
  let close = () => {}
  const stop = () => {
    isOver = true
    close()
  }
  const reader: Reader = { events, resumed: -1, refused: 0, stop }
  const run = async () => {
    while (!isOver) {
      const headers = { 'last-event-id': events.at(-1)?.id ?? '0' }
      const url = `${urlOf()}/v1/support/events?after=0`
      const client = await openEvents(url, { token: key, headers, events }).catch(() => null)
      if (client?.status !== 200) {
        // The places of a killed node are free when its lease has expired.
        if (client) reader.refused += 1
        await sleep(100)
        continue
      }
      reader.resumed += 1
      close = client.close
      if (isOver) close()
      await client.ended
    }
  }
  void run()
  return reader
}

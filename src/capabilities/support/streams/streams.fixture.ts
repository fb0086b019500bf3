// Two nodes over one database, and clients of their event streams.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { startService, type TestService } from '../../../../test/support/service.ts'
import { type EventClient, openEvents } from '../../../../test/support/streams/event-client.ts'

type Opening = { query?: string; headers?: Record<string, string> }

/** Nodes that hold 12 streams each. */
export async function twoNodes() {
  const settings = { SUPPORT_STREAMS: '12' }
  const one = await startService({ worker: false, settings })
  const { sandbox, mailbox, operatorKey } = one
  const database_url = one.service.settings.database_url ?? ''
  const node = { worker: false, sandbox, mailbox, database_url }
  const two = await startService({ ...node, settings })
  const rows = rowsIn(one)
  let clients: EventClient[] = []
  after(() => {
    for (const { close } of clients) close()
  })

  async function open(at: TestService, token: string, given: Opening = {}): Promise<EventClient> {
    const { query = '', headers = {} } = given
    const client = await openEvents(`${at.url}/v1/support/events${query}`, { token, headers })
    if (client.status === 200) clients.push(client)
    return client
  }
  async function closeAll(): Promise<void> {
    for (const { close } of clients) close()
    await Promise.all(clients.map(({ ended }) => ended))
    clients = []
    while ((await rows('select from support_streams')).length > 0) await sleep(10)
  }
  async function write(at: TestService, token: string, body: string) {
    const answer = await at.request('POST', '/v1/support/messages', { token, body: { body } })
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }
  async function reply(at: TestService, customer_id: string, body: string) {
    const options = { token: operatorKey, body: { customer_id, body } }
    const answer = await at.request('POST', '/v1/internal/support/messages', options)
    assert.equal(answer.status, 201, answer.text)
  }
  const newCustomer = () => one.customer({ funds_cents: 0, contact: false })
  return { one, two, node, rows, open, closeAll, write, reply, newCustomer, operatorKey }
}

/** The texts of the messages among the events. */
export function bodiesOf(events: readonly { event: string; data: string }[]): string[] {
  const messages = events.filter(({ event }) => event === 'message')
  return messages.map(({ data }) => JSON.parse(data).body)
}

export function idsOf(events: readonly { id: string }[]): number[] {
  return events.map(({ id }) => Number(id))
}

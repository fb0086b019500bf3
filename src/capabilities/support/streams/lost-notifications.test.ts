// A notification of the database may be lost: its event comes with the next heartbeat.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { sharedService } from '../../../../test/support/service.ts'
import { SupportStreams } from './support-streams.ts'

const registrar = await sharedService({ worker: false })
const rows = rowsIn(registrar)
const streams = new SupportStreams(registrar.service.app, { heartbeat_ms: 200 })
after(() => streams.close())

/** As `support_post` stores it, and without its notification. */
async function storeSilently(customer_id: string, body: string): Promise<void> {
  await rows(
    `with thread as (
       insert into support_threads (customer_id, last_event, customer_unread) values ($1, 1, 1)
     ), message as (
       insert into support_messages (id, customer_id, event, sender, body, created_at)
       values ('msg_' || md5($1), $1, 1, 'operator', $2, now())
     )
     insert into support_events (customer_id, position, kind, message_id, created_at)
     values ($1, 1, 'message', 'msg_' || md5($1), now())`,
    [customer_id, body],
  )
}

test('an event whose notification was lost comes with the next heartbeat', async () => {
  const { id } = await registrar.customer({ funds_cents: 0, contact: false })
  const stream = await streams.open(id, null)
  const sent: string[] = []
  const sending = stream.connect({
    write: (events) => {
      sent.push(String(events))
      return true
    },
    end: () => sending.stopped(),
  })
  await storeSilently(id, 'A silent message')
  const latest = performance.now() + 20_000
  while (!sent.some((text) => text.includes('A silent message'))) {
    assert.ok(performance.now() < latest, sent.join(''))
    await sleep(20)
  }
  const heartbeats = sent.filter((text) => text.includes('event: heartbeat'))
  assert.ok(heartbeats.length >= 2, 'one at the beginning, and that which reads')
  const messages = sent.filter((text) => text.includes('event: message'))
  assert.equal(messages.length, 1)
  assert.match(messages[0] ?? '', /^id: 1\n/)
  sending.stopped()
})

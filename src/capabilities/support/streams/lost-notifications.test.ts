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
async function storeSilently(customer_id: string, position: number, body: string): Promise<void> {
  await rows(
    `with thread as (
       insert into support_threads (customer_id, last_event, customer_unread) values ($1, $2, 1)
       on conflict (customer_id) do update set last_event = $2
     ), message as (
       insert into support_messages (id, customer_id, event, sender, body, created_at)
       values ('msg_' || md5($1 || $2::text), $1, $2, 'operator', $3, now())
     )
     insert into support_events (customer_id, position, kind, message_id, created_at)
     values ($1, $2, 'message', 'msg_' || md5($1 || $2::text), now())`,
    [customer_id, position, body],
  )
}

test('an event whose notification was lost comes with the next heartbeat', async () => {
  const { id } = await registrar.customer({ funds_cents: 0, contact: false })
  await storeSilently(id, 1, 'An earlier message')
  const stream = await streams.open(id, 0n)
  const sent: string[] = []
  const sending = stream.connect({
    write: (events) => {
      sent.push(String(events))
      return true
    },
    end: () => sending.stopped(),
  })
  const latest = performance.now() + 20_000
  const shows = async (words: string) => {
    while (!sent.some((text) => text.includes(words))) {
      assert.ok(performance.now() < latest, sent.join(''))
      await sleep(20)
    }
  }
  // The reading of a new stream has ended, so only that of a heartbeat can find the next one.
  await shows('An earlier message')
  await storeSilently(id, 2, 'A silent message')
  await shows('A silent message')
  const heartbeats = sent.filter((text) => text.includes('event: heartbeat'))
  assert.ok(heartbeats.length >= 2, 'one at the beginning, and that which reads')
  const messages = sent.filter((text) => text.includes('event: message'))
  assert.equal(messages.length, 2)
  assert.match(messages[1] ?? '', /^id: 2\n/)
  sending.stopped()
})

// Retention of registry messages: half a year after their acknowledgement; unacknowledged ones
// stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../../test/support/service.ts'
import { purgeExpiredRows } from '../../../tasks/index.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'

const registrar = await lifecycleService(await startService({ worker: false }))

test('purges a message half a year after its acknowledgement, not before', async () => {
  for (const [id, acked] of [
    ['old', '181 days'],
    ['kept', '179 days'],
    ['open', null],
  ])
    await registrar.query(
      `with key as (
         insert into registry_message_keys (registry, msg_id, received_at)
         values ('thin', $1, now() - interval '200 days') returning *)
       insert into registry_messages
              (id, registry, msg_id, text, kind, parsed, raw, recognized, received_at, acked_at)
       select id, registry, msg_id, 'x', 'other', '{}', '', true, received_at,
              now() - $2::interval from key`,
      [id, acked],
    )
  await registrar.run(purgeExpiredRows)
  const left = await registrar.query('select msg_id from registry_messages order by msg_id')
  assert.deepEqual(
    left.map(({ msg_id }) => msg_id),
    ['kept', 'open'],
  )
})

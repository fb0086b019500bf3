// GET /v1/support/events: the caller's conversation as server-sent events.
import Type from 'typebox'
import { operation, owner } from '../../../app.ts'
import { eventStreamContent, eventStreamType } from '../../../event-stream.ts'
import { patterned } from '../../../kit/schema.ts'
import { streamsFull, tooManyStreams } from '../faults.ts'

const eventId = (description: string) =>
  Type.Optional(patterned('^[0-9]{1,15}$', 'the id of an event, such as "12"', { description }))

export const streamSupportEvents = operation({
  name: 'stream_support_events',
  does: "Stream the events of the account's conversation with support (server-sent events).",
  more:
    'message: a message of either side, as listed. read: {reader, up_to, read_at}: one side has ' +
    'read the messages of the other up to that id. heartbeat: {at}, every 15 s. Each has an ' +
    'id; a client that connects again sends the last one as Last-Event-ID, and misses nothing. ' +
    'At most 5 streams of a customer; one ends when its token does.',
  at: 'GET /v1/support/events',
  area: 'Support',
  who: owner('support:read'),
  takes: Type.Object({
    after: eventId('Begin after it: "last_event_id" of the list. Left out: from now on.'),
    last_event_id: eventId(
      'Sent by browsers that connect again; it takes precedence over "after".',
    ),
  }),
  in: { last_event_id: 'header' },
  gives: eventStreamContent,
  downloads: eventStreamType,
  fails: [tooManyStreams, streamsFull],
  effect: 'none',
  run({ after, last_event_id }, { customer_id }, app) {
    const id = last_event_id ?? after
    return app.supportStreams.open(customer_id, id === undefined ? null : BigInt(id))
  },
})

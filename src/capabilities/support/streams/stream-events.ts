// GET /v1/support/events: the caller's conversation as server-sent events.
import Type from 'typebox'
import { operation, owner } from '../../../app.ts'
import { patterned } from '../../../kit/schema.ts'
import { eventStreamContent, eventStreamType } from '../../../replies/event-stream.ts'
import { streamsFull, tooManyStreams } from '../faults.ts'

const ourId = '^[0-9]{1,15}$'

export const streamSupportEvents = operation({
  name: 'stream_support_events',
  does: "Stream the events of the account's conversation with support (server-sent events).",
  more:
    'message: a message of either side, as listed. read: {reader, up_to, read_at}: one side has ' +
    'read the messages of the other up to that id. heartbeat: {at}, every 15 s. Each has an id; ' +
    'a client that connects again sends the last one as Last-Event-ID, and misses nothing. A ' +
    'customer has at most 5 streams. A stream ends with its token.',
  at: 'GET /v1/support/events',
  area: 'Support',
  who: owner('support:read'),
  takes: Type.Object({
    after: Type.Optional(
      patterned(ourId, 'the id of an event, such as "12"', {
        description:
          'The event to begin after, which is "last_event_id" of the list. If it is left out, ' +
          'the stream begins now.',
      }),
    ),
    last_event_id: Type.Optional(
      Type.String({
        maxLength: 8_192,
        description:
          'Browsers send it when they connect again. It takes precedence over "after". The ' +
          'stream begins now if it is not the id of an event of this service.',
      }),
    ),
  }),
  in: { last_event_id: 'header' },
  gives: eventStreamContent,
  downloads: eventStreamType,
  fails: [tooManyStreams, streamsFull],
  effect: 'none',
  run({ after, last_event_id }, { customer_id }, app) {
    return app.supportStreams.open(customer_id, positionIn(last_event_id || after))
  },
})

/**
 * Null if the stream begins now. A browser sends back whatever it last got, even from a proxy or
 * from a service that was at this address before, and would never connect again if it were refused.
 */
function positionIn(id: string | undefined): bigint | null {
  return id !== undefined && new RegExp(ourId).test(id) ? BigInt(id) : null
}

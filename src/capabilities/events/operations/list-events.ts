// Lists the events of an account after a cursor, oldest first, and waits for the next where asked
// to: GET /v1/events.
import Type from 'typebox'
import { type App, type Call, type Caller, operation, owner } from '../../../app.ts'
import { InvalidInput } from '../../../kit/fault.ts'
import { oneOf, withDefault } from '../../../kit/schema.ts'
import { byNumber } from '../../../lists/cursor.ts'
import { pagesOf } from '../../../lists/paging.ts'
import { isVisibleDomain } from '../../limits/index.ts'
import { allEventTypes, type EventType, matchesType, scopeOfEvent } from '../event-types.ts'
import { eventsGone, tooManyWaits } from '../faults.ts'
import { type EventRow, eventRange, eventsAfter, eventsOfTypesAfter } from '../log/events.sql.ts'
import { waitFor } from '../waiting/wait-for.ts'
import { domainsOf } from '../webhooks/webhook-maker.ts'
import { event, shownEvent } from './event.ts'

const most_wait_s = 50

const pages = pagesOf('list_events', byNumber)

export const listEvents = operation({
  name: 'list_events',
  does: 'List the events of the account after a cursor, oldest first, or wait for the next one.',
  more:
    'Send next_cursor of each response as cursor of the next request: no event is skipped, and ' +
    'none comes twice. With "wait" and no event to show, the response comes with the next ' +
    'event, or without one when the time is over. A token sees the families that its scopes ' +
    'cover: domain, transfer, order (domains:read); payment, balance, invoice (billing:read); ' +
    'contact (contacts:read); api_key, app (keys:read); support (support:read); account and ' +
    'webhook (account:read).',
  at: 'GET /v1/events',
  area: 'Events',
  who: owner('account:read'),
  takes: Type.Object({
    ...pages.takes,
    start: withDefault(
      oneOf(['oldest', 'now'], {
        description:
          'Where to begin without a cursor: at the oldest event that is kept, or now, so that ' +
          'only new events are listed.',
      }),
      'oldest',
    ),
    types: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description:
          'Only events of these types, separated by commas. "payment.*" is a whole family: ' +
          'domain.registered,payment.*',
      }),
    ),
    wait: withDefault(
      Type.Integer({
        minimum: 0,
        maximum: most_wait_s,
        description: 'Seconds to wait for an event if there is none.',
      }),
      0,
    ),
  }),
  gives: Type.Object(
    {
      events: Type.Array(event),
      next_cursor: Type.String({ description: 'The cursor for the events that follow.' }),
      has_more: Type.Boolean({ description: 'Whether more events are available.' }),
    },
    { title: 'ListEventsResponse' },
  ),
  fails: [eventsGone, tooManyWaits],
  effect: 'none',
  tools: [
    {
      group: 'account',
      title: 'List or await events',
      examples: [
        { start: 'now', wait: 30 },
        { cursor: pages.cursorAt(1234n), types: 'domain.*', wait: 50 },
      ],
      destructive: false,
      idempotent: true,
      open_world: false,
    },
  ],
  async run({ cursor, start, types, wait, limit }, call, app) {
    const wanted = wantedTypes(types, call)
    const after = await firstPlace(app, pages.placeOf(cursor), start)
    const page = { after, limit, wanted }
    return waitFor(app, call, {
      for_ms: wait * 1_000,
      look: () => read(app, call, page),
      isOver: ({ events, has_more }) => events.length > 0 || has_more,
    })
  },
})

type Page = { after: bigint; limit: number; wanted: readonly EventType[] }

async function read(app: App, { customer_id, caller }: Call, { after, limit, wanted }: Page) {
  // First the newest place: every event up to it is visible to the statement that follows.
  const { newest } = await app.db.one(eventRange)
  const place = { customer_id, after, limit: limit + 1 }
  const rows =
    wanted.length === allEventTypes.length
      ? await app.db.run(eventsAfter, place)
      : await app.db.run(eventsOfTypesAfter, { ...place, types: [...wanted] })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)?.pos ?? after
  const has_more = rows.length > limit
  const next = has_more || newest < last ? last : newest
  const events = shown.filter((row) => isVisible(caller, row)).map(shownEvent)
  return { events, next_cursor: pages.cursorAt(next), has_more }
}

/** Leaves out events about a domain that the limits of the caller hide. */
function isVisible(caller: Caller, event: EventRow): boolean {
  return domainsOf(event).every((name) => isVisibleDomain(caller, name))
}

/** A cursor before the deleted events, or after the newest one, is invalid. */
async function firstPlace(
  app: App,
  after: bigint | null,
  start: 'oldest' | 'now',
): Promise<bigint> {
  const { newest, purged } = await app.db.one(eventRange)
  if (after === null) return start === 'now' ? newest : purged
  if (after < purged || after > newest) throw eventsGone()
  return after
}

/**
 * The requested types that the token may see, or all types that it may see if none was requested.
 */
function wantedTypes(types: string | undefined, { caller }: Call) {
  const held = 'scopes' in caller ? caller.scopes : new Set()
  const seen = allEventTypes.filter((type) => held.has(scopeOfEvent(type)))
  if (types === undefined) return seen
  const words = types.split(',').map((word) => word.trim())
  const unknown = words.filter((word) => !allEventTypes.some((type) => matchesType(word, type)))
  if (unknown.length > 0)
    throw new InvalidInput([
      {
        path: ['types'],
        msg: `Input should be types of events; unknown: ${unknown.slice(0, 5).join(', ')}`,
        type: 'event_type',
      },
    ])
  return seen.filter((type) => words.some((word) => matchesType(word, type)))
}

// The record of an endpoint of webhooks, and its check: each event arrives at least once, each time
// with the same id and body, in order unless it has failed for a minute, and holds no other back
// for longer.
import assert from 'node:assert/strict'
import {
  type ReceivedWebhook,
  startReceiver,
} from '../../../src/capabilities/events/webhooks/receiver.fixture.ts'
import type { Chance } from './seeded-random.ts'

type Attempt = ReceivedWebhook & { accepted: boolean }

export type RecordedEndpoint = {
  url: string
  attempts: Attempt[]
  /** Whether it accepts an event, given how often it has refused it. */
  accepts: (refused: number) => boolean
  close: () => Promise<void>
}

/** A delivery by the database: its event, and when it failed first. */
export type Delivery = { event_id: string; created_at: Date; first_failed_at: Date | null }

/** Times of performance.now() between which some node worked. */
export type Uptime = { from_ms: number; to_ms: number }

export type Figures = {
  events: number
  attempts: number
  refused: number
  /** The events that were accepted more than once. */
  duplicates: number
  /** The longest time that a failed event kept the next one waiting, while a node worked. */
  held_ms: number
  /** Events that passed an earlier one, which had failed for a minute. */
  passed: number
}

const held_ms = 60_000
/**
 * The tolerance from the end of a hold to the attempt, for a busy machine and for jobs that begin
 * once a second.
 */
const slack_ms = 5_000

export const idOf = ({ headers }: ReceivedWebhook) => String(headers['webhook-id'])

/** Refuses by 503, or closes the connection without a response. */
export async function recordedEndpoint(chance: Chance): Promise<RecordedEndpoint> {
  const receiver = await startReceiver()
  const refusals = new Map<string, number>()
  const endpoint: RecordedEndpoint = {
    url: receiver.url,
    attempts: [],
    accepts: () => true,
    close: receiver.close,
  }
  receiver.answer = (response, received) => {
    const id = idOf(received)
    const refused = refusals.get(id) ?? 0
    const accepted = endpoint.accepts(refused)
    endpoint.attempts.push({ ...received, accepted })
    if (accepted) response.writeHead(204).end()
    else {
      refusals.set(id, refused + 1)
      if (chance.below(2) === 0) response.writeHead(503).end()
      else response.destroy()
    }
  }
  return endpoint
}

type Checked = { deliveries: readonly Delivery[]; uptimes: readonly Uptime[] }

/** Checks the endpoint's deliveries in the order of their events, and throws the first problem. */
export function checkEndpoint({ attempts }: RecordedEndpoint, checked: Checked): Figures {
  const bodies = new Map<string, string>()
  const first = new Map<string, number>()
  const accepted = new Map<string, number>()
  for (const one of attempts) {
    const id = idOf(one)
    const body = bodies.get(id) ?? one.body
    bodies.set(id, body)
    assert.equal(one.body, body, 'a duplicate is the same')
    assert.equal(JSON.parse(body).id, id)
    if (!first.has(id)) first.set(id, one.at_ms)
    if (one.accepted && !accepted.has(id)) accepted.set(id, one.at_ms)
  }
  const ids = checked.deliveries.map(({ event_id }) => event_id)
  assert.deepEqual([...first.keys()], ids, 'first attempts are in order, and none is missing')
  for (const id of ids) assert.ok(accepted.has(id), `${id} is not accepted`)
  const acceptances = attempts.filter((one) => one.accepted).length
  return {
    events: ids.length,
    attempts: attempts.length,
    refused: attempts.length - acceptances,
    duplicates: acceptances - accepted.size,
    ...holdsOf({ first, accepted }, checked),
  }
}

type Times = { first: ReadonlyMap<string, number>; accepted: ReadonlyMap<string, number> }

/**
 * Compares each event with the one before it: whether it passed it, and how long it waited for it.
 */
function holdsOf({ first, accepted }: Times, { deliveries, uptimes }: Checked) {
  const figures = { held_ms: 0, passed: 0 }
  for (const [at, next] of deliveries.entries()) {
    const attempted_ms = first.get(next.event_id) ?? Number.NaN
    for (const { event_id } of deliveries.slice(0, at).filter(({ event_id }) => {
      return (accepted.get(event_id) ?? Number.NaN) > attempted_ms
    })) {
      figures.passed += 1
      const ms = attempted_ms - (first.get(event_id) ?? Number.NaN)
      assert.ok(ms >= held_ms, `${next.event_id} passes ${event_id} after ${ms} ms`)
    }
    const before = deliveries[at - 1]
    if (!before?.first_failed_at) continue
    const from_ms = Math.max(localMs(before.first_failed_at), localMs(next.created_at))
    const ms = overlap({ from_ms, to_ms: attempted_ms }, uptimes)
    assert.ok(ms < held_ms + slack_ms, `${before.event_id} holds the next back for ${ms} ms`)
    figures.held_ms = Math.max(figures.held_ms, ms)
  }
  return figures
}

const localMs = (at: Date) => at.getTime() - performance.timeOrigin

function overlap({ from_ms, to_ms }: Uptime, uptimes: readonly Uptime[]): number {
  return uptimes.reduce(
    (sum, one) => sum + Math.max(0, Math.min(to_ms, one.to_ms) - Math.max(from_ms, one.from_ms)),
    0,
  )
}

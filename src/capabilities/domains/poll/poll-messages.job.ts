// Polls the registries: drains each message queue, and acknowledges a message only once it is
// stored with its effects.

import type { Outcome, Registry } from '../../../adapters/registry/port.ts'
import { type App, job } from '../../../app.ts'
import { inBulkheads } from '../../../tasks/index.ts'
import { syncHolding } from '../holdings/sync.ts'
import { type ReceivedMessage, subjectOf, takeMessage } from './poll-message.ts'
import { holdingByRegistrar, markAcked } from './poll-messages.sql.ts'

/** After this many messages the job checks that it still is the one that polls. */
const atOnce = 100
const every_ms = 2_000

export const pollRegistries = job({
  name: 'poll_registries',
  does: "Takes the messages of the registries' queues: transfers, late answers, renewals.",
  every_ms,
  wakes_on: 'sandbox_clock',
  async run(app) {
    const all = app.registries.all
    const round = async (one: Registry) => {
      const due = app.pollRounds.isDue(one.profile.name, app.monotonic_ms())
      return { more: due && (await drain(app, one)) }
    }
    return inBulkheads(all, round, every_ms)
  },
})

/** Returns whether there may be more messages now. */
async function drain(app: App, registry: Registry): Promise<boolean> {
  let last: string | null = null
  let reading = Promise.resolve()
  try {
    for (let taken = 0; taken < atOnce; taken += 1) {
      const message = await next(app, registry)
      if (!message) return false
      if (message.id === last) return stuck(app, registry, last)
      const received = { registry, message }
      const { taken: how } = await takeMessage(app, received)
      if (how === 'again') return false
      app.reached?.('message_stored')
      // The domain is read while the next message comes, one at a time.
      reading = reading.then(() => readNow(app, received))
      if (!(await acknowledge(app, received))) return false
      app.pollRounds.answered(registry.profile.name)
      last = message.id
    }
    return true
  } finally {
    await reading
  }
}

/** The message was just acknowledged and is still the first, so polling on would never end. */
function stuck(app: App, { profile }: Registry, message: string): false {
  const facts = { registry: profile.name, message, alarm: 'registry_queue_stuck' }
  app.log.error(facts, 'a message that was acknowledged is still in the queue')
  app.pollRounds.failed(profile.name, app.monotonic_ms())
  return false
}

async function next(app: App, registry: Registry) {
  const polled = await registry.poll()
  if (polled.kind === 'done') {
    if (!polled.value) app.pollRounds.answered(registry.profile.name)
    return polled.value
  }
  logFailure(app, registry, polled)
  return null
}

async function acknowledge(app: App, { registry, message }: ReceivedMessage): Promise<boolean> {
  const acked = await registry.ack(message.id)
  if (acked.kind !== 'done') {
    logFailure(app, registry, acked)
    return false
  }
  await app.db.run(markAcked, { registry: registry.profile.name, msg_id: message.id })
  return true
}

/**
 * The queue was not read, which a later round does. The sessions have reported an unknown outcome,
 * and after several in a row there is an alarm.
 */
function logFailure(
  app: App,
  { profile }: Registry,
  outcome: Exclude<Outcome<unknown>, { kind: 'done' }>,
): void {
  const lasts = app.pollRounds.failed(profile.name, app.monotonic_ms())
  const detail = outcome.kind === 'accepted' ? 'action pending' : outcome.message
  if (lasts)
    app.log.error(
      { registry: profile.name, detail, alarm: 'poll_unanswered' },
      'no readable answer to several polls',
    )
  if (outcome.kind === 'unknown') return
  app.log.error(
    { registry: profile.name, detail, alarm: 'poll_refused' },
    'registry refused a poll command',
  )
}

/** Reads the domain of the message at once if we hold it; if that fails, the sync reads it soon. */
async function readNow(app: App, { message }: ReceivedMessage): Promise<void> {
  const domain = subjectOf(message)
  if (domain === null) return
  try {
    const holding = await app.db.maybe(holdingByRegistrar, { name: domain })
    if (holding) await syncHolding(app, holding, 'normal')
  } catch (error) {
    app.log.error({ err: error, domain }, 'domain of a message not read yet')
  }
}

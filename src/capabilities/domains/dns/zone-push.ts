// Pushes of zones to an external DNS provider: a trigger of zones enqueues a task for each zone
// that is new or has changed (outbox).
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import type { DnsProvider, Pushed, ZoneContent } from '../../../adapters/dns/port.ts'
import type { App } from '../../../app.ts'
import type { Row } from '../../../db/statement.ts'
import { type TaskEnd, taskKind, workTask, workTasks } from '../../../tasks/index.ts'
import { wholeName } from './record-sets/record-set.ts'
import {
  beginPush,
  dequeueZones,
  markPushed,
  purgeZone,
  recordsOf,
  requeueZones,
  zonePushed,
} from './zone-push.sql.ts'

/** The bulkhead is the provider, so that nodes with another one leave the task alone. */
const pushTask = taskKind({
  kind: 'push_zone',
  payload: Type.Object({ name: Type.String() }),
  backoff: { first_ms: 2_000, longest_ms: 300_000 },
  most_attempts: null,
})

const queued_at_once = 500

/** Enqueues the next zones for a new provider; returns whether some are left. */
export async function requeueForProvider(app: App, { id }: DnsProvider): Promise<boolean> {
  const { more } = await app.db.one(requeueZones, { provider: id, limit: queued_at_once })
  return more
}

/** Removes zones from the queue if there is no provider; returns whether some are left. */
export async function dequeueServed(app: App): Promise<boolean> {
  return (await app.db.count(dequeueZones, { limit: BigInt(queued_at_once) })) === queued_at_once
}

/** Pushes up to `most` zones that are due; returns how many were pushed, and how many failed. */
export async function pushDueZones(
  app: App,
  provider: DnsProvider,
  most: number,
): Promise<{ pushed: number; failed: number }> {
  let pushed = 0
  const claimed = await workTasks(app, pushTask, {
    bulkhead: provider.id,
    limit: most,
    handle: async ({ payload }) => {
      const end = await push(app, provider, payload.name)
      if (end.end === 'done') pushed += 1
      return end
    },
  })
  return { pushed, failed: claimed - pushed }
}

/**
 * Pushes one zone now. Waits up to `wait_ms` for another push of it. The job pushes it later if it
 * is not pushed by then.
 */
export async function pushZone(app: App, name: string, wait_ms: number): Promise<Pushed> {
  const { provider } = app.dns
  if (!provider) return { kind: 'done' }
  const give_up_ms = app.monotonic_ms() + wait_ms
  for (;;) {
    const end = await workTask(app, pushTask, {
      bulkhead: provider.id,
      key: name,
      handle: ({ payload }) => push(app, provider, payload.name),
    })
    if (end?.end === 'done') return { kind: 'done' }
    if (end) return { kind: 'failed', reason: 'unreachable', message: end.reason }
    const zone = await app.db.maybe(zonePushed, { name })
    if (!zone || zone.pushed) return { kind: 'done' }
    if (app.monotonic_ms() > give_up_ms)
      return { kind: 'failed', reason: 'unreachable', message: 'Another push is taking too long.' }
    await sleep(100)
  }
}

async function push(app: App, provider: DnsProvider, name: string): Promise<TaskEnd> {
  const zone = await app.db.maybe(beginPush, { name })
  if (!zone) return { end: 'done' }
  const { serial } = zone
  const dropped = zone.state === 'dropped'
  const pushed = await (dropped ? provider.drop(name) : provider.put(await contentOf(app, zone)))
  if (pushed.kind === 'failed') {
    const reason = pushed.message
    app.log.warn({ zone: name, reason }, 'a zone could not be pushed to the name servers')
    return { end: 'retry', reason }
  }
  const { without } = pushed
  if (without) app.log.warn({ zone: name, without }, 'the name servers do not take some records')
  return {
    end: 'done',
    effects: async (sql) => {
      const purged = dropped ? await sql.count(purgeZone, { name, serial }) : 0
      if (purged === 0) await sql.count(markPushed, { name, pushed_serial: serial })
    },
  }
}

/** Changes since the push began are included, and are pushed again under their own serial. */
async function contentOf(app: App, zone: Row<'zones_begin_push'>): Promise<ZoneContent> {
  const { name, nameservers, serial, domain_id } = zone
  const records = await app.db.run(recordsOf, { domain_id })
  return {
    name,
    nameservers,
    serial: Number(serial),
    sets: records.map(({ host, type, ttl, rdata }) => ({
      name: wholeName(host, name),
      ...{ type, ttl, rdata },
    })),
  }
}

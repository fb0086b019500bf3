// GET /v1/health: the state of the database, the registries, the worker, the mail, the payments and
// the audit log.

import Type from 'typebox'
import { type App, anyone, operation } from '../../app.ts'
import { databaseTime } from '../../db/server.sql.ts'
import { skew_alarm_ms } from '../../kit/clock.ts'
import { fault } from '../../kit/fault.ts'
import { dateTime, nullable, oneOf } from '../../kit/schema.ts'
import type { PeerState } from '../../kit/telemetry.ts'
import { workerHealth } from '../../tasks/index.ts'
import { auditHealth } from '../audit/index.ts'
import { mailHealth } from '../mail/index.ts'

const unhealthy = fault('unhealthy', 'unavailable', {
  sentence: 'This node cannot serve: the database is down.',
  hint: 'Try again after Retry-After.',
  facts: { database: Type.Object({ state: Type.String() }) },
})
const overall = ['ok', 'degraded'] as const
const part = oneOf(['up', 'down', 'idle'] as const)

const payments = (description: string) =>
  nullable(
    Type.Object(
      {
        name: Type.String({ description: 'The name of the kind: evm, btcpay or stripe.' }),
        simulated: Type.Boolean({ description: 'Whether it is the simulated one of the sandbox.' }),
        state: part,
        detail: nullable(Type.String({ description: 'The error of the last call.' })),
      },
      { description: `${description}, as this node last found it, or null if none is set.` },
    ),
  )

export const getHealth = operation({
  name: 'get_health',
  does: 'Report whether the service can do its work, and in which environment it runs.',
  at: 'GET /v1/health',
  area: 'Health',
  who: anyone(),
  takes: Type.Object({}),
  gives: Type.Object(
    {
      status: oneOf(overall),
      environment: oneOf(['sandbox', 'production'] as const),
      version: Type.String(),
      database: Type.Object({ state: part, latency_ms: Type.Number() }),
      registries: Type.Array(
        Type.Object({
          name: Type.String(),
          state: part,
          sessions: Type.Integer({
            description: 'The sessions of this node; the limit is for all nodes together.',
          }),
          queued: Type.Integer(),
          last_error: nullable(Type.String()),
        }),
      ),
      worker: Type.Object({ state: part, detail: nullable(Type.String()) }),
      mail: Type.Object({
        state: part,
        waiting: Type.Integer({ description: 'The number of mails that are not sent yet.' }),
        failed: Type.Integer({ description: 'The number of mails that failed within a day.' }),
        detail: nullable(Type.String()),
      }),
      gateway: payments('Gateway of crypto payments'),
      processor: payments('Processor of card payments'),
      clock: Type.Object({
        state: part,
        skew_ms: Type.Integer({
          description:
            "How far this node's own clock is ahead of the database's, which the service uses.",
        }),
      }),
      audit: Type.Object({
        state: part,
        detail: nullable(
          Type.String({
            description: 'The problem of the log. An operator must act if the status is down.',
          }),
        ),
      }),
      checked_at: dateTime('When the state was read.'),
    },
    { title: 'HealthResponse' },
  ),
  fails: [unhealthy],
  effect: 'none',
  async run(_input, _call, app) {
    const database = await databaseHealth(app)
    const registries = app.registries.all.map((registry) => {
      const { state, sessions, queued, last_error } = registry.health()
      return { name: registry.profile.name, state, sessions, queued, last_error }
    })
    const clock = clockHealth(app)
    const [worker, mail, audit] = await Promise.all([
      workerHealth(app.db),
      mailHealth(app),
      auditHealth(app.db),
    ])
    const gateway = peerHealth(app.gateway, app.settings.gateway)
    const processor = peerHealth(app.processor, app.settings.stripe_secret_key)
    const optional = [gateway, processor].filter((one) => one !== null)
    const parts = [worker, mail, clock, audit, ...registries, ...optional]
    const well = parts.every(({ state }) => state !== 'down')
    return {
      status: overall[well ? 0 : 1],
      environment: app.settings.environment,
      version: '0.1.0',
      database,
      registries,
      worker,
      mail,
      gateway,
      processor,
      clock,
      audit,
      checked_at: app.clock.now().toISOString(),
    }
  },
})

type Peer = { name: string; health: () => PeerState }

/** `own` is the setting of a system that is not the sandbox's. */
function peerHealth(peer: Peer | null, own: string | null) {
  if (peer === null) return null
  const { state, trouble } = peer.health()
  return { name: peer.name, simulated: own === null, state, detail: trouble }
}

/** A wrong clock of the machine moves nothing here; its TLS and its log go by it all the same. */
function clockHealth(app: App) {
  const skew_ms = Math.round(app.clock_skew_ms())
  const state = Math.abs(skew_ms) > skew_alarm_ms ? ('down' as const) : ('up' as const)
  return { state, skew_ms }
}

async function databaseHealth(app: App) {
  const began = app.monotonic_ms()
  await databaseTime(app.db).catch((cause) => {
    throw unhealthy({ cause, retry_after_s: 2, facts: { database: { state: 'down' } } })
  })
  return { state: 'up' as const, latency_ms: Math.round((app.monotonic_ms() - began) * 10) / 10 }
}

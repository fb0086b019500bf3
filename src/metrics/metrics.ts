// Metrics of the service for Prometheus (decision 62): some are counted in this process, some are
// read from other parts at a scrape, and those about the database come from a snapshot that nodes
// share.
import type { App } from '../app.ts'
import type { Settings } from '../config/config.ts'
import { monotonicMs } from '../kit/clock.ts'
import type { Meter } from '../kit/telemetry.ts'
import type { Pipeline } from '../surfaces/pipeline/pipeline.ts'
import { type RequestLine, surfaceOf } from '../surfaces/rest/server.ts'
import { alarmNames } from './alarm-names.ts'
import type { Instruments } from './instruments.ts'
import { currentSnapshot, type Snapshot } from './snapshots.ts'

type ScrapedApp = Pick<App, 'db' | 'registries' | 'mailer' | 'clock_skew_ms' | 'log'>

export type Metrics = {
  /** Measures commands to registries. */
  registries: Meter
  /** Measures calls of other systems. */
  outbound: Meter
  /** The same pipeline, in which each call is measured by its operation. */
  watchPipeline: (pipeline: Pipeline) => Pipeline
  alarm: (name: string) => void
  /** Counts each request before its line is written. */
  watchRequests: (write: (line: RequestLine) => void) => (line: RequestLine) => void
  /**
   * The metrics in Prometheus's text format. Those of the database were read within the last ten
   * seconds.
   */
  scrape: (app: ScrapedApp) => Promise<{ type: string; text: string }>
}

/** It is null without METRICS_TOKEN: then nothing is counted, and prom-client is not loaded. */
export async function openMetrics(
  settings: Pick<Settings, 'metrics_token' | 'environment' | 'mcp_url'>,
): Promise<Metrics | null> {
  if (settings.metrics_token === null) return null
  const { countCall, countCommand, openInstruments, statusClass } = await import('./instruments.ts')
  const of = openInstruments()
  const { environment } = settings
  of.build.set({ version: '0.1.0', node: process.version, environment }, 1)
  for (const alarm of alarmNames) of.alarms.inc({ alarm }, 0)
  let scraping: Promise<Snapshot | null> | null = null

  return {
    registries: (exchange) => countCommand(of, exchange),
    outbound: (exchange) => countCall(of, exchange),
    watchPipeline: (pipeline) => ({
      ...pipeline,
      async call(operation, request, admitted) {
        const began_ms = monotonicMs()
        const response = await pipeline.call(operation, request, admitted)
        const status = statusClass(response.status)
        const labels = { operation: operation.name, surface: request.entry_point, status }
        of.operations.observe(labels, (monotonicMs() - began_ms) / 1_000)
        return response
      },
    }),
    alarm: (alarm) => of.alarms.inc({ alarm }),
    watchRequests: (write) => (line) => {
      const surface = surfaceOf(line.route, settings.mcp_url)
      of.http.observe({ surface, status: statusClass(line.status) }, line.ms / 1_000)
      write(line)
    },
    async scrape(app) {
      setGauges(of, app)
      // Scrapes at the same time share one reading.
      scraping ??= currentSnapshot(app.db).finally(() => {
        scraping = null
      })
      setSnapshot(of, await scraping.catch((error) => unreadable(of, app, error)))
      return { type: of.registry.contentType, text: await of.registry.metrics() }
    },
  }
}

/** The rest is still exported, because a scrape shows operators that the database is away. */
function unreadable(of: Instruments, { log }: ScrapedApp, error: unknown): null {
  log.warn({ err: error }, 'the metrics of the database cannot be read')
  of.databaseUp.set(0)
  return null
}

function setSnapshot(of: Instruments, snapshot: Snapshot | null): void {
  for (const { gauge, labels } of of.database.values()) {
    gauge.reset()
    // A gauge without labels becomes zero when it is reset, which would look like a known value.
    if (labels.length === 0) gauge.remove()
  }
  of.snapshotAge.remove()
  if (!snapshot) return
  of.snapshotAge.set(snapshot.age_s)
  for (const { metric, labels, value } of snapshot.samples)
    of.database.get(metric)?.gauge.set(labels, value)
}

/** The state of this process and of its connections. */
function setGauges(of: Instruments, { db, registries, mailer, clock_skew_ms }: ScrapedApp): void {
  const pool = db.load()
  of.databaseUp.set(1)
  of.pool.set({ state: 'in_use' }, pool.open - pool.idle)
  of.pool.set({ state: 'free' }, pool.idle)
  of.poolMost.set(pool.most)
  of.poolWaiting.set(pool.waiting)
  of.clockSkew.set(clock_skew_ms() / 1_000)
  of.mailUp.set(mailer !== null && mailer.health().state !== 'down' ? 1 : 0)
  for (const one of registries.all) {
    const { name: registry, sessions } = one.profile
    const health = one.health()
    of.registrySessions.set({ registry, state: 'in_use' }, health.sessions - health.idle)
    of.registrySessions.set({ registry, state: 'idle' }, health.idle)
    of.registryBudget.set({ registry }, sessions)
    of.registryQueue.set({ registry }, health.queued)
    of.registryUp.set({ registry }, health.state === 'down' ? 0 : 1)
    of.circuitOpen.set({ registry }, health.circuit_open ? 1 : 0)
  }
}

// Composition root: joins the parts into a running service. Implementations are chosen only here.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { SignedMessages } from './adapters/dns/port.ts'
import { openIdentityProviders } from './adapters/identity/providers.ts'
import { openSandboxMailbox } from './adapters/mail/sandbox-mailbox.ts'
import { loadRegistriesFile } from './adapters/registry/config/registries-file.ts'
import type { Endpoint } from './adapters/registry/registries.ts'
import {
  type ControlEndpoint,
  openSandboxControl,
  type SandboxControl,
} from './adapters/registry/sandbox-control.ts'
import { startSandboxRegistries } from './adapters/registry/sandbox-process.ts'
import type { App } from './app.ts'
import { writeLastUses } from './capabilities/api-keys/index.ts'
import { systemCall } from './capabilities/audit/index.ts'
import { openSignedMessages, openZones } from './capabilities/domains/index.ts'
import { ensureOperatorKey } from './capabilities/operators/index.ts'
import { syncPrices } from './capabilities/pricing/index.ts'
import { followSandboxClock } from './capabilities/sandbox/index.ts'
import type { PasswordHasher } from './capabilities/sign-in/index.ts'
import { jobs } from './catalog.ts'
import { onPort, type Settings } from './config/config.ts'
import type { Database } from './db/database.ts'
import { databaseTime } from './db/server.sql.ts'
import {
  monotonicMs,
  openCalendar,
  openSyncedClock,
  type SyncedClock,
  systemChance,
} from './kit/clock.ts'
import { keepPort } from './kit/net/free-port.ts'
import { type Tracer, type Watch, watching } from './kit/telemetry.ts'
import { type Metrics, openMetrics } from './metrics/metrics.ts'
import type { OutboundNetwork } from './oauth/index.ts'
import { openLimits } from './rate-limits/leased-quotas.ts'
import { crashPoint } from './start/crash-point.ts'
import { openDataFolder, openKeys, refuseUnreadableFiles } from './start/data-folder.ts'
import {
  openDns,
  openForeignDns,
  openMail,
  openNotifiers,
  openPayments,
  openServiceRegistries,
  type Places,
  type SandboxPayments,
} from './start/open-adapters.ts'
import { openHttp } from './start/open-http.ts'
import { openLog } from './start/open-log.ts'
import { openStore } from './start/open-store.ts'
import { openProcessState } from './start/process-state.ts'
import { sandboxMailbox } from './start/sandbox-mailbox-link.ts'
import { Undo } from './start/undo.ts'
import { DashboardBuild } from './surfaces/dashboard/dashboard-build.ts'
import { policiesOf } from './surfaces/pipeline/access-control.ts'
import { startWorker, type Worker } from './tasks/index.ts'
import { openTracing } from './tracing/tracing.ts'

/** A running service. `operator_key` is present only if it was just made. */
export type Service = {
  app: App
  settings: Settings
  server: FastifyInstance
  dashboard: DashboardBuild
  operator_key: string | null
  /** Lines for the operator, such as the place of the data and missing settings. */
  notes: string[]
  /** Loads the parts that the start did not wait for. */
  warm: () => Promise<void>
  /**
   * Stops gracefully: /ready fails first, then new requests are refused, then the jobs and the
   * connections end.
   */
  stop: () => Promise<void>
}
type ComposeOptions = {
  log?: Logger
  /** Registries that run already, to be used in place of our own sandbox. */
  endpoints?: ReadonlyMap<string, Endpoint>
  /** Their control plane, without which this process cannot move the sandbox's time. */
  control?: ControlEndpoint
  /** The control plane of a sandbox's mail server that runs already. */
  mailbox?: ControlEndpoint
  /** Simulated payment services that run already. */
  payments?: SandboxPayments
  /** Resolvers to use if no setting names any: those of the sandbox's registries. */
  resolvers?: readonly string[]
  /** If false, another process runs the jobs. */
  worker?: boolean
  /** Used in place of the Internet, where client metadata documents are. No setting leads here. */
  outbound?: OutboundNetwork
  /** Used in place of a hasher with the usual costs. */
  passwordHasher?: PasswordHasher
  /** Ends a start that is under way, which then rejects with the signal's reason. */
  signal?: AbortSignal
}

/**
 * Starts everything. After a failure, the parts that were started are stopped before it is thrown.
 */
export async function compose(asked: Settings, options: ComposeOptions = {}): Promise<Service> {
  const [metrics, tracing] = await Promise.all([openMetrics(asked), openTracing(asked)])
  const log = openLog(options.log ?? asked, metrics?.alarm)
  const undo = new Undo()
  if (tracing) undo.add(tracing.close)
  const tracer = tracing?.tracer ?? null
  try {
    const service = await start(asked, options, { log, undo, metrics, tracer })
    if (asked.operator_key !== null) return service
    // It is shown once, so it is made after everything that may fail, such as a port in use.
    return { ...service, operator_key: await ensureOperatorKey(service.app) }
  } catch (error) {
    await undo.run(log)
    throw error
  }
}

type Starting = { log: Logger; undo: Undo; metrics: Metrics | null; tracer: Tracer | null }
type Noting = Starting & { notes: string[] }

async function start(
  asked: Settings,
  options: ComposeOptions,
  starting: Starting,
): Promise<Service> {
  const { log, undo, metrics } = starting
  const kept = asked.port === 0 ? await keepPort(asked.host) : null
  if (kept) undo.add(kept.release)
  const settings = kept ? onPort(asked, kept.port) : asked
  const notes: string[] = []
  const folder = openDataFolder(settings)
  undo.add(async () => folder.release())
  const app = await openApp(settings, options, { ...starting, notes })
  // A configured one may be invalid, which ends the start.
  if (settings.operator_key !== null) await ensureOperatorKey(app)
  await syncPrices(app, systemCall(app, 'sync_tld_prices'))
  const dashboard = new DashboardBuild(log)
  undo.add(() => dashboard.close())
  const { server, oauth, drain, close } = await openHttp(app, {
    dashboard,
    metrics,
    outbound: options.outbound,
    releasePort: async () => kept?.release(),
  })
  undo.add(() => oauth.close())
  undo.add(close)
  await startJobs(app, options, undo)
  undo.add(drain)
  const stop = () => undo.run(log)
  return { app, settings, server, dashboard, operator_key: null, notes, warm: oauth.warm, stop }
}

/** Opens the database, the adapters and the zones, which operations and jobs use. */
async function openApp(settings: Settings, options: ComposeOptions, noting: Noting): Promise<App> {
  const { log, undo, metrics, tracer, notes } = noting
  refuseUnreadableFiles(settings)
  const [{ db, inspection }, { places, control, smtp_url, mailbox, payments, resolvers }] =
    await both(
      openStore(settings, { ...noting, signal: options.signal }),
      openOutside(settings, options, noting),
    )
  options.signal?.throwIfAborted()
  const clock = await openSyncedClock({ server_time: () => databaseTime(db), log })
  undo.add(clock.close)
  const meter = metrics?.registries
  const registries = openServiceRegistries(places, { db, log, clock, meter })
  undo.add(() => registries.close())
  const watched = watching(metrics?.outbound, tracer)
  const mailer = openMailer(settings, { smtp_url, log, undo, watched })
  notes.push(...missingSettings(settings, mailer))
  let signed: SignedMessages | null = null
  const dns = await openDns(settings, { db, log, signed: () => signed })
  undo.add(() => dns.close())
  const time = await openTime(settings, { ...noting, db, control, clock })
  const times = { clock, monotonic_ms: monotonicMs, chance: systemChance }
  const paid = { sandbox: payments, clock, db, log, watched }
  const app: App = {
    settings,
    db,
    inspection,
    ...times,
    clock_skew_ms: clock.skew_ms,
    log,
    tracer,
    registries,
    dns: { ...dns, provider: dns.provider && watched('dns', dns.provider) },
    ...openForeignDns(settings, { resolvers, db }),
    identityProviders: openIdentityProviders(settings.sso_providers, { monotonic_ms: monotonicMs }),
    mailer,
    ...(await openPayments(settings, paid)),
    mailbox: mailbox && openSandboxMailbox(mailbox),
    ...openNotifiers(settings, { clock, watched }),
    reached: settings.crash_at === null ? null : crashPoint(settings.crash_at),
    ...time,
    ...openKeys(settings),
    ...openProcessState({ settings, db, log, ...times }),
    ...(options.passwordHasher && { passwordHasher: options.passwordHasher }),
  }
  undo.add(() => app.supportStreams.close())
  signed = openSignedMessages(app, { limits: openLimits(db), account: policiesOf(app).account })
  await openZones(app)
  return app
}

/** Without a worker too, the stop writes the times of last use: after the last request. */
async function startJobs(app: App, { worker }: ComposeOptions, undo: Undo): Promise<void> {
  undo.add(() => writeLastUses(app))
  if (worker === false) return
  const started: Worker = await startWorker(app, jobs, { callOf: systemCall })
  undo.add(() => started.stop())
}

type Mailing = { smtp_url: string | null; log: Logger; undo: Undo; watched: Watch }

function openMailer(settings: Settings, { undo, watched, ...parts }: Mailing): App['mailer'] {
  const opened = openMail(settings, parts)
  const mailer = opened && watched('mail', opened)
  if (mailer) undo.add(() => mailer.close())
  return mailer
}

/** Both run at once. If one fails, the other is waited for, so that its work can be undone. */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return [await a, await b]
}

/** Without any of these the service starts, but something that customers expect is missing. */
function missingSettings({ invoice_seller_name }: Settings, mailer: App['mailer']): string[] {
  const missing = {
    'SMTP_URL is not set: mails wait in the outbox': mailer === null,
    'INVOICE_SELLER_NAME is not set: invoices and receipts name no seller':
      invoice_seller_name === null,
  }
  return Object.entries(missing).flatMap(([words, is]) => (is ? [`WARNING: ${words}`] : []))
}

type Outside = {
  places: Places
  control: SandboxControl | null
  smtp_url: string | null
  mailbox: ControlEndpoint | null
  payments: SandboxPayments | null
  resolvers: readonly string[]
}

async function openOutside(
  settings: Settings,
  options: ComposeOptions,
  { undo, notes }: Noting,
): Promise<Outside> {
  let endpoints: ReadonlyMap<string, Endpoint> = options.endpoints ?? new Map()
  let control_endpoint = options.control
  let resolvers = options.resolvers ?? []
  let { smtp_url } = settings
  let mailbox = options.mailbox ?? null
  let payments = options.payments ?? null
  const own = settings.environment === 'sandbox' && settings.sandbox_registry && !options.endpoints
  if (own) {
    const folder = join(settings.data_dir, 'sandbox-registry')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const mails = smtp_url === null ? sandboxMailbox(settings) : null
    const sandbox = await startSandboxRegistries(folder, { mail: mails, payments: !payments })
    undo.add(() => sandbox.stop())
    endpoints = sandbox.endpoints
    control_endpoint = sandbox.control
    resolvers = sandbox.resolvers
    smtp_url ??= sandbox.smtp_url
    mailbox ??= sandbox.mailbox
    payments ??= sandbox.payments
    if (mails !== null) notes.push(`mails are not sent but kept in ${mails}`)
  }
  const file = loadRegistriesFile(settings.registries_file, settings.variable)
  if (settings.dns_resolvers.length > 0) resolvers = settings.dns_resolvers
  const control = control_endpoint ? openSandboxControl(control_endpoint) : null
  return { places: { file, endpoints }, control, smtp_url, mailbox, payments, resolvers }
}

type Time = Starting & { db: Database; control: SandboxControl | null; clock: SyncedClock }

/** In production the registries' time is the database's, and nothing can move it. */
async function openTime(
  { environment }: Settings,
  { db, control, log, undo, clock }: Time,
): Promise<Pick<App, 'calendar' | 'sandbox'>> {
  if (environment === 'production') return { calendar: clock, sandbox: null }
  const calendar = openCalendar(clock)
  undo.add(await followSandboxClock({ db, log, calendar }, control))
  return { calendar, sandbox: control && { control, calendar } }
}

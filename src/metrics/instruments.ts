// The instruments of one process, in its own registry of prom-client: counters and histograms that
// the service feeds, and gauges that are set when they are read.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Exchange } from '../kit/telemetry.ts'
import { databaseGauges } from './database-gauges.ts'

/** The buckets reach from a cached read to a purchase at a slow registry. */
const request_buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const exchange_buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type Instruments = ReturnType<typeof openInstruments>

/** Makes new instruments. Nothing of prom-client's global registry is used. */
export function openInstruments() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const gauge: NewGauge = (name, help, labelNames = []) =>
    new Gauge({ name, help, labelNames, registers })
  const database = new Map(
    Object.entries(databaseGauges).map(([name, { help, labels }]) => {
      return [name, { gauge: gauge<string>(name, help, labels), labels }] as const
    }),
  )
  return {
    registry,
    database,
    http: new Histogram({
      name: 'agent_registrar_http_request_duration_seconds',
      help: 'Requests over HTTP, by surface and class of their status.',
      labelNames: ['surface', 'status'] as const,
      buckets: request_buckets,
      registers,
    }),
    operations: new Histogram({
      name: 'agent_registrar_operation_duration_seconds',
      help: 'Calls of operations over REST and MCP, by class of their status.',
      labelNames: ['operation', 'surface', 'status'] as const,
      buckets: request_buckets,
      registers,
    }),
    registryCommands: new Counter({
      name: 'agent_registrar_registry_commands_total',
      help: 'Commands to registries: done, accepted (pending), refused or unknown, and why.',
      labelNames: ['registry', 'command', 'result', 'reason'] as const,
      registers,
    }),
    registryDuration: new Histogram({
      name: 'agent_registrar_registry_command_duration_seconds',
      help: 'Commands to registries, with their wait for a session.',
      labelNames: ['registry', 'command'] as const,
      buckets: exchange_buckets,
      registers,
    }),
    outbound: new Histogram({
      name: 'agent_registrar_outbound_duration_seconds',
      help: 'Calls to the payment gateway, card processor, rates, mail and name servers.',
      labelNames: ['peer', 'call', 'result'] as const,
      buckets: exchange_buckets,
      registers,
    }),
    ...processGauges(gauge),
    alarms: new Counter({
      name: 'agent_registrar_alarms_total',
      help: 'Alarms that this node has logged; each has a page in docs/runbooks.',
      labelNames: ['alarm'] as const,
      registers,
    }),
  }
}

type NewGauge = <L extends string>(
  name: string,
  help: string,
  labelNames?: readonly L[],
) => Gauge<L>

/** The gauges of this process and its connections. */
function processGauges(gauge: NewGauge) {
  return {
    outboundSuccess: gauge(
      'agent_registrar_outbound_success_timestamp_seconds',
      'When a call of this system last succeeded from this node.',
      ['peer'],
    ),
    registrySessions: gauge(
      'agent_registrar_registry_sessions',
      'Sessions of this node at a registry, by what they do.',
      ['registry', 'state'],
    ),
    registryBudget: gauge(
      'agent_registrar_registry_sessions_budget',
      'Sessions that the registry allows all nodes together.',
      ['registry'],
    ),
    registryQueue: gauge(
      'agent_registrar_registry_commands_waiting',
      'Commands of this node that wait for a session.',
      ['registry'],
    ),
    registryUp: gauge(
      'agent_registrar_registry_up',
      '0: the last attempt to reach the registry failed.',
      ['registry'],
    ),
    circuitOpen: gauge(
      'agent_registrar_registry_circuit_open',
      '1: this node opens no session for now, after failures.',
      ['registry'],
    ),
    mailUp: gauge(
      'agent_registrar_mail_up',
      '0: the mail server cannot be reached, or none is set.',
    ),
    databaseUp: gauge('agent_registrar_database_up', '0: the database could not be read.'),
    snapshotAge: gauge(
      'agent_registrar_database_snapshot_age_seconds',
      "Age of the gauges that are read from the database. Without them it isn't exported.",
    ),
    pool: gauge(
      'agent_registrar_database_pool_connections',
      'Connections for transactions: in use, and free.',
      ['state'],
    ),
    poolMost: gauge('agent_registrar_database_pool_size', 'Most connections for transactions.'),
    poolWaiting: gauge(
      'agent_registrar_database_pool_waiting',
      'Callers that wait for a connection.',
    ),
    clockSkew: gauge(
      'agent_registrar_clock_skew_seconds',
      "How far this machine's clock is ahead of the database's.",
    ),
    build: gauge('agent_registrar_build_info', 'Always 1.', ['version', 'node', 'environment']),
  }
}

/** A class of status codes, from `2xx` to `5xx`. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`
}

export function countCommand(of: Instruments, exchange: Exchange): void {
  const { peer: registry, call: command, result, reason = '', seconds } = exchange
  of.registryCommands.inc({ registry, command, result, reason })
  of.registryDuration.observe({ registry, command }, seconds)
}

export function countCall(of: Instruments, { peer, call, result, seconds }: Exchange): void {
  of.outbound.observe({ peer, call, result }, seconds)
  if (result === 'done' || result === 'sent') of.outboundSuccess.setToCurrentTime({ peer })
}

// The gauges that are read from the database, as samples: one node reads them for all, and every
// node exports them.

import type { Sql } from '../db/database.ts'
import type { Row } from '../db/statement.ts'
import * as sql from './metrics.sql.ts'

/** Every gauge of the database: its labels, and its description. */
export const databaseGauges = {
  agent_registrar_orders_open: {
    labels: ['state'],
    help: 'Open orders, each with a hold. At most 1000 are counted.',
  },
  agent_registrar_orders_oldest_seconds: {
    labels: ['state'],
    help: 'Age of the oldest open order, and so of its hold.',
  },
  agent_registrar_orders_with_alarm: {
    labels: ['state'],
    help: 'Open orders that need an operator; all parked ones do.',
  },
  agent_registrar_holds_amount: {
    labels: ['currency'],
    help: 'Money that open orders hold, in units of the currency.',
  },
  agent_registrar_payments_parked: {
    labels: ['rail'],
    help: 'Payments, or reversals of payments, that wait for an operator.',
  },
  agent_registrar_tasks_due: {
    labels: ['kind'],
    help: 'Tasks that are due and not worked on. At most 1000 of a queue are counted.',
  },
  agent_registrar_tasks_late_seconds: {
    labels: ['kind'],
    help: 'How late the oldest due task is.',
  },
  agent_registrar_tasks_dead: {
    labels: ['kind'],
    help: 'Tasks that failed within 30 days (dead letters).',
  },
  agent_registrar_job_success_age_seconds: {
    labels: ['job'],
    help: 'Time since the job, which one node runs for all, last succeeded.',
  },
  agent_registrar_job_failures: {
    labels: ['job'],
    help: 'Runs of the job that failed in a row.',
  },
  agent_registrar_jobs_stuck: {
    labels: [],
    help: 'Jobs that each node runs, of which a round has not ended in time on some node.',
  },
  agent_registrar_job_late_seconds: {
    labels: ['job'],
    help: 'Time since the job was due, while no node runs it.',
  },
  agent_registrar_job_interval_seconds: { labels: ['job'], help: 'How often the job is due.' },
  agent_registrar_mails_failed: { labels: [], help: 'Mails that failed within a day.' },
  agent_registrar_audit_head: { labels: [], help: 'Number of the newest sealed audit block.' },
  agent_registrar_audit_head_age_seconds: { labels: [], help: 'Age of the newest audit block.' },
  agent_registrar_audit_unsealed_seconds: {
    labels: [],
    help: 'Age of the oldest audit row that no block seals yet.',
  },
  agent_registrar_audit_alarms: { labels: [], help: 'Active findings about the audit log.' },
  agent_registrar_registry_sessions_leased: {
    labels: ['registry'],
    help: 'EPP sessions of all nodes.',
  },
  agent_registrar_gateway_observation_age_seconds: {
    labels: ['gateway'],
    help: 'Time since the payment gateway was last observed.',
  },
  agent_registrar_worker_nodes: { labels: [], help: 'Nodes whose worker is alive.' },
  agent_registrar_ledger_sound: {
    labels: [],
    help: '1: the newest trial balance is balanced, and agrees with its evidence.',
  },
  agent_registrar_ledger_differences: {
    labels: [],
    help: 'Amounts that differed in the newest trial balance.',
  },
  agent_registrar_ledger_check_age_seconds: {
    labels: [],
    help: 'Time since the newest trial balance ended.',
  },
  agent_registrar_ledger_check_duration_seconds: {
    labels: [],
    help: 'How long the newest trial balance took.',
  },
} as const satisfies Record<string, { labels: readonly string[]; help: string }>

export type DatabaseGauge = keyof typeof databaseGauges
export type Sample = {
  metric: DatabaseGauge
  /** The columns by the names of the gauge's labels. */
  labels: Record<string, string>
  value: number
}

/** The most rows that a count reads. */
const most = 1_000n

/**
 * The current value of all gauges of the database. Each statement is cheap on a database of any
 * size.
 */
export async function readDatabaseGauges(db: Sql): Promise<Sample[]> {
  const [orders, tasks, jobs, payments, state] = await Promise.all([
    db.run(sql.openOrders, { most }).then(orderSamples),
    taskSamples(db),
    jobSamples(db),
    paymentSamples(db),
    stateSamples(db),
  ])
  return [...orders, ...tasks, ...jobs, ...payments, ...state]
}

function sample(
  metric: DatabaseGauge,
  value: number | bigint | null,
  labels: Record<string, string> = {},
): Sample[] {
  return value === null ? [] : [{ metric, labels, value: Number(value) }]
}

function orderSamples(rows: readonly Row<'metrics_open_orders'>[]): Sample[] {
  const held = Map.groupBy(rows, ({ currency }) => currency)
  const sum = (some: typeof rows, of: 'orders' | 'alarms' | 'amount') =>
    some.reduce((all, row) => all + row[of], 0n)
  const states = ['pending', 'accepted', 'unknown', 'parked'] as const
  return [
    ...states.flatMap((state) => {
      const own = rows.filter((row) => row.state === state)
      const oldest = Math.max(0, ...own.map(({ oldest_s }) => oldest_s))
      return [
        ...sample('agent_registrar_orders_open', sum(own, 'orders'), { state }),
        ...sample('agent_registrar_orders_oldest_seconds', oldest, { state }),
        ...sample('agent_registrar_orders_with_alarm', sum(own, 'alarms'), { state }),
      ]
    }),
    ...[...held].flatMap(([currency, some]) =>
      sample('agent_registrar_holds_amount', Number(sum(some, 'amount')) / 100, { currency }),
    ),
  ]
}

async function taskSamples(db: Sql): Promise<Sample[]> {
  const [due, dead] = await Promise.all([
    db.run(sql.dueTasks, { most }),
    db.run(sql.deadTasks, { most }),
  ])
  return [
    ...due.flatMap(({ kind, tasks, late_s }) => [
      ...sample('agent_registrar_tasks_due', tasks, { kind }),
      ...sample('agent_registrar_tasks_late_seconds', late_s, { kind }),
    ]),
    ...dead.flatMap(({ kind, tasks }) => sample('agent_registrar_tasks_dead', tasks, { kind })),
  ]
}

async function jobSamples(db: Sql): Promise<Sample[]> {
  const [shared, failing] = await Promise.all([db.run(sql.jobStates), db.run(sql.failingNodeJobs)])
  const stuck = failing.filter(({ overdue }) => overdue).length
  return [
    ...shared.flatMap(sharedJobSamples),
    ...failing.flatMap(({ name: job, failures }) =>
      sample('agent_registrar_job_failures', failures, { job }),
    ),
    ...sample('agent_registrar_jobs_stuck', stuck),
  ]
}

function sharedJobSamples({ name: job, every_ms, ...row }: Row<'metrics_jobs'>): Sample[] {
  return [
    ...sample('agent_registrar_job_success_age_seconds', row.success_s, { job }),
    ...sample('agent_registrar_job_failures', row.failures, { job }),
    ...sample('agent_registrar_job_late_seconds', row.late_s, { job }),
    ...sample('agent_registrar_job_interval_seconds', every_ms / 1_000, { job }),
  ]
}

async function paymentSamples(db: Sql): Promise<Sample[]> {
  const [parked, gateways] = await Promise.all([
    db.one(sql.parkedPayments, { most }),
    db.run(sql.gatewayObservations),
  ])
  const rails = ['gateway', 'card', 'card_reversals'] as const
  return [
    ...rails.flatMap((rail) => sample('agent_registrar_payments_parked', parked[rail], { rail })),
    ...gateways.flatMap(({ gateway, age_s }) =>
      sample('agent_registrar_gateway_observation_age_seconds', age_s, { gateway }),
    ),
  ]
}

async function stateSamples(db: Sql): Promise<Sample[]> {
  const [mails, audit, sessions, nodes, ledger] = await Promise.all([
    db.one(sql.failedMails, { most }),
    db.one(sql.auditState),
    db.run(sql.registrySessions),
    db.one(sql.liveNodes),
    db.maybe(sql.ledgerCheck),
  ])
  return [
    ...sample('agent_registrar_mails_failed', mails.mails),
    ...sample('agent_registrar_audit_head', audit.head),
    ...sample('agent_registrar_audit_head_age_seconds', audit.head_s),
    ...sample('agent_registrar_audit_unsealed_seconds', audit.unsealed_s ?? 0),
    ...sample('agent_registrar_audit_alarms', audit.alarms),
    ...sessions.flatMap(({ registry, sessions: count }) =>
      sample('agent_registrar_registry_sessions_leased', count, { registry }),
    ),
    ...sample('agent_registrar_worker_nodes', nodes.nodes),
    ...(ledger ? ledgerSamples(ledger) : []),
  ]
}

function ledgerSamples(check: Row<'metrics_ledger_check'>): Sample[] {
  return [
    ...sample('agent_registrar_ledger_sound', check.sound ? 1 : 0),
    ...sample('agent_registrar_ledger_differences', check.differing),
    ...sample('agent_registrar_ledger_check_age_seconds', check.age_s),
    ...sample('agent_registrar_ledger_check_duration_seconds', check.took_s),
  ]
}

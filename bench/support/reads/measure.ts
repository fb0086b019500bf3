// EXPLAIN (ANALYZE, BUFFERS) of every declared statement with its generic plan, which prepared
// statements use. Each runs in a transaction that is rolled back.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { valuesOf } from '../../../src/db/database.ts'
import { Jsonb } from '../../../src/db/postgres/column-types.ts'
import { type Declared, declaredStatements } from '../../../src/db/statement.ts'
import { casesOf, largest, type Middle, type NamedArguments } from './cases/cases.ts'

const source = join(import.meta.dirname, '../../../src')

type Cost = { rows: number; buffers: number; ms: number; plan: PlanNode }
/** A case of a statement on one database: its cost, or why the database refused it. */
export type Measured = {
  statement: string
  text: string
  args: string
  cost: Cost | null
  problem: string
}

type PlanNode = {
  'Node Type': string
  'Parent Relationship'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

// The others (lock table) have no plan and read nothing.
const planned = /^\s*(select|insert|update|delete|merge|with|values)\b/i

export async function allStatements(): Promise<Declared[]> {
  const paths = globSync(['**/*.sql.ts'], { cwd: source }).sort()
  for (const path of paths) await import(join(source, path))
  return declaredStatements().filter(({ text }) => planned.test(text))
}

const literal = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(element).join(',')}}`)
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (value instanceof Jsonb) return pg.escapeLiteral(value.text)
  if (Buffer.isBuffer(value)) return pg.escapeLiteral(`\\x${value.toString('hex')}`)
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
const element = (value: unknown): string => {
  if (value === null) return 'NULL'
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return JSON.stringify(value instanceof Date ? value.toISOString() : String(value))
}

/**
 * One argument of each type that makes a statement read as little as possible: only the account
 * exists.
 */
const samples: Record<string, unknown> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  inet: '192.0.2.1',
  oid: 1259,
  name: 'audit_logs',
  text: largest,
  bigint: 1,
  integer: 100,
  numeric: '1',
  boolean: true,
  'timestamp with time zone': new Date(),
  bytea: Buffer.alloc(32, 1),
  jsonb: {},
  json: {},
  'double precision': 1,
  'text[]': [largest],
  'bytea[]': [Buffer.alloc(32, 1)],
  'bigint[]': [1],
  'integer[]': [1],
  'double precision[]': [1],
  'timestamp with time zone[]': [new Date()],
}

async function middleOf(client: pg.Client): Promise<Middle> {
  const { rows } = await client.query(
    `select a.id as audit_id, a.xid, a.target as domain,
            (select max(id) / 2 from ledger_transfers) as entry_id
       from audit_logs a where a.customer_id = $1 and a.target_type = 'domain'
        and a.id > (select max(id) / 2 from audit_logs) order by a.id limit 1`,
    [largest],
  )
  const [row] = rows
  if (!row) throw new Error('nothing is loaded')
  return { ...row, audit_id: BigInt(row.audit_id), entry_id: BigInt(row.entry_id) }
}

// PostgreSQL reads a table of few pages as a whole, whatever indexes it has.
const few_pages = 32

const buffersOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks']

/** The buffers of InitPlans, which the first scan that compares with one counts as its own. */
function initBuffers(node: PlanNode): number {
  return (node.Plans ?? []).reduce((sum, plan) => {
    const init = plan['Parent Relationship'] === 'InitPlan'
    return sum + (init ? buffersOf(plan) : initBuffers(plan))
  }, 0)
}

function readsFewPages(node: PlanNode, most: number): boolean {
  return node['Node Type'] === 'Seq Scan' && buffersOf(node) / node['Actual Loops'] <= most
}

function rowsRead(node: PlanNode, most = few_pages + initBuffers(node)): number {
  if (readsFewPages(node, most)) return 0
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan, most), 0)
  const named = node['Relation Name'] ?? node['Index Name']
  const scans = named !== undefined && node['Node Type'] !== 'ModifyTable'
  const removed =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0)
  return below + ((scans ? node['Actual Rows'] : 0) + removed) * node['Actual Loops']
}

async function explain(client: pg.Client, call: string): Promise<Cost> {
  await client.query('begin')
  try {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${call}`)
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return { rows: rowsRead(plan), buffers, ms, plan }
  } finally {
    await client.query('rollback')
  }
}

type Outcome = Pick<Measured, 'args' | 'cost' | 'problem'>

async function measureOne(client: pg.Client, call: string): Promise<Outcome> {
  const args = call.slice(call.indexOf('('))
  try {
    // The first run fills caches of the catalog, and of the plans inside functions.
    await explain(client, call)
    return { args, cost: await explain(client, call), problem: '' }
  } catch (error) {
    return { args, cost: null, problem: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * A call for each case of a statement, or one with arguments of its types if no cases are given.
 */
async function callsOf(client: pg.Client, declared: Declared, given?: readonly NamedArguments[]) {
  const { name, text } = declared
  await client.query(`prepare ${name} as ${text}`)
  const { rows } = await client.query<{ types: string[] }>(
    `select array(select format_type(t, null) from unnest(parameter_types) t) as types
       from pg_prepared_statements where name = $1`,
    [name],
  )
  const sample = (rows[0]?.types ?? []).map((type) => {
    if (type in samples) return samples[type]
    throw new Error(`measure.ts has no sample of the type ${type}, which ${name} takes`)
  })
  const calls = given?.map((args) => valuesOf(declared, args)) ?? [sample]
  return calls.map((args) => {
    return args.length === 0
      ? `execute ${name}`
      : `execute ${name}(${args.map(literal).join(', ')})`
  })
}

/** Runs every statement on a loaded database. */
export async function measure(client: pg.Client, only?: RegExp): Promise<Measured[]> {
  await client.query(
    `set plan_cache_mode = force_generic_plan; set jit = off; set statement_timeout = '120s'`,
  )
  const cases = casesOf(await middleOf(client))
  const measured: Measured[] = []
  for (const declared of await allStatements()) {
    if (only && !only.test(declared.name)) continue
    for (const call of await callsOf(client, declared, cases.get(declared.name)))
      measured.push({
        statement: declared.name,
        text: declared.text,
        ...(await measureOne(client, call)),
      })
  }
  return measured
}

// Source files that a request executes: a purchase, an MCP tool call and a code redemption. It
// reports them all; a number of files is no aim, since merging files would reach it.
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { compose } from '../src/compose.ts'
import { readSettings } from '../src/config/config.ts'
import { openBrowser } from '../test/support/browser.ts'
import { type Bench, runBench } from './support/bench.ts'
import { authorize, loginOf, redeem, serverAt } from './support/connect-flow.ts'
import { type Coverage, openCoverage } from './support/coverage.ts'
import { type BenchCustomer, makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { operatorKey } from './support/programs.ts'
import { say } from './support/report.ts'

/**
 * Each request is warmed up and then measured this many times, because background work is not in
 * all of them.
 */
const times = 5
/**
 * Leaves time for the work after an answer: the log line, and a batch that looks for the next one.
 */
const rest_ms = 100

type Request = { name: string; prepare: () => Promise<() => Promise<void>> }

/** The whole service in this process, as `npm start` runs it, but without its jobs and its log. */
async function startInProcess(bench: Bench, database_url: string): Promise<string> {
  const settings = readSettings({
    PORT: '0',
    DNS_PORT: '0',
    DATA_DIR: `${bench.folder}/service`,
    DATABASE_URL: database_url,
    OPERATOR_KEY: operatorKey,
  })
  const log = pino({ level: 'info' }, { write: () => undefined })
  const service = await compose(settings, { log, worker: false })
  bench.atEnd(() => service.stop())
  await service.warm()
  return service.settings.base_url
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return text
}

function purchaseAt(url: string, { key }: BenchCustomer): Request {
  let number = 0
  return {
    name: 'POST /v1/domains, paid, with an Idempotency-Key',
    prepare: async () => {
      number += 1
      const domain = `entered-files-${number}.com`
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': domain }
      return async () => {
        const text = await post(`${url}/v1/domains`, headers, { domain, max_price: '50.00' })
        if (!text.includes('"status":"active"')) throw new Error(text)
      }
    },
  }
}

function toolCallAt(url: string, { key }: BenchCustomer): Request {
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  }
  const params = { name: 'get_account', arguments: {} }
  return {
    name: 'POST /mcp, tools/call get_account with an API key',
    prepare: async () => async () => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const text = await post(`${url}/mcp`, headers, body)
      if (!text.includes('"structuredContent"')) throw new Error(text)
    },
  }
}

function redemptionAt(url: string, login: Awaited<ReturnType<typeof loginOf>>): Request {
  const server = serverAt(url, login, 'account:read domains:read')
  return {
    name: 'POST /oauth/token, redemption of a code',
    prepare: async () => {
      const authorized = await authorize(server, openBrowser(url))
      return async () => void (await redeem(server, authorized))
    },
  }
}

async function measure(coverage: Coverage, { prepare }: Request): Promise<string[]> {
  for (let i = 0; i < 3; i += 1) await (await prepare())()
  const runs: Set<string>[] = []
  for (let i = 0; i < times; i += 1) {
    const request = await prepare()
    await sleep(rest_ms)
    runs.push(
      await coverage.entered(async () => {
        await request()
        await sleep(rest_ms)
      }),
    )
  }
  const [first = new Set<string>(), ...others] = runs
  return [...first].filter((file) => others.every((one) => one.has(file))).sort()
}

await runBench(async (bench) => {
  const coverage = await openCoverage()
  const db = await startDatabase(bench)
  const url = await startInProcess(bench, db.url)
  const [customer] = await makeCustomers(url, { count: 1, cents: 10_000_000 })
  if (!customer) throw new Error('No customer was made')
  const login = await loginOf(db, customer)
  const requests = [purchaseAt(url, customer), toolCallAt(url, customer), redemptionAt(url, login)]
  for (const request of requests) {
    const files = await measure(coverage, request)
    say(`${request.name}: ${files.length} files`)
    for (const file of files) say(`  ${file}`)
    say()
  }
  coverage.close()
})

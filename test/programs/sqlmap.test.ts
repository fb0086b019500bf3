// sqlmap against the parameters of the customer tool: two by default, all of them by
// bin/sqlmap --level 3. It must find nothing there, and the hole of a server that has one.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { customerToolKey } from '../support/node.ts'
import { startService } from '../support/service.ts'

const missing = spawnSync('sqlmap', ['--version']).status !== 0
const skip =
  missing && process.env.CI !== 'true' ? 'sqlmap is not installed (Debian: sqlmap).' : false
/** Two parameters, and the search that has a hole. */
const isSample = process.env.SQLMAP_LEVEL === undefined
const level = process.env.SQLMAP_LEVEL ?? '1'
const risk = process.env.SQLMAP_RISK ?? '1'
/** A level has thousands of requests for each parameter. */
const timeout = level === '1' ? 240_000 : 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-sqlmap-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Attacks the parameters of a URL; `*` marks one in the path. Returns its output. */
async function attack(url: string, { parameters = '', most = level } = {}): Promise<string> {
  const child = spawn(
    'sqlmap',
    [
      ...['-u', url, '--batch', '--flush-session', '--disable-coloring', '--threads=4'],
      ...['--dbms=PostgreSQL', `--level=${most}`, `--risk=${risk}`, `--output-dir=${folder}`],
      ...['--headers', `X-Customer-Tool-Key: ${customerToolKey}`],
      ...(parameters === '' ? [] : ['-p', parameters]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } },
  )
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return output
}

const nothing = 'all tested parameters do not appear to be injectable'
const something = 'identified the following injection point'

describe('sqlmap', { skip }, async () => {
  const registrar = await startService({ worker: false })
  const { id } = await registrar.customer()
  const at = `${registrar.url}/v1/customer-tool`
  const of = `${at}/database/tables`

  const sample: readonly [url: string, parameters?: string][] = [
    [`${at}/customers?q=example`, 'q'],
    [`${of}/customers/rows?order_by=created_at`, 'order_by'],
  ]
  const all: typeof sample = [
    [
      `${at}/customers?q=example&email=ada@example.net&status=active&limit=5&offset=0`,
      'q,email,status,limit,offset',
    ],
    [`${at}/customers/${id}*`],
    [`${of}?schema=public`, 'schema'],
    [`${of}/customers*`],
    [`${of}/customers?schema=public`, 'schema'],
    [`${of}/customers*/rows`],
    [
      `${of}/customers/rows?schema=public&limit=5&offset=0&order_by=created_at`,
      'schema,limit,offset,order_by',
    ],
  ]
  for (const [url, parameters] of isSample ? sample : all)
    test(`finds nothing in ${url.slice(at.length)}`, { timeout }, async (t) => {
      const before = registrar.logs.length
      const output = await attack(url, { ...(parameters && { parameters }) })
      const requests = registrar.logs.slice(before).map((line) => JSON.parse(line))
      t.diagnostic(`level ${level}, risk ${risk}: ${requests.length} requests`)
      assert.ok(output.includes(nothing) && !output.includes(something), output.slice(-3_000))
      assert.ok(requests.length > 20, `${requests.length} requests`)
      const failed = requests.filter(({ status }) => status >= 500)
      assert.deepEqual(failed, [])
    })

  test('finds the hole of a server that puts a parameter into its query', { timeout }, async () => {
    const { database_url } = registrar.service.settings
    const client = new pg.Client({ connectionString: database_url ?? '' })
    await client.connect()
    const server = createServer((request, response) => {
      const q = new URL(request.url ?? '', 'http://a.example').searchParams.get('q')
      client.query(`select name from customers where id = '${q}'`).then(
        ({ rows }) => response.end(JSON.stringify(rows)),
        (error) => response.writeHead(500).end(String(error)),
      )
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const output = await attack(`http://127.0.0.1:${port}/?q=${id}`, { parameters: 'q', most: '1' })
    assert.ok(output.includes(something), output.slice(-3_000))
    server.close()
    await client.end()
  })
})

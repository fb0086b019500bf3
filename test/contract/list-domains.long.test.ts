// GET /v1/domains of many names: every page and the whole list have the same names in byte order,
// whatever the collation of the database, and no turn of the event loop makes all of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopes } from '../../src/app.ts'
import { holdingsOf } from '../../src/capabilities/domains/holdings/holdings.sql.ts'
import { valuesOf } from '../../src/db/database.ts'
import { byText, encodeCursor } from '../../src/lists/cursor.ts'
import { newDatabase } from '../support/database.ts'
import { copyHolding, rowsIn } from '../support/owner-sql.ts'
import { startService, type TestCustomer, type TestService } from '../support/service.ts'
import { fresh, must } from './support/fixture.ts'

async function holder(registrar: TestService): Promise<{ customer: TestCustomer; first: string }> {
  const customer = await registrar.customer({ scopes: [...scopes], funds_cents: 10_000_000 })
  const first = `${fresh('mm')}.com`
  await must(
    registrar.request('POST', '/v1/domains', { token: customer.key, body: { domain: first } }),
  )
  return { customer, first }
}

const inBytes = (names: readonly string[]) => names.toSorted((a, b) => (a < b ? -1 : 1))
type Entry = { domain: string }

const count = 20_000
const registrar = await startService({ worker: false })
const { customer, first } = await holder(registrar)
const token = customer.key
const others = Array.from({ length: count - 1 }, (_, i) => `n${(i * 7_919) % 99_991}-x.com`)
await copyHolding(registrar, first, others)
const names = inBytes([first, ...others])

describe('on a database whose collation is not byte order', () => {
  test('pages of every limit have each name once, in byte order', async () => {
    const database_url = await newDatabase('template0', { icu_locale: 'da-DK' })
    const danish = await startService({ database_url })
    const { customer, first } = await holder(danish)
    const others = ['aa', 'ab', 'a-b', 'ab-c', 'abc', 'z', '1a', '10', '9', 'xn--bcher-kva', 'o-e']
    await copyHolding(
      danish,
      first,
      others.map((label) => `${label}.com`),
    )
    // A purchase that is under way is between the holdings.
    const slow = { name: 'drop_after', domain: 'aaa-ordered.com' }
    await must(
      danish.request('POST', '/v1/sandbox/faults', { token: danish.operatorKey, body: slow }),
    )
    const token = customer.key
    const bought = await danish.request('POST', '/v1/domains', {
      token,
      body: { domain: slow.domain },
    })
    assert.equal(bought.status, 200, bought.text)
    const [collation] = await rowsIn(danish)(
      `select array(select n from unnest($1::text[]) n order by n) as names`,
      [['aa.com', 'z.com']],
    )
    assert.deepEqual(collation.names, ['z.com', 'aa.com'], 'the collation is that of Danish')

    const names = inBytes([first, slow.domain, ...others.map((label) => `${label}.com`)])
    const whole = await must(danish.request('GET', '/v1/domains', { token }))
    assert.deepEqual(
      whole.body.domains.map(({ domain }: Entry) => domain),
      names,
    )
    for (let limit = 1; limit <= names.length + 1; limit += 1) {
      const seen: string[] = []
      for (let cursor = ''; ; ) {
        const { body } = await must(
          danish.request('GET', `/v1/domains?limit=${limit}${cursor}`, { token }),
        )
        seen.push(...body.domains.map(({ domain }: Entry) => domain))
        if (body.next_cursor === null) break
        cursor = `&cursor=${body.next_cursor}`
      }
      assert.deepEqual(seen, names, `limit ${limit}`)
    }
  })
})

/**
 * The longest CPU time of a turn of the event loop meanwhile, with at most a millisecond of others.
 * A busy machine makes none longer.
 */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let running = true
  let longest_ms = 0
  const watch = async () => {
    for (let last = process.threadCpuUsage(); running; ) {
      await sleep(1)
      const now = process.threadCpuUsage()
      const took_ms = (now.user + now.system - last.user - last.system) / 1_000
      longest_ms = Math.max(longest_ms, took_ms)
      last = now
    }
  }
  const watching = watch()
  await work().finally(() => {
    running = false
  })
  await watching
  return longest_ms
}

describe('a customer with 20,000 names', () => {
  test('gets all of them without a limit, once, in the contract’s shape', async () => {
    const page = await must(registrar.request('GET', '/v1/domains?limit=2', { token }))
    const { body, headers } = await must(registrar.request('GET', '/v1/domains', { token }))
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(Object.keys(body), ['domains', 'next_cursor'])
    assert.equal(body.next_cursor, null)
    assert.deepEqual(
      body.domains.map(({ domain }: Entry) => domain),
      names,
    )
    assert.deepEqual(body.domains.slice(0, 2), page.body.domains)
    const cursor = encodeCursor('list_domains', byText, names[count - 3] ?? '')
    const after = `/v1/domains?cursor=${cursor}`
    const last = await must(registrar.request('GET', after, { token }))
    assert.deepEqual(
      last.body.domains.map(({ domain }: Entry) => domain),
      names.slice(-2),
    )
  })

  test('has each page read from an index, in its order', async () => {
    const rows = rowsIn(registrar)
    await rows('analyze domains')
    const asked = { customer_id: customer.id, after: names[count / 2], visible: null, limit: 501 }
    const lines = await rows(`explain ${holdingsOf.text}`, valuesOf(holdingsOf, asked))
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
    assert.match(plan, /Index Scan using domains_by_name_of_customer/)
    assert.doesNotMatch(plan, /Sort/)
  })

  test('holds up no other request: each turn of the event loop is short', async (t) => {
    let bytes = 0
    const longest_ms = await longestTurn(async () => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${registrar.url}/v1/domains`, { headers })
      assert.equal(answer.status, 200)
      for await (const chunk of answer.body ?? []) bytes += chunk.length
    })
    assert.ok(bytes > count * 400, `${bytes} bytes`)
    t.diagnostic(`the longest turn took ${longest_ms} ms of CPU time`)
    assert.ok(longest_ms < 100, `a turn took ${longest_ms} ms of CPU time`)
  })

  test('is read no further when it hangs up', async () => {
    const controller = new AbortController()
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${registrar.url}/v1/domains`, {
      headers,
      signal: controller.signal,
    })
    const reader = answer.body?.getReader()
    await reader?.read()
    controller.abort()
    const next = await must(registrar.request('GET', '/v1/domains?limit=1', { token }))
    assert.equal(next.body.domains.length, 1)
    const head = await registrar.request('HEAD', '/v1/domains', { token })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  test('gets the same over MCP', async () => {
    const params = { name: 'list_domains', arguments: {} }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const answer = await must(registrar.request('POST', '/mcp', { token, body }))
    const { domains, next_cursor } = answer.body.result.structuredContent
    assert.equal(next_cursor, null)
    assert.deepEqual(
      domains.map(({ domain }: Entry) => domain),
      names,
    )
  })
})

// Traces of a running service, as an OTLP receiver gets them: one purchase is one trace from HTTP
// to the EPP command, a batch links its callers, later work links to its cause, no span contains a
// secret, and a collector that is away delays nothing.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { rowsIn } from '../../test/support/owner-sql.ts'
import { startService } from '../../test/support/service.ts'
import { type CollectedSpan, openCollector } from './collector.fixture.ts'

const collector = await openCollector()
const registrar = await startService({
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=abc%3D,tenant=a',
  },
})
after(() => collector.close())
const rows = rowsIn(registrar)

/** Waits for the exporter's next batches until one has it. */
async function until<T>(find: () => T | undefined | false, ms = 15_000): Promise<T> {
  const end = performance.now() + ms
  for (;;) {
    const found = find()
    if (found) return found
    if (performance.now() > end) throw new Error(`No such span among ${collector.spans.length}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

const newTraceparent = () => {
  const [trace, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { trace, parent, traceparent: `00-${trace}-${parent}-01` }
}
const attributesOf = (span: CollectedSpan) =>
  new Map(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
const ofTrace = (trace: string) => collector.spans.filter(({ traceId }) => traceId === trace)

/** All spans of a trace, once its server span, which ends last, has arrived. */
async function traceOf(trace: string): Promise<CollectedSpan[]> {
  await until(() => ofTrace(trace).some(({ kind, name }) => kind === 2 && name.includes('/')))
  return ofTrace(trace)
}

function ancestorsOf(span: CollectedSpan, spans: readonly CollectedSpan[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent ? [parent.name, ...ancestorsOf(parent, spans)] : []
}

const one = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const found = spans.filter((span) => span.name === name)
  assert.equal(found.length, 1, `${name}: ${spans.map((span) => span.name).join(', ')}`)
  const [only] = found
  assert.ok(only)
  return only
}

async function buy(domain: string, key: string, traceparent: string) {
  const answer = await registrar.request('POST', '/v1/domains', {
    token: key,
    headers: { traceparent },
    body: { domain },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

describe('a purchase', () => {
  test('is one trace from the caller through HTTP and SQL to the EPP command', async () => {
    const { key } = await registrar.customer()
    const { trace, parent, traceparent } = newTraceparent()
    await buy('traced-purchase.com', key, traceparent)
    const spans = await traceOf(trace)
    const server = one(spans, 'POST /v1/domains')
    assert.equal(server.parentSpanId, parent)
    const attributes = attributesOf(server)
    assert.equal(attributes.get('http.request.method'), 'POST')
    assert.equal(attributes.get('http.route'), '/v1/domains')
    assert.equal(Number(attributes.get('http.response.status_code')), 200)
    const create = one(spans, 'domain create')
    assert.equal(create.kind, 3)
    assert.deepEqual(ancestorsOf(create, spans), [
      'sendCommand',
      'register_domain',
      'POST /v1/domains',
    ])
    assert.equal(attributesOf(create).get('agent_registrar.registry'), 'thin')
    assert.equal(attributesOf(create).get('agent_registrar.outcome'), 'done')
    for (const [statement, ancestors] of [
      ['orders_place', ['place batch', 'placeOrder', 'register_domain', 'POST /v1/domains']],
      ['orders_settle', ['settle batch', 'settleOrder', 'register_domain', 'POST /v1/domains']],
    ] as const) {
      const span = one(spans, statement)
      assert.deepEqual(ancestorsOf(span, spans), ancestors)
      assert.equal(attributesOf(span).get('db.system.name'), 'postgresql')
      assert.equal(attributesOf(span).get('db.query.summary'), statement)
    }
    for (const span of spans)
      assert.ok(
        span === server || ancestorsOf(span, spans).at(-1) === 'POST /v1/domains',
        `${span.name} is an orphan`,
      )
    assert.equal(collector.resource.get('service.name'), 'agent-registrar')
  })

  test('over MCP is a trace with its tool in it', async () => {
    const { key } = await registrar.customer()
    const { trace, traceparent } = newTraceparent()
    const { status } = await registrar.request('POST', '/mcp', {
      token: key,
      headers: { traceparent, accept: 'application/json, text/event-stream' },
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'register_domain', arguments: { domain: 'traced-over-mcp.com' } },
      },
    })
    assert.equal(status, 200)
    const spans = await traceOf(trace)
    const create = one(spans, 'domain create')
    assert.deepEqual(ancestorsOf(create, spans).slice(-2), ['register_domain', 'POST /mcp'])
  })
})

describe('a purchase in a group commit', () => {
  test('links to the batch, and the batch to it', async () => {
    const customers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => registrar.customer()))
    const round = async (number: number) => {
      const callers = customers.map(({ key }) => ({ key, ...newTraceparent() }))
      await Promise.all(
        callers.map(({ key, traceparent }, i) =>
          buy(`batched-${number}-${i}-trace.com`, key, traceparent),
        ),
      )
      const all = (await Promise.all(callers.map(({ trace }) => traceOf(trace)))).flat()
      const batches = all.filter(({ name }) => name === 'place batch')
      const isShared = batches.some(({ links }) => (links ?? []).length > 0)
      return { callers, all, batches, isShared }
    }
    // On a busy machine, all six may come one after the other.
    let found = await round(0)
    for (let number = 1; !found.isShared && number < 8; number += 1) found = await round(number)
    const { callers, all, batches, isShared } = found
    assert.ok(isShared, `${batches.length} batches of one order each`)
    for (const { trace } of callers) {
      const own = ofTrace(trace)
      const placing = one(own, 'placeOrder')
      const inside = own.find(({ parentSpanId, name }) => {
        return name === 'place batch' && parentSpanId === placing.spanId
      })
      if (inside) continue
      const [link] = placing.links ?? []
      const batch = batches.find(({ spanId }) => spanId === link?.spanId)
      assert.ok(batch, 'neither a batch of its own nor a link to one')
      const back = batch.links?.map(({ spanId }) => spanId) ?? []
      assert.ok(back.includes(placing.spanId))
      assert.ok(
        all.some(({ name, parentSpanId }) => {
          return name === 'orders_place' && parentSpanId === batch.spanId
        }),
      )
    }
  })
})

describe('work that continues later', () => {
  test('on an order without an answer is a trace with a link to the purchase', async () => {
    const { key } = await registrar.customer()
    const { trace, traceparent } = newTraceparent()
    const domain = 'settled-later-trace.com'
    registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain })
    const answer = await registrar.request('POST', '/v1/domains', {
      token: key,
      headers: { traceparent },
      body: { domain },
    })
    assert.equal(answer.body.status, 'pending', answer.text)
    const spans = await traceOf(trace)
    const placing = one(spans, 'placeOrder')
    const settle = await until(() =>
      collector.spans.find(
        (span) => span.name === 'settle order' && span.links?.[0]?.traceId === trace,
      ),
    )
    assert.notEqual(settle.traceId, trace)
    assert.equal(settle.kind, 5)
    assert.equal(settle.links?.[0]?.spanId, placing.spanId)
    const failed = one(spans, 'domain create')
    assert.equal(failed.status.code, 2)
    assert.equal(attributesOf(failed).get('error.type'), 'silence')
  })

  test('as a task that a trigger has enqueued is a trace with a link', async () => {
    const { id } = await registrar.customer({ funds_cents: 0, contact: false })
    const { trace, traceparent } = newTraceparent()
    const mailed = await registrar.request('POST', `/v1/customers/${id}/password-setup`, {
      token: registrar.operatorKey,
      headers: { traceparent },
      body: {},
    })
    assert.ok(mailed.status < 300, mailed.text)
    const task = await until(() =>
      collector.spans.find(
        ({ name, links }) => name === 'task send_mail' && links?.[0]?.traceId === trace,
      ),
    )
    assert.notEqual(task.traceId, trace)
    const inside = await until(() => {
      const own = ofTrace(task.traceId).map(({ name }) => name)
      return own.includes('mail send') && own
    })
    assert.ok(inside.includes('mails_mark_sent'))
  })
})

describe('a span', () => {
  test('has no secret, address, name or parameter', async () => {
    const { key, email, id } = await registrar.customer()
    const { trace, traceparent } = newTraceparent()
    const domain = 'secret-of-a-span.com'
    await buy(domain, key, traceparent)
    const code = await registrar.request('GET', `/v1/domains/${domain}/auth-code`, {
      token: key,
      headers: { traceparent },
    })
    await traceOf(trace)
    await until(() => ofTrace(trace).filter(({ kind }) => kind === 2).length === 2)
    const text = collector.bodies.join('\n')
    const [order] = await rows('select id, fingerprints from orders where domain = $1', [domain])
    const secrets = [domain, key, email, id, 'example.net', 'Bearer', ...order.fingerprints]
    const auth_code: unknown = code.body.auth_code
    if (typeof auth_code === 'string') secrets.push(auth_code)
    for (const secret of secrets) assert.ok(!text.includes(secret), secret)
    assert.ok(!/select |insert |update /i.test(text), 'SQL')
  })

  test('and the log lead to each other', async () => {
    const { trace, traceparent } = newTraceparent()
    const { headers } = await registrar.request('GET', '/v1/health', { headers: { traceparent } })
    const request_id = headers.get('x-request-id')
    const [server] = (await traceOf(trace)).filter(({ kind }) => kind === 2)
    assert.ok(server)
    assert.equal(attributesOf(server).get('agent_registrar.request_id'), request_id)
    const line = registrar.logs
      .map((text) => JSON.parse(text))
      .find((one) => one.request_id === request_id)
    assert.equal(line?.trace_id, trace)
  })

  test('is sent with the header fields of the settings, to /v1/traces', () => {
    const [first] = collector.headers
    assert.equal(first?.url, '/v1/traces')
    assert.equal(first?.['api-key'], 'abc=')
    assert.equal(first?.tenant, 'a')
  })
})

describe('a traceparent', () => {
  test('that is malformed counts as none', async () => {
    for (const wrong of [
      '',
      'x',
      `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
      `ff-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
      `00-${'G'.repeat(32)}-${'1'.repeat(16)}-01`,
    ]) {
      const { status } = await registrar.request('GET', '/v1/health', {
        headers: { traceparent: wrong },
      })
      assert.equal(status, 200, wrong)
    }
    assert.equal(ofTrace('0'.repeat(32)).length + ofTrace('1'.repeat(32)).length, 0)
  })

  test('of a caller that records nothing is respected', async () => {
    const { trace, parent } = newTraceparent()
    const traceparent = `00-${trace}-${parent}-00`
    await registrar.request('GET', '/v1/health', { headers: { traceparent } })
    const later = newTraceparent()
    await registrar.request('GET', '/v1/health', { headers: { traceparent: later.traceparent } })
    await traceOf(later.trace)
    assert.equal(ofTrace(trace).length, 0)
  })
})

// The exporter: a collector that is away delays nothing, one that answers gets everything by the
// stop, and its settings are read.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startService } from '../../test/support/service.ts'
import { readSettings, SettingError } from '../config/config.ts'
import { openCollector } from './collector.fixture.ts'

describe('a collector', () => {
  for (const [words, url] of [
    ['that refuses connections', 'http://127.0.0.1:1'],
    ['that never answers', null],
  ] as const)
    test(`${words} costs no request, and a stop is not held up`, async () => {
      const silent = await openCollector({ answers: false })
      const other = await startService({
        worker: false,
        settings: { OTEL_EXPORTER_OTLP_ENDPOINT: url ?? silent.url },
      })
      const { key } = await other.customer()
      for (let i = 0; i < 20; i += 1) {
        const { status } = await other.request('GET', '/v1/account', { token: key })
        assert.equal(status, 200)
      }
      const began = performance.now()
      await other.service.stop()
      const took_ms = performance.now() - began
      assert.ok(took_ms < 6_000, `${took_ms} ms`)
      await silent.close()
    })

  test('gets what is left when the service stops', async () => {
    const last = await openCollector()
    const other = await startService({
      worker: false,
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: last.url },
    })
    await other.request('GET', '/v1/health')
    await other.service.stop()
    assert.ok(last.spans.some(({ name }) => name === 'GET /v1/health'))
    await last.close()
  })
})

test('OTEL_EXPORTER_OTLP_HEADERS is read, and a wrong one is refused without its value', () => {
  const settings = readSettings({ OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b-c=x%20y' })
  assert.deepEqual(settings.otlp_headers, { a: '1', 'b-c': 'x y' })
  for (const wrong of ['secret', '=secret', 'a b=secret', 'a=secret%', 'a=secret%0a'])
    assert.throws(
      () => readSettings({ OTEL_EXPORTER_OTLP_HEADERS: wrong }),
      (error) => error instanceof SettingError && !error.message.includes('secret'),
      wrong,
    )
})

// The sender against a push service on a socket: its message, its token, and each answer.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startPushService } from '../../../sandbox/push/index.ts'
import { systemClock } from '../../kit/clock.ts'
import { openWebPush } from './web-push.ts'

const service = await startPushService()
after(() => service.close())
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const sender = { private_key: newKey(), subject: 'mailto:push@example.net', allows_loopback: true }
const webPush = openWebPush(sender, { clock: systemClock, limit_ms: 1_500 })
const message = { text: '{"title":"Approve"}', ttl_s: 600.7, topic: 'apr_1' }

async function subscribed() {
  const browser = await service.subscribe(webPush.public_key)
  const { endpoint, keys } = browser.subscription
  return { browser, to: { endpoint, ...keys } }
}

describe('a message', () => {
  it('reaches its browser, with TTL, topic, urgency and a token that is verified', async () => {
    const { browser, to } = await subscribed()
    assert.deepEqual(await webPush.send(to, message), { kind: 'sent' })
    const [{ bytes, ...came } = { bytes: 0 }] = browser.messages
    const { text, topic } = message
    assert.deepEqual(came, { text, topic, ttl_s: 600, urgency: 'normal' })
    assert.ok(bytes > 1_024 && bytes <= 4_096)
    assert.deepEqual(service.problems, [])
  })

  it('takes the place of an older one with its topic, and is never kept for less than 0 s', async () => {
    const { browser, to } = await subscribed()
    await webPush.send(to, message)
    await webPush.send(to, { ...message, text: 'newer', ttl_s: -5 })
    assert.deepEqual(
      browser.messages.map(({ text, ttl_s }) => [text, ttl_s]),
      [['newer', 0]],
    )
  })

  it('by another key than that of the subscription is refused', async () => {
    const { browser, to } = await subscribed()
    const other = openWebPush({ ...sender, private_key: newKey() }, { clock: systemClock })
    const refused = { kind: 'refused', reason: 'It answered 403.' }
    assert.deepEqual(await other.send(to, message), refused)
    assert.deepEqual([browser.messages, service.problems.pop()], [[], 'another key'])
  })
})

describe('an answer', () => {
  it('says that the subscription is gone, that the message is refused, or to try later', async () => {
    const { browser, to } = await subscribed()
    const later = (status: number, retry_after_ms = 0) => {
      return { kind: 'later', reason: `It answered ${status}.`, retry_after_ms }
    }
    const refused = (status: number) => ({ kind: 'refused', reason: `It answered ${status}.` })
    const answers: [number, object, string?][] = [
      [200, { kind: 'sent' }],
      [202, { kind: 'sent' }],
      [404, { kind: 'gone' }],
      [410, { kind: 'gone' }],
      ...[302, 400, 401, 403, 413].map((status): [number, object] => [status, refused(status)]),
      ...[408, 429, 500, 503].map((status): [number, object] => [status, later(status)]),
      [429, later(429, 120_000), '120'],
      [503, later(503, 86_400_000), '999999'],
      [503, later(503), 'soon'],
      [429, later(429), 'Mon, 01 Jan 2024 00:00:00 GMT'],
    ]
    for (const [status, outcome, retry_after] of answers) {
      browser.fault({ status, ...(retry_after !== undefined && { retry_after }) })
      assert.deepEqual(await webPush.send(to, message), outcome, `${status} ${retry_after}`)
    }
    const at = new Date(Date.now() + 60_000).toUTCString()
    browser.fault({ status: 503, retry_after: at })
    const pushed = await webPush.send(to, message)
    assert.ok(pushed.kind === 'later' && pushed.retry_after_ms > 57_000, JSON.stringify(pushed))
    assert.ok(pushed.retry_after_ms <= 60_000)
  })

  it('that does not come is to be tried later, and no reason has the endpoint', async () => {
    const { browser, to } = await subscribed()
    browser.fault({ silent: true })
    const silent = await webPush.send(to, message)
    browser.fault({ drop: true })
    const dropped = await webPush.send(to, message)
    const reasons = [silent, dropped].map((one) => (one.kind === 'later' ? one.reason : one.kind))
    assert.deepEqual(reasons, ['No response within 1.5 s.', 'The connection failed.'])
    const guarded = openWebPush({ ...sender, allows_loopback: false }, { clock: systemClock })
    const requests = browser.requests
    const inside = await guarded.send(to, message)
    const reason = 'The host has no public address.'
    assert.deepEqual(inside, { kind: 'later', reason, retry_after_ms: 0 })
    assert.equal(browser.requests, requests, 'nothing was sent')
  })
})

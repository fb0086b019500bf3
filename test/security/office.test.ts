// An office behind one address, with the default rate limits: fifty people connect an app and log
// in within a minute, and a rate-limited browser gets a page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideIn, openBrowser } from '../support/browser.ts'
import { startService, type TestService } from '../support/service.ts'
import { givePassword, ownersPassword } from '../support/sign-in.ts'

const asDelivered = {
  REQUESTS_PER_MINUTE: '1200',
  ANONYMOUS_REQUESTS_PER_MINUTE: '120',
  ADDRESS_REQUESTS_PER_MINUTE: '6000',
  CLIENT_REGISTRATIONS_PER_HOUR: '120',
}
const registrar = await startService({ settings: asDelivered, worker: false })
const redirect_uri = 'http://127.0.0.1/callback'

async function colleague(number: number) {
  const email = `colleague-${number}@office.example`
  const body = { email, name: `Colleague ${number}` }
  const made = await registrar.request('POST', '/v1/customers', {
    token: registrar.operatorKey,
    body,
  })
  assert.equal(made.status, 201, made.text)
  await givePassword(registrar, { id: made.body.id, email })
  return { email, password: ownersPassword }
}

function authorizeUrl({ url }: TestService, client_id: string): URL {
  const fields = {
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }
  return new URL(`/oauth/authorize?${new URLSearchParams(fields)}`, url)
}

async function register({ request }: TestService): Promise<string> {
  const body = { client_name: 'An assistant', redirect_uris: [redirect_uri] }
  const { status, text, body: client } = await request('POST', '/oauth/register', { body })
  assert.equal(status, 201, text)
  return client.client_id
}

test('fifty colleagues connect within a minute', async () => {
  const people = await Promise.all(Array.from({ length: 50 }, (_, number) => colleague(number)))
  const began = performance.now()
  // The number that one address may log in concurrently.
  const waiting = [...people]
  const worker = async () => {
    for (let login = waiting.pop(); login; login = waiting.pop()) {
      const url = authorizeUrl(registrar, await register(registrar))
      const back = await decideIn(openBrowser(registrar.url), url, { login })
      assert.ok(back.searchParams.has('code'), back.search)
    }
  }
  await Promise.all(Array.from({ length: 5 }, worker))
  assert.ok(performance.now() - began < 60_000, 'else this proves nothing of a minute')
})

test('a rate-limited browser gets a page with the time to wait', async () => {
  const settings = { ...asDelivered, ANONYMOUS_REQUESTS_PER_MINUTE: '2' }
  const small = await startService({ settings, worker: false })
  const url = authorizeUrl(small, await register(small))
  let answer = await fetch(url, { redirect: 'manual' })
  for (let i = 0; i < 6 && answer.status !== 429; i += 1)
    answer = await fetch(url, { redirect: 'manual' })
  assert.equal(answer.status, 429)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(await answer.text(), /Wait \d+ seconds?/)
})

test('form submissions are rate-limited separately from new authorizations', async () => {
  const settings = { ...asDelivered, ANONYMOUS_REQUESTS_PER_MINUTE: '3' }
  const small = await startService({ settings, worker: false })
  const statuses: number[] = []
  // Three forms for each authorization: log-in, mailed code, consent.
  for (let i = 0; i < 12; i += 1) {
    const body = new URLSearchParams({ decision: 'deny' })
    const { status } = await fetch(`${small.url}/oauth/authorize`, { method: 'POST', body })
    statuses.push(status)
  }
  assert.ok(statuses.filter((status) => status === 429).length >= 2, statuses.join(' '))
  const begun = await fetch(authorizeUrl(small, await register(small)), { redirect: 'manual' })
  assert.equal(begun.status, 303)
})

test('a form that is too long and an outage of the database are pages, too', async () => {
  const own = await startService({ worker: false })
  const at = `${own.url}/oauth/authorize`
  const body = new URLSearchParams({ password: 'x'.repeat(20_000) })
  const long = await fetch(at, { method: 'POST', body })
  const isPage = (answer: Response) => /^text\/html/.test(answer.headers.get('content-type') ?? '')
  assert.deepEqual([long.status, isPage(long)], [413, true])
  await own.service.app.db.close()
  const away = await fetch(`${at}?interaction=x`)
  assert.deepEqual([away.status, isPage(away)], [503, true])
  assert.equal(away.headers.get('retry-after'), '1')
})

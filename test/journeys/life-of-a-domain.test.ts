// The lifecycle of a domain over six years: bought, renewed by request and automatically, left
// unrenewed, deleted, restored, left again, and available again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startService } from '../support/service.ts'

const registrar = await startService()
const day_ms = 86_400_000
const domain = 'long-life.com'
const path = `/v1/domains/${domain}`
const ada = await registrar.customer({ funds_cents: 20_000 })

/** The end of each paid term, in order. */
const ends: string[] = []
const end = () => ends.at(-1) ?? ''

test('the life of a domain', async () => {
  await boughtForAYear()
  await expiryReported()
  await expiredAndRenewedByTheRegistry()
  await renewedInTheGrace()
  await renewedByItself()
  await unrenewedAndDeleted()
  await restored()
  await unrenewedAndDropped()
  await ledgerAgrees()
  await freeForTheNext()
  await everyMailOnce()
})

async function get(path: string, token: string): Promise<Answer> {
  return registrar.request('GET', path, { token })
}

async function post(path: string, token: string, body: object): Promise<Answer> {
  return registrar.request('POST', path, { token, body })
}

/**
 * Polls the domain while the jobs run. A job that met it during a jump of the clock retries after
 * ten minutes of that clock, so each poll advances it.
 */
async function until(wanted: (answer: Answer) => boolean): Promise<Answer> {
  const late = Date.now() + 40_000
  for (let next_ms = Date.now() + 4_000; ; ) {
    const answer = await read()
    if (wanted(answer)) return answer
    if (Date.now() > late) assert.fail(`not in time; at last: ${answer.text}`)
    if (Date.now() > next_ms) {
      next_ms += 4_000
      await moveTo(at_ms + 11 * 60_000)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Advances the clock to the given number of days after (or before) the end of its term. */
async function goTo(days: number): Promise<void> {
  await moveTo(Date.parse(end()) + days * day_ms)
}

let at_ms = 0

async function moveTo(moment_ms: number): Promise<void> {
  at_ms = moment_ms
  const to = new Date(at_ms).toISOString()
  const moved = await post('/v1/sandbox/clock', registrar.operatorKey, { to })
  assert.equal(moved.status, 200, moved.text)
}

/** The registry's bills for it in order, and their total in cents. */
function billed(): { kinds: string[]; cents: number } {
  const effects = registrar.sandbox.effects().filter((effect) => effect.domain === domain)
  const cents = effects.reduce(
    (sum, { kind, fee }) => sum + (kind === 'refund' ? -1 : 1) * Math.round(Number(fee) * 100),
    0,
  )
  return { kinds: effects.map(({ kind }) => kind), cents }
}

async function balance(): Promise<string> {
  const { body } = await get(`/v1/customers/${ada.id}/billing/balance`, ada.key)
  return `${body.available} available, ${body.held} held`
}

const read = () => get(path, ada.key)
const mail = (subject: RegExp, count = 1) => registrar.mails({ to: ada.email, subject, count })
const nextTypes = (answer: Answer) =>
  answer.body.next_actions.map((one: Answer['body']) => one.type)

async function boughtForAYear(): Promise<void> {
  const bought = await post('/v1/domains', ada.key, { domain, max_price: '11.00' })
  assert.equal(bought.status, 200, bought.text)
  assert.equal(bought.body.status, 'active')
  ends.push(bought.body.expiry)
  await goTo(-364)
  const alive = await until(({ body }) => body.rgp_statuses.length > 0)
  assert.deepEqual(alive.body.rgp_statuses, ['addPeriod'])
  assert.deepEqual(nextTypes(alive), [])
  // It costs 9.59 at the registry, and 10.85 for the customer.
  assert.deepEqual(billed(), { kinds: ['create'], cents: 959 })
  assert.equal(await balance(), '189.15 available, 0.00 held')
}

async function expiryReported(): Promise<void> {
  await goTo(-29)
  await mail(/^long-life.com expires on/)
  assert.deepEqual(nextTypes(await until((answer) => nextTypes(answer).length > 0)), ['renew'])
  await goTo(-5)
  await mail(/^long-life.com expires on/, 2)
}

/** The registry bills the registrar for a year that the customer has not paid for. */
async function expiredAndRenewedByTheRegistry(): Promise<void> {
  await goTo(4)
  const expired = await until(({ body }) => body.registry_expiry !== end())
  assert.equal(expired.body.status, 'expired')
  assert.equal(expired.body.expiry, end())
  assert.deepEqual(expired.body.rgp_statuses, ['autoRenewPeriod'])
  assert.deepEqual(nextTypes(expired), ['renew'])
  assert.deepEqual(billed(), { kinds: ['create', 'autorenew'], cents: 1_918 })
  assert.equal(await balance(), '189.15 available, 0.00 held')
  await mail(/^long-life.com expired on/)
}

/** That year is paid, and nothing is sent for it. */
async function renewedInTheGrace(): Promise<void> {
  const { body: before } = await read()
  const renewed = await post(`${path}/renew`, ada.key, { expected_expiry: end() })
  assert.equal(renewed.status, 200, renewed.text)
  assert.equal(renewed.body.status, 'active')
  assert.equal(renewed.body.expiry, before.registry_expiry)
  ends.push(renewed.body.expiry)
  assert.deepEqual(billed(), { kinds: ['create', 'autorenew'], cents: 1_918 })
  assert.equal(await balance(), '178.30 available, 0.00 held')
}

async function setAutoRenew(auto_renew: boolean): Promise<void> {
  const set = await registrar.request('PATCH', path, { token: ada.key, body: { auto_renew } })
  assert.equal(set.body.auto_renew, auto_renew, set.text)
}

async function renewedByItself(): Promise<void> {
  await setAutoRenew(true)
  await goTo(-20)
  await mail(/^long-life.com expires on/, 3)
  await goTo(-10)
  const renewed = await until(({ body }) => body.expiry !== end())
  assert.ok(Date.parse(renewed.body.expiry) - Date.parse(end()) > 364 * day_ms)
  ends.push(renewed.body.expiry)
  await mail(/^The automatic renewal of long-life.com is done/)
  assert.deepEqual(billed(), { kinds: ['create', 'autorenew', 'renew'], cents: 2_877 })
  assert.equal(await balance(), '167.45 available, 0.00 held')
  await setAutoRenew(false)
}

/** On day 35 it is deleted, and the registry gives its year back. */
async function unrenewedAndDeleted(): Promise<void> {
  await goTo(4)
  const unrenewed = await until(({ body }) => body.registry_expiry !== end())
  assert.equal(unrenewed.body.status, 'expired')
  await mail(/^long-life.com expired on/, 2)
  assert.equal(billed().cents, 3_836)
  await goTo(35)
  const redemption = await until(({ body }) => body.status === 'redemption')
  assert.deepEqual(redemption.body.rgp_statuses, ['redemptionPeriod'])
  assert.ok(redemption.body.epp_statuses.includes('pendingDelete'))
  assert.deepEqual(nextTypes(redemption), ['restore'])
  await mail(/^long-life.com was deleted/)
  assert.equal(billed().kinds.join(), 'create,autorenew,renew,autorenew,refund')
  assert.equal(billed().cents, 2_877)
  const late = await post(`${path}/renew`, ada.key, {})
  assert.equal(late.body.code, 'not_renewable', late.text)
}

/** The price is that of a restore, which includes a year. */
async function restored(): Promise<void> {
  await goTo(50)
  const price = await post(`${path}/restore`, ada.key, { dry_run: true })
  assert.equal(price.body.price.amount, '44.30', price.text)
  const back = await post(`${path}/restore`, ada.key, { max_price: '45.00' })
  assert.equal(back.status, 200, back.text)
  assert.equal(back.body.status, 'active', back.text)
  assert.equal(registrar.sandbox.lookup(domain)?.expires_at, back.body.expiry)
  assert.ok(Date.parse(back.body.expiry) > Date.parse(end()) + 364 * day_ms)
  ends.push(back.body.expiry)
  await mail(/^The restore of long-life.com is done/)
  assert.equal(billed().kinds.at(-1), 'restore')
  assert.equal(await balance(), '123.15 available, 0.00 held')
}

async function unrenewedAndDropped(): Promise<void> {
  await goTo(36)
  await until(({ body }) => body.status === 'redemption')
  await mail(/^long-life.com was deleted/, 2)
  await goTo(36 + 31)
  const going = await until(({ body }) => body.status === 'pending_delete')
  assert.deepEqual(going.body.rgp_statuses, ['pendingDelete'])
  assert.deepEqual(nextTypes(going), ['choose_alternative'])
  await goTo(36 + 37)
  const gone = await until(({ status }) => status === 404)
  assert.equal(gone.body.code, 'domain_not_found')
  await mail(/^long-life.com was deleted permanently/)
}

/** The registry's bills less its refunds equal the captures. */
async function ledgerAgrees(): Promise<void> {
  assert.equal(billed().cents, 3 * 959 + 4_000)
  const { body: list } = await get(`/v1/customers/${ada.id}/billing/transactions`, ada.key)
  const captured = list.transactions.filter(({ type }: Answer['body']) => type === 'capture')
  assert.deepEqual(captured.map(({ description }: Answer['body']) => description).toSorted(), [
    'Registration of long-life.com, 1 year',
    'Renewal of long-life.com, 1 year',
    'Renewal of long-life.com, 1 year',
    'Restore of long-life.com',
  ])
  assert.equal(await balance(), '123.15 available, 0.00 held')
}

async function freeForTheNext(): Promise<void> {
  const ben = await registrar.customer()
  const check = await post('/v1/domains/check', ben.key, { domains: [domain] })
  assert.equal(check.body.domains[0].available, true, check.text)
  const again = await post('/v1/domains', ben.key, { domain })
  assert.equal(again.body.status, 'active', again.text)
  assert.equal((await read()).status, 404)
}

async function everyMailOnce(): Promise<void> {
  const mails = await registrar.mails({ to: ada.email })
  const subjects = mails.map(({ subject }) => subject?.replace(/\d{4}-\d\d-\d\d/, '...'))
  assert.deepEqual(subjects.toSorted(), [
    'A new API key for your account',
    'The automatic renewal of long-life.com is done',
    'The restore of long-life.com is done',
    'long-life.com expired on ...',
    'long-life.com expired on ...',
    'long-life.com expires on ...',
    'long-life.com expires on ...',
    'long-life.com expires on ...',
    'long-life.com was deleted permanently',
    'long-life.com was deleted: it was paid until ...',
    'long-life.com was deleted: it was paid until ...',
  ])
}

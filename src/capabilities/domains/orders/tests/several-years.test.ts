// Several years at a registry where they do not cost what the first year and its renewals do: the
// fee is asked for the years that are ordered, and agreed to (RFC 8748 section 3.3).
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { updateService } from '../../updates/updates.fixture.ts'

const registrar = await updateService()
const { call, sandbox, owner } = registrar
afterEach(() => {
  sandbox.settings.several_years_percent = 100
})

const cents = (amount: string) => Math.round(Number(amount) * 100)
const available = async () => cents((await registrar.balance(owner)).split(' ')[0] ?? '')
const billed = (domain: string) =>
  sandbox
    .effects()
    .filter((effect) => effect.domain === domain)
    .map(({ kind, years, fee }) => `${kind} ${years} ${fee}`)

/** Its cost for us, and for the customer by the price and by the balance. */
async function paid(at: string, body: object, domain: string) {
  const dry = await call('200', at, { ...body, dry_run: true })
  const before = await available()
  const { price } = await call('200', at, body)
  const spent = before - (await available())
  assert.deepEqual(price, dry.price, 'the dry run has the price that is charged')
  assert.equal(spent, cents(price.amount))
  const items: { amount: string }[] = price.items
  const sum = items.reduce((total, { amount }) => total + cents(amount), 0)
  assert.equal(sum, cents(price.amount), 'the items are the price')
  return { amount: price.amount, premium: price.premium, bill: billed(domain).at(-1) }
}

const buy = (domain: string, period_years: number) =>
  paid('POST /v1/domains', { domain, period_years, currency: 'USD' }, domain)
const renew = (domain: string, period_years: number) =>
  paid(`POST /v1/domains/${domain}/renew`, { period_years, currency: 'USD' }, domain)

test('a lower price is agreed to, and leaves ours as listed', async () => {
  sandbox.settings.several_years_percent = 80
  const three = await buy('several-less.com', 3)
  assert.deepEqual(three, { amount: '32.55', premium: false, bill: 'create 3 23.02' })
  const two = await renew('several-less.com', 2)
  assert.deepEqual(two, { amount: '21.70', premium: false, bill: 'renew 2 15.34' })
})

test('a higher price is agreed to and passed on, and is no premium', async () => {
  sandbox.settings.several_years_percent = 150
  // 28.77 at 150 % is 43.16: 14.39 more, with 10 % of it.
  const three = await buy('several-more.com', 3)
  assert.deepEqual(three, { amount: '48.38', premium: false, bill: 'create 3 43.16' })
  // 19.18 at 150 % is 28.77: 9.59 more, with 10 % of it.
  const two = await renew('several-more.com', 2)
  assert.deepEqual(two, { amount: '32.25', premium: false, bill: 'renew 2 28.77' })
  const one = await renew('several-more.com', 1)
  assert.deepEqual(one, { amount: '10.85', premium: false, bill: 'renew 1 9.59' })
})

test('a premium name costs what its years cost', async () => {
  sandbox.settings.several_years_percent = 50
  const body = { domain: 'studio.com', period_years: 2, allow_premium: true }
  const two = await paid('POST /v1/domains', body, 'studio.com')
  assert.deepEqual(two, { amount: '165.60', premium: true, bill: 'create 2 150.00' })
})

test('quotes have it, too; a price that changes between is still refused', async () => {
  sandbox.settings.several_years_percent = 120
  const asked = { action: 'register', domain: 'several-quoted.com', period_years: 2 }
  const { id, price } = await call('201', 'POST /v1/quotes', asked)
  assert.equal(price.amount, '25.92')
  const body = { domain: 'several-quoted.com', period_years: 2, quote_id: id }
  const bought = await call('200', 'POST /v1/domains', body)
  assert.equal(bought.price.amount, price.amount)
  const max_price = '25.91'
  const late = { domain: 'several-late.com', period_years: 2, max_price }
  await call('409 price_changed', 'POST /v1/domains', late)
})

test('only the years that are sent are priced so, when the registry has renewed itself', async () => {
  const domain = await registrar.buys(owner, 'several-late-renewed.com')
  await registrar.daysPast(domain, 3)
  sandbox.settings.several_years_percent = 150
  // One of the three years is there already, at 9.59: two are sent, at 28.77.
  const three = await renew(domain, 3)
  assert.deepEqual(three, { amount: '43.10', premium: false, bill: 'renew 2 28.77' })
})

test('one year is one check of the registry', async () => {
  const before = registrar.count('domain:check')
  await call('200', 'POST /v1/domains', { domain: 'several-one.com' })
  assert.equal(registrar.count('domain:check') - before, 1)
})

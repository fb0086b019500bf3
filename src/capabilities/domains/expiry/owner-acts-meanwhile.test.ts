// Jobs of the end of a term, whose owner acts between their reading and their writing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { untilBlocked } from '../../../../test/support/database.ts'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import type { Job } from '../../../app.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { autoRenew } from './auto-renew.job.ts'
import { dropNextTries } from './auto-renew.sql.ts'
import { unmarkDeleting } from './delete-unrenewed.sql.ts'
import { sendNotices } from './expiry-notices.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))

async function setAutoRenew(owner: TestCustomer, domain: string, auto_renew: boolean) {
  const options = { token: owner.key, body: { auto_renew } }
  const answer = await registrar.request('PATCH', `/v1/domains/${domain}`, options)
  assert.deepEqual([answer.status, answer.body.auto_renew], [200, auto_renew], answer.text)
}

async function renew(owner: TestCustomer, domain: string): Promise<void> {
  const options = { token: owner.key, body: {} }
  const renewed = await registrar.request('POST', `/v1/domains/${domain}/renew`, options)
  assert.equal(renewed.status, 200, renewed.text)
}

/** Runs a job, and the act while the job waits for the price of the domain. */
async function meanwhile(job: Job, domain: string, act: () => Promise<void>): Promise<void> {
  const fault = { name: 'slow', command: 'domain:check', domain, times: 1 } as const
  registrar.sandbox.setFault({ ...fault, delay_ms: 60_000 })
  const running = registrar.run(job)
  while (registrar.sandbox.faults().length > 0) await sleep(5)
  await act()
  registrar.sandbox.releaseDelayed()
  await running
}

test('a renewal by the owner is the only one, also on the days after', async () => {
  const owner = await registrar.customer({ funds_cents: 10_000 })
  const domain = await registrar.buys(owner, 'beside-renewed.com')
  await setAutoRenew(owner, domain, true)
  await registrar.days(360)
  await meanwhile(autoRenew, domain, () => renew(owner, domain))
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
  for (const later of ['PT61M', 'P2D']) {
    await registrar.advance(later)
    await registrar.run(autoRenew)
    assert.deepEqual(registrar.effects(domain), ['create', 'renew'], later)
  }
  assert.equal(await registrar.balance(owner), '78.30 0.00')
})

test('an automatic renewal that is turned off is not made, and nothing is mailed', async () => {
  const owner = await registrar.customer({ funds_cents: 10_000 })
  const domain = await registrar.buys(owner, 'beside-off.com')
  await setAutoRenew(owner, domain, true)
  await registrar.days(360)
  await meanwhile(autoRenew, domain, () => setAutoRenew(owner, domain, false))
  assert.deepEqual(registrar.effects(domain), ['create'])
  assert.equal(await registrar.balance(owner), '89.15 0.00')
  const kinds = (await registrar.emails(owner)).map(({ kind }) => kind)
  assert.ok(!kinds.some((kind) => kind.startsWith('auto_renew')), kinds.join())
})

test('an automatic renewal that is off when it is due, and turned on later, is made then', async () => {
  const owner = await registrar.customer({ funds_cents: 10_000 })
  const domain = await registrar.buys(owner, 'beside-on.com')
  await setAutoRenew(owner, domain, true)
  await registrar.days(355)
  await setAutoRenew(owner, domain, false)
  await registrar.run(autoRenew)
  assert.equal((await registrar.row(domain)).auto_renew_at, null)
  await setAutoRenew(owner, domain, true)
  await registrar.run(autoRenew)
  assert.deepEqual(registrar.effects(domain), ['create', 'renew'])
})

test('an automatic renewal that is turned on while the job drops its date keeps one', async (t) => {
  const owner = await registrar.customer({ funds_cents: 5_000 })
  const domain = await registrar.buys(owner, 'beside-dropped.com')
  await setAutoRenew(owner, domain, true)
  await setAutoRenew(owner, domain, false)
  const { id } = await registrar.row(domain)
  const other = new pg.Client(registrar.service.settings.database_url ?? '')
  await other.connect()
  t.after(() => other.end())
  await other.query('begin')
  await other.query('update domains set auto_renew = true where id = $1', [id])
  const dropping = registrar.app.db.run(dropNextTries, { ids: [id] })
  await untilBlocked(registrar.query)
  await other.query('commit')
  await dropping
  const { auto_renew, auto_renew_at } = await registrar.row(domain)
  assert.ok(auto_renew && auto_renew_at instanceof Date, String(auto_renew_at))
})

test('a notice says of a renewal whether it is on when the notice is written', async () => {
  const owner = await registrar.customer({ funds_cents: 5_000 })
  const domain = await registrar.buys(owner, 'beside-notice.com')
  await setAutoRenew(owner, domain, true)
  await registrar.days(340)
  await meanwhile(sendNotices, domain, () => setAutoRenew(owner, domain, false))
  await registrar.run(sendNotices)
  const notices = (await registrar.emails(owner)).filter(({ kind }) => kind === 'expiry_notice')
  assert.equal(notices.length, 1)
  const text = notices[0]?.body.replaceAll('\n', ' ') ?? ''
  assert.doesNotMatch(text, /it will be renewed for one year/)
  assert.match(text, /renew/i)
})

test('a deletion that is put off is not tried again before the end of a term paid since', async () => {
  const owner = await registrar.customer({ funds_cents: 10_000 })
  const domain = await registrar.buys(owner, 'beside-kept.com')
  await registrar.daysPast(domain, 20)
  await renew(owner, domain)
  const { id, expiry } = await registrar.row(domain)
  // As a deletion that was read before.
  const soon = new Date(registrar.app.calendar.now().getTime() + 3_600_000)
  await registrar.app.db.run(unmarkDeleting, { id, delete_at: soon })
  assert.deepEqual((await registrar.row(domain)).delete_at, expiry)
})

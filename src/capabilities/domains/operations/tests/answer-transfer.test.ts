// Another registrar asks for a domain: its owner is notified once, sees the registrar, and lets it
// go or keeps it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAway, cancelAway } from '../../../../../test/support/other-registrar.ts'
import { syncDomains } from '../../holdings/sync-domains.job.ts'
import { pollRegistries } from '../../poll/poll-messages.job.ts'
import { updateService } from '../../updates/updates.fixture.ts'

const registrar = await updateService()
const { owner, call, count, log, read, sandbox } = registrar
const post = (domain: string, what: string) => `POST /v1/domains/${domain}/transfer/${what}`

/** Purchased, and asked for by the other registrar. */
async function wanted(domain: string): Promise<string> {
  await registrar.buys(owner, domain)
  await askAgain(domain)
  return domain
}

async function askAgain(domain: string): Promise<void> {
  const { auth_code } = await call('200', `GET /v1/domains/${domain}/transfer-auth-code`)
  await askAway(registrar, { domain, auth_info: auth_code })
}

/** Lets the next read ask the registry. */
const purge = (domain: string) =>
  registrar.query(
    `update domain_schedules set synced_at = null, sync_at = '2020-01-01'
      where domain_id in (select id from domains where name = $1)`,
    [domain],
  )
const emails = async (domain: string) =>
  (await registrar.emails(owner))
    .filter((one) => one.subject.includes(domain))
    .map(({ kind }) => kind)
const requestRows = (lines: string[]) =>
  lines.filter((one) => one.startsWith('transfer_out_requested'))

test('the owner is notified once, whether a read, the sync or the queue shows the request first', async () => {
  const first = {
    'seen-by-read.com': async (domain: string) => void (await read(owner, domain)),
    'seen-by-sync.com': () => registrar.run(syncDomains),
    'seen-by-poll.com': () => registrar.run(pollRegistries),
  }
  for (const [domain, see] of Object.entries(first)) {
    await wanted(domain)
    await purge(domain)
    await see(domain)
    assert.deepEqual(await emails(domain), ['transfer_out_requested'])
    assert.deepEqual(requestRows(await log(domain)), ['transfer_out_requested pending'])
  }
  for (const domain of Object.keys(first)) {
    await registrar.run(pollRegistries)
    await purge(domain)
    await registrar.run(syncDomains)
    const { body } = await read(owner, domain)
    assert.equal(body.status, 'transfer_pending')
    assert.equal(body.transfer.direction, 'out')
    assert.equal(body.transfer.requested_by, 'registrar-b')
    const days =
      (Date.parse(body.transfer.acts_at) - Date.parse(body.transfer.requested_at)) / 864e5
    assert.equal(days, 5)
    assert.equal((await emails(domain)).length, 1)
    assert.equal(requestRows(await log(domain)).length, 1)
  }
})

test('a registry that does not say who asks is asked again', async () => {
  const domain = await wanted('asked-by-whom.com')
  await purge(domain)
  sandbox.setFault({ name: 'drop_before', command: 'domain:transfer', domain, times: null })
  const { body } = await read(owner, domain)
  assert.deepEqual([body.status, body.transfer], ['transfer_pending', null])
  sandbox.clearFaults()
  await purge(domain)
  assert.equal((await read(owner, domain)).body.transfer.requested_by, 'registrar-b')
  assert.equal((await emails(domain)).length, 1)
})

for (const domain of ['let-go.com', 'let-go.io'])
  test(`approved, ${domain} is gone at once, and its owner sees where it went`, async () => {
    await wanted(domain)
    const gone = await call('200', post(domain, 'approve'))
    assert.equal(gone.status, 'transferred_away')
    assert.equal(sandbox.lookup(domain)?.sponsor, 'registrar-b')
    assert.equal((await read(owner, domain)).body.status, 'transferred_away')
    assert.ok((await log(domain)).includes('approve_transfer success'))
    assert.ok((await log(domain)).includes('domain_transferred_away success'))
    const [row] = await registrar.query(
      `select metadata from audit_logs where target = $1 and action = 'approve_transfer'`,
      [domain],
    )
    assert.equal(Object(row?.metadata).requested_by, 'registrar-b')
    await call('404 domain_not_found', post(domain, 'approve'))
  })

test('a rejected transfer leaves the domain here, and another request notifies its owner again', async () => {
  const domain = await wanted('kept.com')
  await purge(domain)
  await read(owner, domain)
  const kept = await call('200', post(domain, 'reject'))
  assert.deepEqual([kept.status, kept.transfer], ['active', null])
  assert.equal(sandbox.lookup(domain)?.sponsor, 'registrar-a')
  const none = await call('409 no_transfer_pending', post(domain, 'reject'))
  assert.match(none.detail, /clientRejected/)
  await registrar.advance('PT1H')
  await askAgain(domain)
  await purge(domain)
  assert.equal((await read(owner, domain)).body.transfer.requested_by, 'registrar-b')
  assert.equal((await emails(domain)).length, 2)
  assert.equal(requestRows(await log(domain)).length, 2)
})

test('refuses an answer without a request', async () => {
  const domain = 'not-requested.com'
  await registrar.buys(owner, domain)
  const before = count('domain:transfer')
  for (const what of ['approve', 'reject'])
    await call('409 no_transfer_pending', post(domain, what))
  assert.equal(count('domain:transfer'), before + 2, 'only asked')
  const taken = await wanted('taken-back.com')
  await cancelAway(registrar, taken)
  const late = await call('409 no_transfer_pending', post(taken, 'approve'))
  assert.match(late.detail, /clientCancelled/)
})

for (const name of ['drop_after', 'drop_before'] as const)
  for (const says of ['approve', 'reject'] as const)
    test(`${says} under ${name}: asked again, sent again only if it is still pending`, async () => {
      const domain = await wanted(`${says}-${name.replace('_', '-')}.com`)
      // The first is the question.
      sandbox.setFault({ name: 'slow', command: 'domain:transfer', domain, delay_ms: 1 })
      sandbox.setFault({ name, command: 'domain:transfer', domain })
      const { status } = await call('200', post(domain, says))
      assert.equal(status, says === 'approve' ? 'transferred_away' : 'active')
      const sponsor = says === 'approve' ? 'registrar-b' : 'registrar-a'
      assert.equal(sandbox.lookup(domain)?.sponsor, sponsor)
    })

test('a registry that does not answer: nothing sent is 503, something sent is unconfirmed', async () => {
  const domain = await wanted('no-answer.com')
  sandbox.setFault({ name: 'drop_before', command: 'domain:transfer', domain, times: null })
  await call('503 registry_unreachable', post(domain, 'approve'))
  sandbox.clearFaults()
  sandbox.setFault({ name: 'slow', command: 'domain:transfer', domain, delay_ms: 1 })
  sandbox.setFault({ name: 'drop_before', command: 'domain:transfer', domain, times: null })
  await call('503 change_unconfirmed', post(domain, 'approve'))
  sandbox.clearFaults()
  assert.equal((await log(domain)).at(-1), 'approve_transfer unknown')
  assert.equal((await call('200', post(domain, 'approve'))).status, 'transferred_away')
})

test('a refusal of the registry is returned with its words', async () => {
  const domain = await wanted('refused.com')
  sandbox.setFault({ name: 'slow', command: 'domain:transfer', domain, delay_ms: 1 })
  sandbox.setFault({ name: 'refuse_2306', command: 'domain:transfer', domain })
  const refused = await call('409 change_refused', post(domain, 'approve'))
  assert.equal(refused.epp_code, 2306)
  assert.equal((await call('200', post(domain, 'reject'))).status, 'active')
})

test('an unanswered transfer is completed after five days, and the owner is notified', async () => {
  const domain = await wanted('unanswered.com')
  await registrar.days(6)
  await purge(domain)
  assert.equal((await read(owner, domain)).body.status, 'transferred_away')
  assert.ok((await emails(domain)).includes('domain_transferred_away'))
})

// After a transfer: its name servers, and the mail to its owner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answerTransfer,
  sellElsewhere,
  soldCode,
} from '../../../../test/support/other-registrar.ts'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { lifecycleService } from '../holdings/lifecycle.fixture.ts'
import { notifyOrderResults } from '../orders/notify-order-results.job.ts'
import { settleOrders } from '../orders/settle-orders.job.ts'
import { pollRegistries } from '../poll/poll-messages.job.ts'
import { setOrderedNameservers } from './set-ordered-nameservers.job.ts'

const registrar = await lifecycleService(await startService({ worker: false }))
const wanted = ['ns1.elsewhere.net', 'ns2.elsewhere.net']

/** Bought elsewhere and asked for, with name servers of its own. */
async function asked(buyer: TestCustomer, domain: string, body: object = {}): Promise<string> {
  await sellElsewhere(registrar, domain)
  const moving = await registrar.request('POST', '/v1/domains/transfer', {
    token: buyer.key,
    body: { domain, auth_code: soldCode, nameservers: wanted, ...body },
  })
  assert.equal(moving.body.status, 'transfer_pending', moving.text)
  return domain
}

async function answered(domain: string, answer: 'approve' | 'reject'): Promise<void> {
  await answerTransfer(registrar, domain, answer)
  await registrar.run(pollRegistries)
  await registrar.run(settleOrders)
}

const row = async (domain: string) =>
  Object((await registrar.query('select * from domains where name = $1', [domain]))[0])
const due = (domain: string) =>
  registrar.query(
    `update tasks set run_at = now() where kind = 'set_ordered_nameservers'
       and key = (select id::text from domains where name = $1 and ended_at is null)`,
    [domain],
  )
const there = (domain: string) => registrar.sandbox.lookup(domain)?.nameservers.toSorted()
const kinds = async (buyer: TestCustomer) => (await registrar.emails(buyer)).map(({ kind }) => kind)

test('once it is here, its name servers are set, and its owner is notified', async () => {
  const buyer = await registrar.customer()
  const domain = await asked(buyer, 'follows.com')
  await answered(domain, 'approve')
  assert.notDeepEqual(there(domain), wanted)
  await Promise.all([registrar.run(setOrderedNameservers), registrar.run(setOrderedNameservers)])
  assert.deepEqual(there(domain), wanted)
  assert.equal((await row(domain)).wanted_nameservers, null)
  assert.deepEqual((await registrar.read(buyer, domain)).body.nameservers.toSorted(), wanted)
  await registrar.run(notifyOrderResults)
  await registrar.run(notifyOrderResults)
  assert.deepEqual(await kinds(buyer), ['transfer_completed'])
})

test('retries after a temporary silence or refusal of the registry', async () => {
  const buyer = await registrar.customer()
  const domain = await asked(buyer, 'follows-late.com')
  await answered(domain, 'approve')
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain })
  await registrar.run(setOrderedNameservers)
  assert.deepEqual((await row(domain)).wanted_nameservers, wanted)
  await registrar.run(setOrderedNameservers)
  assert.notDeepEqual(there(domain), wanted, 'not before its time')
  await due(domain)
  await registrar.run(setOrderedNameservers)
  assert.deepEqual(there(domain), wanted)
})

test('a lasting refusal is reported, and the owner chooses others', async () => {
  const buyer = await registrar.customer()
  const domain = await asked(buyer, 'follows-never.com')
  await answered(domain, 'approve')
  registrar.sandbox.setFault({ name: 'refuse_2306', command: 'domain:update', domain, times: null })
  for (let i = 0; i < 6; i += 1) {
    await due(domain)
    await registrar.run(setOrderedNameservers)
  }
  registrar.sandbox.clearFaults()
  assert.equal((await row(domain)).wanted_nameservers, null)
  assert.deepEqual(await kinds(buyer), ['nameservers_not_set'])
})

test('name servers that the owner has set meanwhile stay', async () => {
  const buyer = await registrar.customer()
  const domain = await asked(buyer, 'follows-own.com')
  await answered(domain, 'approve')
  const chosen = ['ns8.example.org', 'ns9.example.org']
  const set = await registrar.request('PATCH', `/v1/domains/${domain}`, {
    token: buyer.key,
    body: { nameservers: chosen },
  })
  assert.equal(set.status, 200, set.text)
  await registrar.run(setOrderedNameservers)
  assert.deepEqual(there(domain), chosen)
})

test('a rejected transfer is reported, with the money that is available again', async () => {
  const buyer = await registrar.customer()
  const domain = await asked(buyer, 'follows-not.com')
  await answered(domain, 'reject')
  await registrar.run(notifyOrderResults)
  const emails = await registrar.emails(buyer)
  assert.deepEqual(
    emails.map(({ kind }) => kind),
    ['transfer_failed'],
  )
  assert.match(emails[0]?.body.replaceAll('\n', ' ') ?? '', /10\.85 USD .* available again/)
})

test('ends that cannot be reported do not delay others, and are reported in the end', async () => {
  const [mute, buyer] = [await registrar.customer(), await registrar.customer()]
  await registrar.query(
    `insert into orders (id, customer_id, type, domain, registry, state, currency, amount, digest,
       command, attempts, fingerprints, first_sent_at, run_at, lease_until, lease_token, closed_at)
     select 'ord_mute' || n, $1, 'transfer', 'mute' || n || '.com', 'thin', 'succeeded', 'USD', 1,
       'x', '{}', 1, '{}', now(), now(), now(), 'x', now() - interval '1 day'
       from generate_series(1, 100) n`,
    [mute.id],
  )
  await registrar.query(`create function mute() returns trigger language plpgsql as
    'begin if new.kind = ''transfer_completed'' and new.subject like ''%mute%'' then
       raise ''no''; end if;
     return new; end'`)
  await registrar.query(
    'create trigger mute before insert on mails for each row execute function mute()',
  )
  await answered(await asked(buyer, 'follows-others.com'), 'approve')
  await registrar.run(notifyOrderResults)
  await registrar.run(notifyOrderResults)
  assert.deepEqual(await kinds(buyer), ['transfer_completed'])
  assert.deepEqual(await kinds(mute), [])
  await registrar.query('drop trigger mute on mails')
  await registrar.run(notifyOrderResults)
  assert.deepEqual(await kinds(mute), [], 'they are not tried all the time')
  // An end that a loaded machine could not write leaves its task leased for up to 5 s.
  for (let tries = 0; tries < 40 && (await kinds(mute)).length < 100; tries += 1) {
    await registrar.query(`update tasks set run_at = now() where key like 'ord_mute%'`)
    await registrar.run(notifyOrderResults)
    if (tries > 0) await sleep(250)
  }
  assert.equal((await kinds(mute)).length, 100)
})

test('a refusal in the response of the request is not mailed as well', async () => {
  const buyer = await registrar.customer()
  await sellElsewhere(registrar, 'follows-wrong.com')
  const wrong = await registrar.request('POST', '/v1/domains/transfer', {
    token: buyer.key,
    body: { domain: 'follows-wrong.com', auth_code: 'Not-the-code-1' },
  })
  assert.equal(wrong.body.code, 'auth_code_wrong', wrong.text)
  await registrar.run(notifyOrderResults)
  assert.deepEqual(await kinds(buyer), [])
  const [order] = await registrar.query(
    `select notified_at from orders where domain = 'follows-wrong.com'`,
  )
  assert.ok(order?.notified_at)
})

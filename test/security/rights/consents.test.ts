// A log-in, or an account, that ends while its consent waits to be stored: nothing is.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isPage, newClient, newVisitor } from '../../../src/oauth/consent/consent.fixture.ts'
import { newOwner, type Owner } from '../../support/owner.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { sharedService } from '../../support/service.ts'

const registrar = await sharedService()
const client = await newClient(registrar)
const rows = rowsIn(registrar)
const locker = new pg.Client({
  connectionString: registrar.service.settings.database_url ?? '',
})
await locker.connect()
after(() => locker.end())

const grants = ({ id }: Owner) =>
  rows('select id, scopes from oauth_grants where customer_id = $1', [id])

/** Runs the end once the answer waits for the password's row. */
async function whileHeld<T>(owner: Owner, begin: () => Promise<T>, end: () => Promise<unknown>) {
  await locker.query('begin')
  await locker.query('select from passwords where customer_id = $1 for update', [owner.id])
  const { rows: own } = await locker.query('select pg_backend_pid() as pid')
  const answer = begin()
  const text = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))'
  while ((await rows(text, [own[0].pid])).length === 0) await sleep(5)
  await end()
  await locker.query('rollback')
  return answer
}

test('the log-in of the browser', async () => {
  const owner = await newOwner(registrar)
  const visitor = newVisitor(registrar)
  const first = await visitor.page(client.url())
  await visitor.leave(await visitor.decide(first.form, owner))
  const before = await grants(owner)
  const { form } = await visitor.page(client.url())
  const end = () =>
    rows(
      `update sessions set ended_at = now() where customer_id = $1 and agent like 'consent page%'`,
      [owner.id],
    )
  const seen = await whileHeld(owner, () => visitor.decide(form, owner), end)
  isPage(seen, 400, /page has expired/)
  assert.deepEqual(await grants(owner), before)
})

test('the account, whose password was given on the page', async () => {
  const owner = await newOwner(registrar)
  const visitor = newVisitor(registrar)
  const { form } = await visitor.page(client.url())
  const seen = await whileHeld(
    owner,
    () => visitor.decide(form, owner),
    () => rows(`update customers set status = 'closed' where id = $1`, [owner.id]),
  )
  assert.equal(seen.status, 400, seen.text)
  assert.deepEqual(await grants(owner), [])
})

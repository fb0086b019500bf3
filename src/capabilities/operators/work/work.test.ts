// The operators' daily work: counts, holds, mails that were given up, and dead letters.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { parkedOrderIn } from '../../../../test/support/parked-order.ts'
import { sharedMovedService } from '../../../../test/support/service.ts'

const registrar = await sharedMovedService()
const { request, operatorKey: token } = registrar
const sql = rowsIn(registrar)
const get = async (path: string) => (await request('GET', `/v1/internal/${path}`, { token })).body
const post = (path: string) => request('POST', `/v1/internal/${path}`, { token, body: {} })
const find = (list: { id: unknown }[], id: unknown) => list.find((one) => one.id === id)

let made = 0
/** A mail that was given up, and its task, which is dead. */
async function givenUpMail(body: string | null = 'Text') {
  made += 1
  const id = `mail_${`7${process.pid}${made}`.padStart(26, '0')}`
  await sql(
    `with key as (insert into mail_dedupe_keys (dedupe_key, mail_id) values ($1, $1)),
          task as (
            insert into tasks (kind, key, payload, attempts, last_error, dead_at)
            values ('send_mail', $1, jsonb_build_object('mail_id', $1::text), 130, 'refused',
                    now()))
     insert into mails (id, kind, dedupe_key, recipient, subject, body, state, ended_at)
     values ($1, 'work_test', $1, 'work@example.net', 'Work', $2, 'failed', now())`,
    [id, body],
  )
  return id
}

describe('the overview', () => {
  it('counts every item of work', async () => {
    const before = await get('overview')
    const { key } = await registrar.customer()
    const { id } = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
    await givenUpMail()
    const after = await get('overview')
    for (const name of ['parked_orders', 'open_holds', 'failed_mails'])
      assert.equal(after[name], before[name] + 1, name)
    assert.equal((await post(`parked-orders/${id}/settle`)).status, 200)
    assert.equal((await get('overview')).open_holds, before.open_holds)
  })

  it('shows closed accounts to which money came', async () => {
    const { id } = await registrar.customer({ funds_cents: 0, contact: false })
    const body = { reason: 'For a test' }
    const closed = await request('POST', `/v1/internal/customers/${id}/close`, { token, body })
    assert.equal(closed.status, 200)
    await request('POST', '/v1/internal/billing/processor/top-ups', {
      token,
      body: {
        customer_id: id,
        amount_cents: 700,
        currency: 'USD',
        processor_checkout_session_id: `cs_work_${id}`,
      },
    })
    const { closed_with_money: money } = await get('overview')
    assert.deepEqual(
      money.filter((one: { customer_id: string }) => one.customer_id === id),
      [{ customer_id: id, currency: 'USD', available: '7.00', held: '0.00' }],
    )
  })
})

describe('the open holds', () => {
  it('are those of the orders that have not ended, over pages', async () => {
    const { id: customer_id, key } = await registrar.customer()
    const first = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
    const second = await parkedOrderIn(registrar, { key, fault: 'drop_after' })
    const { holds } = await get('holds?limit=500')
    const mine = holds.filter((one: { customer_id: string }) => one.customer_id === customer_id)
    assert.deepEqual(
      mine.map(({ order_id, amount, state }: Record<string, unknown>) => [order_id, amount, state]),
      [first.id, second.id].map((id) => [id, '10.85', 'parked']),
    )
    const page = await get('holds?limit=1')
    assert.equal(page.holds.length, 1)
    const next = await get(`holds?limit=1&cursor=${page.next_cursor}`)
    assert.notEqual(next.holds[0].order_id, page.holds[0].order_id)
    for (const { id } of [first, second])
      assert.equal((await post(`parked-orders/${id}/settle`)).status, 200)
  })
})

describe('a mail that was given up', () => {
  it('is listed with its error, and sent again once it is asked for', async () => {
    const id = await givenUpMail()
    const listed = find((await get('mails?limit=500')).mails, id)
    assert.deepEqual([Object(listed).last_error, Object(listed).resendable], ['refused', true])
    const answer = await post(`mails/${id}/resend`)
    assert.deepEqual([answer.status, answer.body], [202, { id, state: 'queued' }])
    assert.equal((await post(`mails/${id}/resend`)).status, 202)
    const [mail] = await sql('select state, ended_at from mails where id = $1', [id])
    assert.deepEqual(mail, { state: 'queued', ended_at: null })
    const tasks = await sql(
      `select attempts, dead_at from tasks where kind = 'send_mail' and key = $1`,
      [id],
    )
    assert.deepEqual(tasks, [{ attempts: 0, dead_at: null }])
    assert.equal(find((await get('mails?limit=500')).mails, id), undefined)
    await sql(`delete from tasks where kind = 'send_mail' and key = $1`, [id])
  })

  it('is not sent without its text, and 404 where there is none', async () => {
    const gone = await givenUpMail(null)
    const answer = await post(`mails/${gone}/resend`)
    assert.deepEqual([answer.status, answer.body.code], [409, 'mail_text_gone'])
    const absent = await post(`mails/mail_${'0'.repeat(26)}/resend`)
    assert.deepEqual([absent.status, absent.body.code], [404, 'mail_to_resend_not_found'])
  })
})

describe('a dead letter', () => {
  it('is listed, and due again with all its attempts', async () => {
    const [row] = await sql(
      `insert into tasks (kind, key, attempts, lost_leases, last_error, run_at, dead_at)
       values ('work_test', $1, 9, 2, 'away', now() - interval '1 day', now()) returning id`,
      [`work ${process.pid}`],
    )
    const id = Number(row.id)
    const listed = find((await get('dead-tasks?limit=500')).tasks, id)
    assert.deepEqual([Object(listed).kind, Object(listed).attempts], ['work_test', 9])
    assert.equal((await post(`dead-tasks/${id}/retry`)).status, 202)
    const [task] = await sql(
      'select attempts, lost_leases, dead_at, run_at <= now() as due from tasks where id = $1',
      [id],
    )
    assert.deepEqual(task, { attempts: 0, lost_leases: 0, dead_at: null, due: true })
    const again = await post(`dead-tasks/${id}/retry`)
    assert.deepEqual([again.status, again.body.code], [404, 'dead_task_not_found'])
    await sql('delete from tasks where id = $1', [id])
  })

  it('that is a mail is sent again as a mail', async () => {
    const mail = await givenUpMail()
    const [task] = await sql(`select id from tasks where kind = 'send_mail' and key = $1`, [mail])
    assert.equal(find((await get('dead-tasks?limit=500')).tasks, Number(task.id)), undefined)
    assert.equal((await post(`dead-tasks/${task.id}/retry`)).status, 404)
  })
})

// The last use of a credential is shown at once, written by the next flush or the node's stop, and
// never goes back.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedService, startService } from '../../../../test/support/service.ts'
import { sessionOf } from '../../../../test/support/sign-in.ts'
import type { App } from '../../../app.ts'
import { writeLastUses } from './flush-last-uses.job.ts'
import { flushKeyUses } from './last-uses.sql.ts'

const registrar = await sharedService({ worker: false })
const { app } = registrar.service
const { operatorKey } = registrar

/** As an operator sees it: a request by the key itself would be a use. */
async function lastUseOf(customer_id: string): Promise<string | null> {
  const path = `/v1/customers/${customer_id}/api-keys`
  const { body } = await registrar.request('GET', path, { token: operatorKey })
  return body[0].last_used_at
}

async function use(token: string, node = registrar): Promise<void> {
  assert.equal((await node.request('GET', '/v1/account', { token })).status, 200)
}

describe('the last use', () => {
  it('is written for many keys at once, and never goes back', async () => {
    const { id, key, key_id } = await registrar.customer({ contact: false })
    assert.equal(await lastUseOf(id), null)
    await use(key)
    const used = String(await lastUseOf(id))
    await writeLastUses(app)
    assert.equal(await lastUseOf(id), used, 'shown before it is written')
    assert.ok(Math.abs(Date.parse(used) - Date.now()) < 5_000)
    app.lastUses.api_keys.note(BigInt(key_id), new Date('2020-01-01T00:00:00Z'))
    await writeLastUses(app)
    assert.equal(await lastUseOf(id), used)
  })

  it('is written for the other kinds when that of one kind cannot be written', async () => {
    const customer = await registrar.customer({ contact: false })
    const session = await sessionOf(registrar, customer)
    await use(customer.key)
    await use(session)
    const failing: App['db']['count'] = (statement, ...params) =>
      statement.name === flushKeyUses.name
        ? Promise.reject(new Error('away'))
        : app.db.count(statement, ...params)
    await assert.rejects(writeLastUses({ ...app, db: { ...app.db, count: failing } }), /away/)
    assert.equal(app.lastUses.sessions.size, 0)
    assert.notEqual(app.lastUses.api_keys.size, 0)
    await writeLastUses(app)
    assert.equal(app.lastUses.api_keys.size, 0)
  })

  it('is written when the node stops', async () => {
    const { sandbox, mailbox, payments } = registrar
    const database_url = app.settings.database_url ?? ''
    const other = await startService({ worker: false, sandbox, mailbox, payments, database_url })
    const { id, key } = await registrar.customer({ contact: false })
    await use(key, other)
    assert.equal(await lastUseOf(id), null)
    await other.service.stop()
    assert.notEqual(await lastUseOf(id), null)
  })
})

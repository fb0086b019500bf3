// A change that waits for a row while the right to it ends is not stored.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sampleOf } from '../../shards/sampling.ts'
import { sharedMovedService } from '../../support/service.ts'
import { actorOf, endings, type Kind } from './actors.ts'
import { stored } from './stored-acts.ts'

const registrar = await sharedMovedService()
const database = { connectionString: registrar.service.settings.database_url ?? '' }
const [locker, watcher] = [new pg.Client(database), new pg.Client(database)]
await Promise.all([locker.connect(), watcher.connect()])
after(() => Promise.all([locker.end(), watcher.end()]))

/** Ends that need none of the locked rows. */
const endOf: Partial<Record<Kind, string>> = {
  session: 'logged_out',
  api_key: 'key_expired',
  app: 'consent_narrowed',
  operator: 'operator_revoked',
}

/** Some other transaction waits for one of the locker's. */
async function untilWaiting(): Promise<void> {
  const { rows: own } = await locker.query('select pg_backend_pid() as pid')
  const text = `select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))`
  while ((await watcher.query(text, [own[0].pid])).rowCount === 0) await sleep(5)
}

const cases = stored.flatMap((act) => act.by.map((by) => ({ act, by })))

for (const { act, by } of sampleOf(cases, 3))
  test(`${act.operation} by ${by}`, async () => {
    const ending = endings[endOf[by] ?? '']
    const actor = await actorOf(registrar, by)
    const domain = `right-${randomBytes(5).toString('hex')}.com`
    const setting = { registrar, actor, domain }
    const prepared = await act.prepare?.(setting)
    const before = await act.state(setting)
    await locker.query('begin')
    const { rowCount } = await locker.query(act.locks, [actor.owner.id, domain])
    assert.ok(rowCount)
    const answer = act.send(setting, prepared)
    await untilWaiting()
    await ending?.end(registrar, actor, domain)
    await locker.query('rollback')
    const { status, body, text } = await answer
    assert.equal(`${status} ${body.code}`, ending?.code, text)
    assert.deepEqual(await act.state(setting), before)
  })

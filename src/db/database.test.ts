// The client on a real PostgreSQL: rows as typed, transactions, clashes, lost connections,
// notifications.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { CommitUnknown, DatabaseUnavailable, openDatabase, type Sql } from './database.ts'
import { databaseTime } from './server.sql.ts'
import { add, all, change, of, sum, table, take, wait } from './things.fixture.ts'

let own: TestDatabase
before(async () => {
  own = await testDatabase()
  await own.query(table)
})

/** Ends every other connection to this database, as an administrator or a failover does. */
async function endConnections(): Promise<void> {
  await own.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
}

/**
 * Tries until it succeeds: a connection may be gone before this process knows of it, and then
 * a reading is refused as unavailable and a change as unknown.
 */
async function soon<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      assert.ok(
        error instanceof DatabaseUnavailable || error instanceof CommitUnknown,
        String(error),
      )
    }
  }
}

/** A promise and the function that fulfils it. */
function gate() {
  return Promise.withResolvers<void>()
}

describe('statements', () => {
  test('rows come as the types promise: bigint, Date, text', async () => {
    const rows = await own.database.run(all)
    assert.deepEqual(
      rows.map(({ name, amount }) => [name, amount]),
      [
        ['a', 10n],
        ['b', 20n],
      ],
    )
    assert.ok(rows[0]?.made_at instanceof Date)
  })

  test('wrong names, parameters and columns do not compile', async () => {
    const { database } = own
    // @ts-expect-error a parameter of the wrong type
    await assert.rejects(database.run(add, { name: 'c', amount: 'much' }))
    // @ts-expect-error a parameter is missing
    await assert.rejects(database.run(add, { name: 'c' }), /"things_add" got no value for :amount/)
    // @ts-expect-error a parameter has another name
    await assert.rejects(database.run(add, { name: 'c', sum: 1n }), /no value for :amount/)
    // @ts-expect-error it has no third parameter
    await assert.rejects(database.run(add, { name: 'a', amount: 1n, at: 1 }), { code: '23505' })
    // @ts-expect-error its parameters have names, not places
    await assert.rejects(database.run(add, ['c', 1n]), /no value for :name/)
    // @ts-expect-error it has parameters
    await assert.rejects(database.run(add), /no value for :name/)
    // @ts-expect-error it has none
    assert.equal(await database.count(all, { name: 'a' }), 2)
    const row = await database.one(sum)
    // @ts-expect-error a column that it does not answer
    assert.equal(row.amount, undefined)
    assert.equal(row.total satisfies bigint, 30n)
  })

  test('one and maybe require at most one row', async () => {
    const { database } = own
    await assert.rejects(database.one(all), /"things_all" answered 2 rows, not one/)
    await assert.rejects(database.one(of, { name: 'unknown' }), /"things_of" answered no row/)
    assert.equal(await database.maybe(of, { name: 'unknown' }), undefined)
    assert.equal((await database.maybe(of, { name: 'a' }))?.amount, 10n)
  })

  test('count returns how many rows were changed', async () => {
    assert.equal(await own.database.count(change, { name: 'a', amount: 0n }), 1)
    assert.equal(await own.database.count(change, { name: 'unknown', amount: 0n }), 0)
  })

  test('routes a select that calls a writing function to the writers', async () => {
    const first = await own.database.one(take, { name: 'b' })
    const second = await own.database.one(take, { name: 'b' })
    assert.deepEqual([first.amount, second.amount], [19n, 18n])
    await own.database.run(change, { name: 'b', amount: 2n })
  })

  test('many readings share few connections', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => own.database.one(sum)))
    assert.ok(answers.every(({ total }) => total === 30n))
  })

  test('the database has its time and its migrations', async () => {
    assert.ok(Math.abs(Date.now() - (await databaseTime(own.database)).getTime()) < 60_000)
    const [first] = await own.query('select name from schema_migrations order by number')
    assert.deepEqual(first, { name: '0001-baseline' })
  })
})

describe('a transaction', () => {
  test('commits all or nothing', async () => {
    const { database } = own
    const failed = database.transaction(async (sql) => {
      await sql.run(change, { name: 'a', amount: 5n })
      await sql.run(change, { name: 'b', amount: -100n })
    })
    await assert.rejects(failed, { code: '23514' })
    assert.equal((await database.one(of, { name: 'a' })).amount, 10n)
    await database.transaction(async (sql) => {
      await Promise.all([
        sql.run(change, { name: 'a', amount: -1n }),
        sql.run(change, { name: 'a', amount: 1n }),
      ])
    })
    assert.equal((await database.one(of, { name: 'a' })).amount, 10n)
  })

  test('that ignores a failed statement is an error, not a silent rollback', async () => {
    const ignoring = own.database.transaction(async (sql) => {
      await sql.run(add, { name: 'c', amount: 1n })
      await sql.run(add, { name: 'c', amount: 1n }).catch(() => undefined)
    })
    await assert.rejects(ignoring, /rolled back: a failed statement in it was ignored/)
    assert.equal(await own.database.maybe(of, { name: 'c' }), undefined)
  })

  test('refuses statements after its end', async () => {
    let kept: Sql | undefined
    await own.database.transaction(async (sql) => {
      kept = sql
    })
    await assert.rejects(async () => kept?.run(all), /came after its transaction/)
  })

  test('is run again after a deadlock, and both transactions succeed', async () => {
    const both = [gate(), gate()] as const
    let tries = 0
    const rival = (mine: 0 | 1) => {
      const [first, second] = mine === 0 ? (['a', 'b'] as const) : (['b', 'a'] as const)
      return own.database.transaction(async (sql) => {
        tries += 1
        await sql.run(change, { name: first, amount: 1n })
        both[mine].resolve()
        await both[mine === 0 ? 1 : 0].promise
        await sql.run(change, { name: second, amount: 1n })
      })
    }
    await Promise.all([rival(0), rival(1)])
    assert.ok(tries >= 3, `one of them was run again: ${tries} tries`)
    assert.deepEqual(
      (await own.database.run(all)).map((row) => row.amount),
      [12n, 22n],
    )
  })

  test('is run again when SERIALIZABLE refuses it', async () => {
    let tries = 0
    await own.database.transaction(
      async (sql) => {
        tries += 1
        const { total } = await sql.one(sum)
        if (tries === 1) await own.query(`update things set amount = amount + 1`)
        await sql.run(change, { name: 'a', amount: total })
      },
      { isolation: 'serializable' },
    )
    assert.equal(tries, 2)
  })

  test('gives up as DatabaseUnavailable when the clash does not end', async () => {
    const holder = new pg.Client({ connectionString: own.url })
    await holder.connect()
    try {
      await holder.query(`begin; update things set amount = 1 where name = 'a'`)
      const waiting = own.database.transaction(
        (sql) => sql.run(change, { name: 'a', amount: 1n }),
        { retries: 0 },
      )
      await assert.rejects(waiting, (error: unknown) => {
        return error instanceof DatabaseUnavailable && /too busy: 1 tries/.test(error.message)
      })
    } finally {
      await holder.end()
    }
  })
})

describe('lost connections', () => {
  test('fail what is under way as DatabaseUnavailable, and are re-established automatically', async () => {
    const { database } = own
    const reading = assert.rejects(database.run(wait, { seconds: 5 }), DatabaseUnavailable)
    const begun = gate()
    const writing = assert.rejects(
      database.transaction(async (sql) => {
        await sql.run(change, { name: 'a', amount: 1n })
        begun.resolve()
        await sql.run(wait, { seconds: 5 })
      }),
      DatabaseUnavailable,
    )
    await begun.promise
    await endConnections()
    await Promise.all([reading, writing])
    assert.equal((await soon(() => database.run(all))).length, 2)
    assert.equal(await soon(() => database.count(change, { name: 'a', amount: 0n })), 1)
  })

  test('the pool full for two seconds is DatabaseUnavailable', async () => {
    const url = new URL(own.url)
    url.searchParams.delete('connect_timeout')
    const small = await openDatabase({ url: url.href, pool_size: 1 })
    const release = gate()
    const holding = small.transaction(() => release.promise)
    await assert.rejects(small.run(change, { name: 'a', amount: 0n }), DatabaseUnavailable)
    release.resolve()
    await holding
    await small.close()
  })
})

describe('listening', () => {
  test('receives notifications, and reports when it may have missed some', async () => {
    const notified: string[] = []
    let arrived = gate()
    const back = gate()
    const stop = await own.database.listen('things', {
      notified: (payload) => {
        notified.push(payload)
        arrived.resolve()
      },
      reconnected: back.resolve,
    })
    await own.query(`select pg_notify('things', 'one')`)
    await arrived.promise
    await endConnections()
    await back.promise
    arrived = gate()
    await own.query(`select pg_notify('things', 'two')`)
    await arrived.promise
    await stop()
    assert.deepEqual(notified, ['one', 'two'])
  })
})

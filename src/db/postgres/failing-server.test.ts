// A database that fails for its own reasons (a full or broken disk) is unavailable, and a commit
// that it answers so is unknown: never a mistake of ours.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { newDatabase } from '../../../test/support/database.ts'
import { classify } from '../../errors/classify.ts'
import { CommitUnknown, type Database, DatabaseUnavailable, openDatabase } from '../database.ts'
import { add, of, table } from '../things.fixture.ts'
import { type ServerError, startFailingServer } from './failing-server.fixture.ts'

const failures: ServerError[] = [
  ...['XX000', '58030', '58P01', 'XX001', 'XX002', '53100'].map(
    (code): ServerError => ({ severity: 'FATAL', code }),
  ),
  { severity: 'PANIC', code: 'XX000' },
  { severity: 'PANIC', code: '58030' },
]

let server: Awaited<ReturnType<typeof startFailingServer>>
let database: Database
before(async () => {
  const url = await newDatabase('template_of_tests')
  const owner = new pg.Client(url)
  await owner.connect()
  await owner.query(table)
  await owner.end()
  server = await startFailingServer(url)
  database = await openDatabase({ url: server.url })
})
after(async () => {
  await database.close()
  await server.close()
})
const adding = (name: string) => database.transaction((sql) => sql.one(add, { name, amount: 1n }))
const isThere = async (name: string) => (await database.maybe(of, { name })) !== undefined

describe('a server that refuses each log-in', () => {
  for (const failure of failures)
    test(`by ${failure.severity} ${failure.code} is unavailable, and back afterwards`, async () => {
      server.refuseLogIns(failure)
      for (const asked of [() => adding('new'), () => isThere('new')])
        await assert.rejects(asked, (error: unknown) => {
          assert.ok(error instanceof DatabaseUnavailable, String(error))
          assert.equal(classify(error).status, 503)
          return true
        })
      server.refuseLogIns(null)
      assert.equal(await isThere('new'), false)
    })
})

describe('a commit', () => {
  const ofCommits: ServerError[] = [
    ...failures,
    { severity: 'ERROR', code: '58030' },
    { severity: 'ERROR', code: 'XX001' },
  ]
  for (const failure of ofCommits)
    test(`that is answered by ${failure.severity} ${failure.code} is unknown`, async () => {
      server.answerCommits(failure)
      await assert.rejects(adding(`b${failure.code}`), (error: unknown) => {
        assert.ok(error instanceof CommitUnknown, String(error))
        assert.deepEqual([classify(error).kind, classify(error).status], ['commit_unknown', 503])
        return true
      })
      server.answerCommits(null)
      await adding(`c${failure.severity}${failure.code}`)
    })
})

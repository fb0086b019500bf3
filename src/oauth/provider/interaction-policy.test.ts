// The grant of a consent that was just given, while the database fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../../test/support/service.ts'
import { CommitUnknown, DatabaseUnavailable } from '../../db/database.ts'
import { loadLibrary } from '../shared/load-oidc-provider.ts'
import { grantToResume } from './interaction-policy.ts'

const { app } = (await sharedService({ worker: false })).service
const library = loadLibrary(app.log, app.clock)
const oidc = {
  result: { consent: { grantId: 'grant' } },
  session: { uid: 'login' },
  provider: { Grant: { find: async () => undefined } },
}

test('an unavailable database, or an unknown commit, is a temporary error of a resumption', async () => {
  for (const fails of [new DatabaseUnavailable('away'), new CommitUnknown('who knows')]) {
    const db = { ...app.db, one: () => Promise.reject(fails) }
    await assert.rejects(grantToResume({ app: { db }, library }, { oidc }), (error) => {
      assert.ok(error instanceof library.errors.TemporarilyUnavailable, String(error))
      assert.deepEqual([error.statusCode, error.cause], [503, fails])
      return true
    })
  }
})

test('a bug in a resumption stays one', async () => {
  const bug = new Error('of ours')
  const db = { ...app.db, one: () => Promise.reject(bug) }
  await assert.rejects(grantToResume({ app: { db }, library }, { oidc }), bug)
})

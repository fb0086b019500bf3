// Confirmations and reverts of one change at the same time, and the time when it is due.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { actorOf } from '../../security/rights/actors.ts'
import { must } from '../support/fixture.ts'
import {
  armed,
  before,
  bought,
  confirmed,
  endOf,
  fallDue,
  idleRegistrar,
  stored,
} from './unconfirmed.fixture.ts'

const { request } = idleRegistrar
const { token } = await actorOf(idleRegistrar, 'api_key')

const at = (domain: string, path: string) => `/v1/domains/${domain}/${path}`
const confirm = (domain: string, id: string) =>
  request('POST', at(domain, `changes/${id}/confirm`), { token, body: {} })
const changesOf = async (domain: string) =>
  (await must(request('GET', at(domain, 'changes'), { token }))).body.changes

test('confirmations, reverts and the time that comes at once have one outcome', async () => {
  const act = fc.constantFrom('confirm', 'revert', 'due', 'due')
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 5 }), async (acts) => {
      const domain = await bought(token)
      const id = await armed(token, domain)
      const undo = { token, body: { prune: true } }
      await Promise.all(
        acts.map((one) => {
          if (one === 'confirm') return confirm(domain, id)
          if (one === 'due') return fallDue(id)
          return request('POST', at(domain, `changes/${id}/revert`), undo)
        }),
      )
      const end = await endOf(id)
      const now = await stored(domain)
      const reverts = (await changesOf(domain)).filter(
        ({ reverts }: { reverts: string | null }) => reverts === id,
      )
      // Undone by hand after it was confirmed: both happened, one after the other.
      const undone = end === 'confirmed' && reverts.length === 1 && acts.includes('revert')
      assert.deepEqual(now, [end === 'confirmed' && !undone ? confirmed : before], `${acts} ${end}`)
      assert.ok(end === 'confirmed' || end === 'reverted', end)
      assert.equal(reverts.length, end === 'reverted' || undone ? 1 : 0)
      await fallDue(id)
      assert.deepEqual(await stored(domain), now)
    }),
    { numRuns: 25 },
  )
})

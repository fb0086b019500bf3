// The right of its maker, at the time when it is due, decides whether an unconfirmed change of name
// servers goes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../../../../../test/contract/support/fixture.ts'
import { assertProblem } from '../../../../../test/contract/support/problem.ts'
import { actorOf, endings, type Kind } from '../../../../../test/security/rights/actors.ts'
import { runApprovals } from '../../approved-requests/run-approvals.job.ts'
import {
  armed,
  at,
  change,
  confirm,
  endOf,
  fallDue,
  fresh,
  held,
  mails,
  maker,
  old,
  open,
  registrar,
  shown,
  updates,
} from './unconfirmed-nameservers.fixture.ts'

const { request, query } = registrar

const outcomes: Readonly<Record<string, string>> = {
  logged_out: 'reverted',
  session_expired: 'reverted',
  password_changed: 'kept new_password',
  key_revoked: 'kept maker_right_ended',
  parent_revoked: 'kept maker_right_ended',
  key_rotated: 'reverted',
  key_expired: 'kept maker_right_ended',
  key_narrowed: 'kept maker_right_ended',
  key_elsewhere: 'reverted',
  disconnected: 'kept maker_right_ended',
  consent_narrowed: 'kept maker_right_ended',
  app_narrowed: 'kept maker_right_ended',
  suspended: 'kept account_suspended',
  protected: 'kept domain_protected',
}

type End = (typeof endings)[string]['end']

async function comesOut(kind: Kind, { end, outcome }: { end: End; outcome: string }) {
  const actor = await actorOf(registrar, kind)
  const domain = await held(actor)
  const id = await armed(actor, domain)
  await end(registrar, actor, domain)
  await fallDue(id)
  const goesBack = outcome === 'reverted'
  assert.deepEqual([await endOf(id), shown(domain)], [outcome, goesBack ? old : fresh])
  assert.equal(await mails(actor, id), goesBack ? 0 : 1)
}

for (const [name, { of, end }] of Object.entries(endings)) {
  const outcome = outcomes[name]
  if (outcome === undefined) continue
  test(`after ${name}: ${outcome}`, async () => {
    for (const kind of of) if (kind !== 'operator') await comesOut(kind, { end, outcome })
  })
}

const posts =
  (...paths: string[]): End =>
  async (_registrar, { session: token }, domain) => {
    for (const path of paths) await must(request('POST', at(domain, path), { token, body: {} }))
  }

test('a protection that has ended again, and a lock by the owner, stand against it', async () => {
  await comesOut('api_key', {
    end: posts('/protect', '/unprotect'),
    outcome: 'kept domain_protected',
  })
  await comesOut('api_key', { end: posts('/lock'), outcome: 'kept domain_locked' })
})

test('the owner alone decides about one that was kept', async () => {
  const actor = await actorOf(registrar, 'api_key')
  const domain = await held(actor)
  const id = await armed(actor, domain)
  const { body } = await must(request('POST', at(domain, '/protect'), { token: actor.session }))
  assert.equal(body.unconfirmed_changes[0].id, id)
  await fallDue(id)
  assertProblem(await confirm(actor.token, domain, id), '403 dns_change_not_own')
  assert.equal((await open(actor, domain))[0].kept_because, 'domain_protected')
  await must(confirm(actor.session, domain, id))
  assert.equal(await endOf(id), 'confirmed domain_protected')
  assert.deepEqual([shown(domain), await open(actor, domain)], [fresh, []])
})

test('the owner who approves it reads when it goes back, and it does', async () => {
  const actor = await actorOf(registrar, 'api_key')
  const domain = await held(actor)
  await must(request('POST', at(domain, '/protect'), { token: actor.session }))
  const asked = await change(actor, domain, { nameservers: fresh, revert_after: 'PT1H' })
  assertProblem(asked, '403 approval_required')
  const path = `/v1/approvals/${asked.body.approval.id}`
  const { body } = await must(request('GET', path, { token: actor.session }))
  assert.equal(body.request.revert_after, 'PT1H')
  await must(request('POST', `${path}/approve`, { token: actor.session, body: {} }))
  await registrar.run(runApprovals)
  assert.deepEqual(shown(domain), fresh)
  const [one] = await open(actor, domain)
  await fallDue(one.id)
  assert.deepEqual([shown(domain), await endOf(one.id)], [old, 'reverted'])
})

test('a holding that has ended takes it along', async () => {
  const domain = await held(maker)
  const id = await armed(maker, domain)
  await query(`update domains set ended_at = now(), end_reason = 'dropped' where name = $1`, [
    domain,
  ])
  const before = updates()
  await fallDue(id)
  assert.deepEqual([updates(), await endOf(id)], [before, undefined])
})

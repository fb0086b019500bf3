// Changes of records that go back by themselves unless they are confirmed.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { systemCall } from '../../../src/capabilities/audit/index.ts'
import { runApprovals } from '../../../src/capabilities/domains/approved-requests/run-approvals.job.ts'
import { actorOf } from '../../security/rights/actors.ts'
import { must } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import {
  armed,
  before,
  bought,
  confirmed,
  endOf,
  fallDue,
  idleRegistrar,
  meanwhile,
  patch,
  rows,
  runJob,
  stored,
  www,
} from './unconfirmed.fixture.ts'

const { request } = idleRegistrar
const maker = await actorOf(idleRegistrar, 'api_key')
const { token, owner, session } = maker

const at = (domain: string, path: string) => `/v1/domains/${domain}/${path}`
const confirm = (domain: string, id: string, by = token) =>
  request('POST', at(domain, `changes/${id}/confirm`), { token: by, body: {} })
const changesOf = async (domain: string) =>
  (await must(request('GET', at(domain, 'changes'), { token }))).body.changes
const actions = async (domain: string) =>
  (
    await rows(
      `select action, metadata from audit_logs where target = $1 and action like '%dns_change'
        order by id`,
      [domain],
    )
  ).map(({ action, metadata }) => [action, metadata.state ?? metadata.reason])

describe('a change with revert_after', () => {
  it('has a short TTL, is shown as unconfirmed, and goes back when it is due', async () => {
    const domain = await bought(token)
    const given = { sets: [www('192.0.2.2', 3_600)], revert_after: 'PT10M' }
    const preview = await must(patch(token, domain, { ...given, dry_run: true }))
    assert.equal(preview.body.change, null)
    const { body } = await must(patch(token, domain, given))
    const { id, reverts_at } = body.change
    assert.equal(id, body.change_id)
    assert.ok(Math.abs(Date.parse(reverts_at) - Date.now() - 600_000) < 60_000)
    assert.deepEqual(await stored(domain), [meanwhile])
    const [change] = await changesOf(domain)
    assert.deepEqual([change.state, change.reverts_at], ['unconfirmed', reverts_at])
    const alone = await must(request('GET', at(domain, `changes/${id}`), { token }))
    assert.deepEqual(alone.body, change)
    const read = await must(request('GET', at(domain, 'records'), { token }))
    assert.deepEqual(read.body.unconfirmed_changes[0].id, id)
    const shown = await must(request('POST', at(domain, 'protect'), { token: session }))
    assert.equal(shown.body.unconfirmed_changes[0].reverts_at, reverts_at)
    await must(request('POST', at(domain, 'unprotect'), { token: session }))
    await runJob()
    assert.deepEqual(await stored(domain), [meanwhile])
    const second = await bought(token)
    const due = await armed(token, second)
    await fallDue(due)
    assert.deepEqual(await stored(second), [before])
    const [back, gone] = await changesOf(second)
    assert.equal(back.reverts, due)
    assert.deepEqual([gone.state, gone.reverted_by], ['reverted', back.id])
    const ended = await must(request('GET', at(second, `changes/${due}`), { token }))
    assert.deepEqual(ended.body, gone)
    assert.deepEqual([back.made_by.kind, back.entry_point], ['api_key', 'job'])
    assert.deepEqual(await actions(second), [['revert_unconfirmed_dns_change', 'reverted']])
    assertProblem(await confirm(second, due), '409 dns_change_ended')
    const again = await must(request('GET', at(second, 'records'), { token }))
    assert.deepEqual(again.body.unconfirmed_changes, [])
  })

  it('stays with the asked TTL once it is confirmed, and can be undone later', async () => {
    const domain = await bought(token)
    const id = await armed(token, domain)
    const { body } = await must(confirm(domain, id))
    assert.equal(body.change.state, 'confirmed')
    assert.deepEqual(await stored(domain), [confirmed])
    await fallDue(id)
    assert.deepEqual(await stored(domain), [confirmed])
    const repeated = await must(confirm(domain, id))
    assert.deepEqual([repeated.body.change.state, repeated.body.records.diff], ['confirmed', []])
    assert.deepEqual(
      (await actions(domain)).filter(([action]) => action !== 'revert_dns_change'),
      [
        ['confirm_dns_change', 'confirmed'],
        ['confirm_dns_change', undefined],
      ],
    )
    const undo = { token, body: { prune: true } }
    await must(request('POST', at(domain, `changes/${id}/revert`), undo))
    assert.deepEqual(await stored(domain), [before])
  })
})

describe('an unconfirmed change that is due', () => {
  it('goes back set by set, and leaves what was changed since', async () => {
    const domain = await bought(token)
    const sets = [www('192.0.2.2'), { host: 'a', type: 'TXT', values: ['new'] }]
    const { body } = await must(patch(token, domain, { sets, revert_after: 'PT1M' }))
    await must(patch(token, domain, { add: [{ host: 'a', type: 'TXT', value: 'more' }] }))
    await fallDue(body.change.id)
    // The later change got the TTL that was asked for, not the short one.
    assert.deepEqual(await stored(domain), ['a 16 3600 036e6577 046d6f7265', before])
    const [row] = await rows(
      `select metadata from audit_logs
        where target = $1 and action = 'revert_unconfirmed_dns_change'`,
      [domain],
    )
    assert.deepEqual(row.metadata.unreverted, ['a TXT'])
  })

  it('stays where all of it was changed since', async () => {
    const domain = await bought(token)
    const id = await armed(token, domain)
    await must(patch(token, domain, { sets: [www('192.0.2.3')] }))
    await fallDue(id)
    assert.equal(await endOf(id), 'kept changed_since')
    assert.deepEqual(await stored(domain), ['www 1 3600 c0000203'])
    assert.deepEqual(await actions(domain), [['keep_unconfirmed_dns_change', 'changed_since']])
  })

  it('leaves the sets against which a rule stands then', async () => {
    const domain = await bought(token)
    const mail = { host: 'mail', type: 'A', values: ['192.0.2.9'] }
    await must(patch(token, domain, { sets: [mail] }))
    const sets = [www('192.0.2.2'), { ...mail, values: [] }]
    const { body } = await must(patch(token, domain, { sets, revert_after: 'PT1M' }))
    const alias = { host: 'mail', type: 'CNAME', values: ['example.net.'] }
    await must(patch(token, domain, { sets: [alias] }))
    await fallDue(body.change.id)
    assert.equal(await endOf(body.change.id), 'reverted')
    const now = await stored(domain)
    assert.equal(now.length, 2)
    assert.equal(now[1], before)
    assert.match(now[0] ?? '', /^mail 5 /)
  })
})

describe('an unconfirmed change', () => {
  it('is the only one of a set', async () => {
    const domain = await bought(token)
    const id = await armed(token, domain)
    const given = { sets: [www('192.0.2.3')], revert_after: 'PT1M' }
    const refused = await patch(token, domain, given)
    assertProblem(refused, '409 dns_change_unconfirmed')
    assert.deepEqual([refused.body.change_id, refused.body.host], [id, 'www'])
    const other = { sets: [{ host: 'b', type: 'TXT', values: ['x'] }], revert_after: 'PT1M' }
    await must(patch(token, domain, other))
    // The record is like this already, so nothing new waits.
    const same = await must(patch(token, domain, { sets: [www('192.0.2.2', 3_600)] }))
    assert.deepEqual(same.body.diff, [])
  })

  it('can be taken back by hand before it is due', async () => {
    const domain = await bought(token)
    const id = await armed(token, domain)
    const undo = { token, body: { prune: true } }
    const { body } = await must(request('POST', at(domain, `changes/${id}/revert`), undo))
    assert.equal(body.change.state, 'reverted')
    assert.deepEqual(await stored(domain), [before])
    await fallDue(id)
    assert.deepEqual(await stored(domain), [before])
  })

  it('keeps what it added with the asked TTL where it is undone without prune', async () => {
    const domain = await bought(token)
    const sets = [{ host: 'a', type: 'TXT', ttl: 900, values: ['new'] }]
    const { body } = await must(patch(token, domain, { sets, revert_after: 'PT1M' }))
    const path = at(domain, `changes/${body.change.id}/revert`)
    await must(request('POST', path, { token, body: {} }))
    assert.deepEqual(await stored(domain), ['a 16 900 036e6577', before])
  })

  it('may be of one set, of a deletion and of a whole zone', async () => {
    const domain = await bought(token)
    const set = { token, body: { values: ['192.0.2.2'], revert_after: 'PT1M' } }
    const put = await must(request('PUT', at(domain, 'records/www/A'), set))
    await fallDue(put.body.change.id)
    const removal = at(domain, 'records/www/A?revert_after=PT1M')
    const gone = await must(request('DELETE', removal, { token }))
    assert.deepEqual(await stored(domain), [])
    await fallDue(gone.body.change.id)
    assert.deepEqual(await stored(domain), [before])
    const { headers } = await must(request('GET', at(domain, 'records'), { token }))
    const whole = await must(
      request('PUT', at(domain, 'records'), {
        token,
        body: { sets: [], revert_after: 'PT24H' },
        headers: { 'if-match': headers.get('etag') ?? '' },
      }),
    )
    await fallDue(whole.body.change.id)
    assert.deepEqual(await stored(domain), [before])
  })

  it('has a time from a minute to a day', async () => {
    const domain = await bought(token)
    for (const revert_after of ['PT59S', 'PT24H1S', 'P1M', '10m', 'PT']) {
      const refused = await patch(token, domain, { sets: [www('192.0.2.2')], revert_after })
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(refused.body.detail[0].loc, ['body', 'revert_after'])
    }
    assert.deepEqual(await stored(domain), [before])
  })
})

test('a confirmation is of its maker, or of the owner in a session', async () => {
  const domain = await bought(token)
  const id = await armed(token, domain)
  assertProblem(await confirm(domain, id, owner.key), '403 dns_change_not_own')
  assert.deepEqual(await stored(domain), [meanwhile])
  await must(confirm(domain, id, session))
  assert.deepEqual(await stored(domain), [confirmed])
  const plain = await must(patch(token, domain, { sets: [www('192.0.2.7')] }))
  assertProblem(await confirm(domain, plain.body.change_id), '409 dns_change_ended')
  assertProblem(await confirm(domain, 'dch_x'), '404 dns_change_not_found')
})

test('the owner alone decides about one that was kept', async () => {
  for (const decision of ['confirm', 'revert']) {
    const domain = await bought(token)
    const id = await armed(token, domain)
    await must(request('POST', at(domain, 'protect'), { token: session }))
    assertProblem(await confirm(domain, id), '403 dns_change_not_own')
    await fallDue(id)
    const [kept] = await changesOf(domain)
    assert.deepEqual([kept.state, kept.kept_because], ['kept', 'domain_protected'])
    assertProblem(await confirm(domain, id), '403 dns_change_not_own')
    const shown = await must(request('GET', at(domain, 'records'), { token: session }))
    assert.deepEqual(
      shown.body.unconfirmed_changes.map(({ id, state }: { id: string; state: string }) => [
        id,
        state,
      ]),
      [[id, 'kept']],
    )
    const options = { token: session, body: decision === 'revert' ? { prune: true } : {} }
    await must(request('POST', at(domain, `changes/${id}/${decision}`), options))
    assert.deepEqual(await stored(domain), [decision === 'revert' ? before : confirmed])
    assert.match(await endOf(id), decision === 'revert' ? /^reverted/ : /^confirmed/)
  }
})

test('the owner who approves a change reads when it goes back, and it does', async () => {
  const domain = await bought(token)
  await must(request('POST', at(domain, 'protect'), { token: session }))
  const given = { sets: [www('192.0.2.2', 3_600)], revert_after: 'PT10M' }
  const asked = await patch(token, domain, given)
  assertProblem(asked, '403 approval_required')
  const path = `/v1/approvals/${asked.body.approval.id}`
  const shown = await must(request('GET', path, { token: session }))
  assert.equal(shown.body.request.revert_after, 'PT10M')
  await must(request('POST', `${path}/approve`, { token: session, body: {} }))
  const { app } = idleRegistrar.service
  while ((await runApprovals.run(app, systemCall(app, 'run_approvals'))).more);
  assert.deepEqual(await stored(domain), [meanwhile])
  const [{ id, state }] = await changesOf(domain)
  assert.equal(state, 'unconfirmed')
  await fallDue(id)
  assert.deepEqual(await stored(domain), [before])
})

test('an open change outlives the number of changes that are kept', async () => {
  const domain = await bought(token)
  const id = await armed(token, domain)
  await rows(
    `insert into dns_changes (id, domain_id, customer_id, serial, action, actor_type,
                              entry_point, sets, octets)
     select 'dch_' || right(md5(id), 6) || lpad(i::text, 20, '0'), domain_id, customer_id, serial,
            action, actor_type, entry_point, '[]', 1
       from dns_changes, generate_series(1, 1_001) i where id = $1`,
    [id],
  )
  await must(patch(token, domain, { sets: [{ host: 'b', type: 'TXT', values: ['x'] }] }))
  await fallDue(id)
  assert.equal(await endOf(id), 'reverted')
  assert.ok((await stored(domain)).includes(before))
})

// Records of a protected domain: its owner changes them after a fresh log-in; a key waits for the
// owner, unless the owner limited it to challenges.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recentSessionOf, sessionOf } from '../../support/sign-in.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import { registrar } from './records.fixture.ts'

const { request, customer } = registrar

/** A protected domain, its owner, and sessions of before and of now. */
async function held() {
  const owner = await customer({
    funds_cents: 10_000,
    scopes: ['domains:read', 'domains:write', 'domains:purchase', 'keys:write'],
  })
  const domain = `${fresh()}.com`
  const at = `/v1/domains/${domain}`
  await must(request('POST', '/v1/domains', { token: owner.key, body: { domain } }))
  const session = await recentSessionOf(registrar, owner)
  await must(request('POST', `${at}/protect`, { token: session }))
  const patch = (token: string, host: string, type = 'TXT') =>
    request('PATCH', `${at}/records`, {
      token,
      body: { add: [{ host, type, value: type === 'A' ? '192.0.2.1' : 'x' }] },
    })
  const hosts = async () => {
    const { body } = await must(request('GET', `${at}/records`, { token: owner.key }))
    return body.sets
      .filter(({ managed }: { managed: boolean }) => !managed)
      .map(({ host }: { host: string }) => host)
  }
  return { owner, session, patch, hosts, at }
}

test('a session needs a log-in of the last ten minutes', async () => {
  const { owner, session, patch, hosts } = await held()
  const earlier = await sessionOf(registrar, owner)
  assertProblem(await patch(earlier, 'a'), '403 fresh_log_in_needed')
  assert.deepEqual(await hosts(), [])
  await must(patch(session, 'a'))
  assert.deepEqual(await hosts(), ['a'])
})

test('a key waits for the approval of the owner, whatever the route', async () => {
  const { owner, session, patch, hosts, at } = await held()
  const asked = await patch(owner.key, 'a')
  assertProblem(asked, '403 approval_required')
  const set = { token: owner.key, body: { record_value: '192.0.2.1' } }
  assertProblem(await request('POST', `${at}/dns-record`, set), '403 approval_required')
  const put = { token: owner.key, body: { values: ['192.0.2.1'] } }
  assertProblem(await request('PUT', `${at}/records/b/A`, put), '403 approval_required')
  assert.deepEqual(await hosts(), [])
  const { id } = asked.body.approval
  const shown = await must(request('GET', `/v1/approvals/${id}`, { token: session }))
  assert.deepEqual(shown.body.request.records, [
    { host: 'a', type: 'TXT', before: null, after: { ttl: 3600, values: ['"x"'] } },
  ])
  await must(request('POST', `/v1/approvals/${id}/approve`, { token: session, body: {} }))
  const done = await must(request('GET', `/v1/approvals/${id}/wait?wait=20`, { token: session }))
  assert.equal(done.body.state, 'executed')
  assert.deepEqual(await hosts(), ['a'])
  // The record is like this already, so there is nothing to approve.
  await must(patch(owner.key, 'a'))
})

test('a key that its owner limited to challenges in a session needs no approval', async () => {
  const { owner, session, patch, hosts } = await held()
  const dns = { hosts: ['_acme-challenge*'], types: ['TXT'] }
  const body = { name: 'acme', scopes: ['dns:write'], dns }
  const path = `/v1/customers/${owner.id}/api-keys`
  const key = (await must(request('POST', path, { token: session, body }), 201)).body.api_key
  await must(patch(key, '_acme-challenge.www'))
  assert.deepEqual(await hosts(), ['_acme-challenge.www'])
  assertProblem(await patch(key, 'www'), '403 dns_record_not_allowed')
  assertProblem(await patch(key, '_acme-challenge', 'A'), '403 dns_record_not_allowed')
  const made = await must(request('POST', path, { token: owner.key, body }), 201)
  assertProblem(await patch(made.body.api_key, '_acme-challenge'), '403 approval_required')
})

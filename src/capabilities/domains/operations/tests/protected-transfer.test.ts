// The transfer away of a protected domain: the owner approves one request of one registrar, which
// is shown, and no other one that is pending when the service answers it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAway, cancelAway } from '../../../../../test/support/other-registrar.ts'
import { recentSessionOf } from '../../../../../test/support/sign-in.ts'
import { runApprovals } from '../../approved-requests/run-approvals.job.ts'
import { updateService } from '../../updates/updates.fixture.ts'

const registrar = await updateService()
const { owner, call, sandbox } = registrar
const session = await recentSessionOf(registrar, owner)
const asOwner = (at: string, body: object = {}) =>
  registrar.request('POST', at, { token: session, body })
const approveIt = (domain: string) => `POST /v1/domains/${domain}/transfer/approve`

/** A protected domain of ours. */
async function protectedDomain(domain: string): Promise<void> {
  await registrar.buys(owner, domain)
  const done = await asOwner(`/v1/domains/${domain}/protect`)
  assert.equal(done.status, 200, done.text)
}

/** The other registrar asks for it, with a code that the owner read. */
async function askFor(domain: string): Promise<void> {
  const at = `/v1/domains/${domain}/transfer-auth-code`
  const { body, text } = await registrar.request('GET', at, { token: session })
  assert.ok(body.auth_code, text)
  await askAway(registrar, { domain, auth_info: body.auth_code })
}

/** Approved by the owner, and done by the service: its end. */
async function approved(id: string) {
  const answer = await asOwner(`/v1/approvals/${id}/approve`)
  assert.equal(answer.status, 200, answer.text)
  await registrar.run(runApprovals)
  return call('200', `GET /v1/approvals/${id}`)
}

test('asks the owner for nothing while no other registrar has requested the domain', async () => {
  await protectedDomain('nothing-asked.com')
  await call('409 no_transfer_pending', approveIt('nothing-asked.com'))
  const { approvals } = await call('200', 'GET /v1/approvals')
  assert.deepEqual(approvals, [])
})

test('the owner is shown the registrar, and its request is then approved', async () => {
  const domain = 'shown-away.com'
  await protectedDomain(domain)
  await askFor(domain)
  const { approval } = await call('403 approval_required', approveIt(domain))
  const { request } = await call('200', `GET /v1/approvals/${approval.id}`)
  assert.equal(request.requested_by, 'registrar-b')
  assert.ok(Date.parse(request.requested_at) > 0)
  const again = await call('403 approval_required', approveIt(domain))
  assert.equal(again.approval.id, approval.id)
  const { state, error } = await approved(approval.id)
  assert.deepEqual([state, error], ['executed', null])
  assert.equal(sandbox.lookup(domain)?.sponsor, 'registrar-b')
})

test('a later request for the domain is another one, which the approval does not let go', async () => {
  const domain = 'asked-again.com'
  await protectedDomain(domain)
  await askFor(domain)
  const { approval } = await call('403 approval_required', approveIt(domain))
  await cancelAway(registrar, domain)
  await registrar.advance('PT1H')
  await askFor(domain)
  const { state, error } = await approved(approval.id)
  assert.deepEqual([state, error?.code], ['voided', 'request_changed'])
  assert.equal(sandbox.lookup(domain)?.sponsor, 'registrar-a')
  const other = await call('403 approval_required', approveIt(domain))
  assert.notEqual(other.approval.id, approval.id)
  assert.equal((await approved(other.approval.id)).state, 'executed')
})

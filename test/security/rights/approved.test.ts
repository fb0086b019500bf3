// An approved change that the service makes while its registry holds the answer: the end of the key
// or the app, of the account's activity or of the approval itself stops it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCall } from '../../../src/capabilities/audit/index.ts'
import { runApprovals } from '../../../src/capabilities/domains/approved-requests/run-approvals.job.ts'
import { sampleOf } from '../../shards/sampling.ts'
import { askAway } from '../../support/other-registrar.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { sharedMovedService } from '../../support/service.ts'
import { type Actor, actorOf, endings, type Kind } from './actors.ts'

const registrar = await sharedMovedService()
const { sandbox } = registrar
const { app } = registrar.service
let names = 0

type Change = { at: string; body?: object; holds: string; away?: true }
const changes: Readonly<Record<string, Change>> = {
  'name servers': {
    at: 'PATCH /v1/domains/{domain}',
    body: { nameservers: ['ns1.elsewhere.net', 'ns2.elsewhere.net'] },
    holds: 'domain:info',
  },
  unlock: { at: 'POST /v1/domains/{domain}/unlock', holds: 'domain:info' },
  'a transfer away': {
    at: 'POST /v1/domains/{domain}/transfer/approve',
    holds: 'domain:transfer',
    away: true,
  },
  'a renewal': {
    at: 'POST /v1/domains/{domain}/renew',
    body: { period_years: 1 },
    holds: 'domain:info',
  },
}

/** How the approval ends. */
const ends: Readonly<Record<string, { by: Kind; state: string; error_code: string }>> = {
  key_revoked: { by: 'api_key', state: 'voided', error_code: 'key_revoked' },
  key_expired: { by: 'api_key', state: 'voided', error_code: 'key_revoked' },
  disconnected: { by: 'app', state: 'voided', error_code: 'app_disconnected' },
  consent_narrowed: { by: 'app', state: 'failed', error_code: 'insufficient_scope' },
  suspended: { by: 'api_key', state: 'failed', error_code: 'account_suspended' },
}

async function ask(at: string, token: string, body?: object) {
  const [method = '', path = ''] = at.split(' ')
  return registrar.request(method, path, { token, ...(body && { body }) })
}

async function must(at: string, token: string, body?: object) {
  const answer = await ask(at, token, body)
  assert.ok(answer.status < 300, `${at}: ${answer.text}`)
  return answer.body
}

/** A protected domain of a caller that asks above 5.00 USD. */
async function heldBy(actor: Actor, { away }: Change): Promise<string> {
  names += 1
  const domain = `right-approved-${process.pid}-${names}.com`
  const { owner, session } = actor
  await must('POST /v1/domains', owner.key, { domain })
  await must(`POST /v1/domains/${domain}/lock`, owner.key)
  const code = away && (await must(`GET /v1/domains/${domain}/transfer-auth-code`, owner.key))
  if (away) await must(`POST /v1/domains/${domain}/unlock`, owner.key)
  if (code) await askAway(registrar, { domain, auth_info: code.auth_code })
  await must(`POST /v1/domains/${domain}/protect`, session)
  const limit = { approval_above: { amount: '5.00' } }
  const keys = `/v1/customers/${owner.id}/api-keys`
  const at = actor.kind === 'app' ? '/v1/account/oauth-grants' : keys
  await must(`PATCH ${at}/${actor.id}`, session, limit)
  return domain
}

async function approved(actor: Actor, domain: string, { at, body }: Change): Promise<string> {
  const asked = await ask(at.replace('{domain}', domain), actor.token, body)
  assert.equal(asked.body.code, 'approval_required', asked.text)
  const { id } = asked.body.approval
  await must(`POST /v1/approvals/${id}/approve`, actor.session, {})
  return id
}

const stateOf = async (domain: string, { owner }: Actor) => [
  sandbox.lookup(domain),
  await rowsIn(registrar)('select held from ledger_accounts where customer_id = $1', [owner.id]),
]

const cases = Object.entries(changes).flatMap(([what, change]) =>
  Object.entries(ends).map(([ending, end]) => ({ what, change, ending, ...end })),
)

for (const { what, change, ending, by, ...expected } of sampleOf(cases, 5))
  test(`${what}: ${ending}`, async () => {
    const actor = await actorOf(registrar, by)
    const domain = await heldBy(actor, change)
    const id = await approved(actor, domain, change)
    const before = await stateOf(domain, actor)
    sandbox.setFault({ name: 'slow', command: change.holds, domain, delay_ms: 60_000 })
    const run = runApprovals.run(app, systemCall(app, runApprovals.name))
    while (sandbox.faults().length > 0) await sleep(5)
    await endings[ending]?.end(registrar, actor, domain)
    sandbox.releaseDelayed()
    await run
    assert.deepEqual(await stateOf(domain, actor), before)
    const approval = await must(`GET /v1/approvals/${id}`, actor.session)
    const { state, error } = approval
    assert.deepEqual({ state, error_code: error?.code ?? null }, expected)
  })

// For tests of web push: a service that may send to a push service on this machine, owners whose
// agents ask for approval, and their browsers.
import assert from 'node:assert/strict'
import { startPushService } from '../../../../sandbox/push/index.ts'
import { rowsIn } from '../../../../test/support/owner-sql.ts'
import { startService, type TestCustomer } from '../../../../test/support/service.ts'
import { recentSessionOf } from '../../../../test/support/sign-in.ts'

export const at = '/v1/account/push-subscriptions'
const scopes = ['account:read', 'domains:read', 'domains:purchase', 'keys:write']
let names = 0

export async function openPush({ worker }: { worker: boolean }) {
  const settings = { ALLOW_LOOPBACK_WEBHOOKS: 'true' }
  const registrar = await startService({ worker, settings })
  const service = await startPushService()
  registrar.closers.push(service.close)
  const { request } = registrar
  const public_key = registrar.service.app.webPush?.public_key ?? ''

  /** A browser of this session, which is notified from now on. */
  async function browserOf(session: string) {
    const browser = await service.subscribe(public_key)
    const made = await request('POST', at, { token: session, body: browser.subscription })
    assert.equal(made.status, 201, made.text)
    return { ...browser, id: String(made.body.id), browser }
  }

  async function owner() {
    const person = await registrar.customer({ scopes, funds_cents: 100_000 })
    return { ...person, session: await recentSessionOf(registrar, person) }
  }

  /** Asks for a purchase of two years: the id of the approval. */
  async function ask(person: TestCustomer) {
    const domain = nextName()
    const body = { name: 'agent', scopes, approval_above: { amount: '5.00' } }
    const keys = `/v1/customers/${person.id}/api-keys`
    const made = await request('POST', keys, { token: person.key, body })
    assert.equal(made.status, 201, made.text)
    const token = String(made.body.api_key)
    const buy = { domain, period_years: 2 }
    const refused = await request('POST', '/v1/domains', { token, body: buy })
    return { domain, token, refused, id: String(refused.body.approval?.id) }
  }

  const list = async (token: string) => {
    const { body } = await request('GET', at, { token })
    return body.push_subscriptions.map(({ id }: { id: string }) => id)
  }
  return { registrar, service, request, query: rowsIn(registrar), browserOf, owner, ask, list }
}

function nextName(): string {
  names += 1
  return `pushed-${process.pid}-${names}.com`
}

// A customer with one resource of each kind, so that every operation can be called.
import { randomBytes } from 'node:crypto'
import { scopes } from '../../../src/app.ts'
import type { Answer, TestCustomer, TestService } from '../../support/service.ts'

export type Fixture = TestCustomer & {
  registrar: TestService
  /** The domain is bought, and `order` is the order that bought it. */
  domain: string
  order_id: string
  /** An entry of its audit log that is already in a signed block. */
  audit_log_id: number
}

/** Fields by their location. */
export type Example = {
  path?: Record<string, string | number>
  query?: Record<string, string>
  body?: Record<string, unknown>
  headers?: Record<string, string>
  /** The owner's own fields, if it takes any. */
  session?: string
  /** Makes the event that a call with `wait` waits for. */
  awaited?: () => Promise<unknown>
}

/** Files may share a service, and each counts from one. */
const file_tag = randomBytes(3).toString('hex')
let made = 0

/** A word that no other test uses as a label, an e-mail address or an id. */
export function fresh(word = 'name'): string {
  made += 1
  return `${word}-${file_tag}-${made}`
}

/** The answer, or an Error that shows the unexpected one. */
export async function must(answer: Promise<Answer>, status = 200): Promise<Answer> {
  const done = await answer
  if (done.status !== status) throw new Error(`${done.status}, not ${status}: ${done.text}`)
  return done
}

/** A funded customer whose key has every scope; it holds a domain. */
export async function openFixture(registrar: TestService): Promise<Fixture> {
  const customer = await registrar.customer({ scopes: [...scopes], funds_cents: 10_000_000 })
  const token = customer.key
  const domain = `${fresh('fixture')}.com`
  const bought = await must(registrar.request('POST', '/v1/domains', { token, body: { domain } }))
  const logs = `/v1/customers/${customer.id}/audit-logs`
  const listed = await must(registrar.request('GET', logs, { token }))
  const audit_log_id: number = listed.body.audit_logs[0].id
  await until(async () => {
    const proof = await registrar.request('GET', `${logs}/${audit_log_id}/proof`, { token })
    return proof.status === 200
  })
  return { ...customer, registrar, domain, order_id: bought.body.operation.id, audit_log_id }
}

/**
 * Repeats the question until the condition holds, because work of a job in the background has no
 * event that a test could await.
 */
export async function until(isSo: () => Promise<boolean>, most_ms = 40_000): Promise<void> {
  const end = Date.now() + most_ms
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Not so after ${most_ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A further key of the customer, made by an operator. */
export async function keyOf(fixture: Fixture, held: readonly string[]): Promise<TestKey> {
  const { registrar, id } = fixture
  const path = `/v1/customers/${id}/api-keys`
  const options = { token: registrar.operatorKey, body: { scopes: held } }
  const { body } = await must(registrar.request('POST', path, options), 201)
  return { id: body.key.id, api_key: body.api_key }
}
type TestKey = { id: number; api_key: string }

/** The balance, as the operator reads it. */
export async function balanceOf(
  registrar: TestService,
  id: string,
): Promise<{ available: string; held: string; total: string }> {
  const path = `/v1/customers/${id}/billing/balance`
  const { body } = await must(registrar.request('GET', path, { token: registrar.operatorKey }))
  return { available: body.available, held: body.held, total: body.total }
}

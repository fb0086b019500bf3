// The reads of a customer of a recorded database, which are the same after every later upgrade:
// facts that no passage of time changes.
import assert from 'node:assert/strict'
import type { TestService } from '../support/service.ts'

type Kept = { key: string; answers: Record<string, unknown> }
export type Recorded = { empty: string[]; kept: Kept[] }

/** Reads as the key's customer. */
export async function readKept(registrar: TestService, key: string): Promise<Kept> {
  const read = async (path: string) => {
    const { status, body, text } = await registrar.request('GET', path, { token: key })
    assert.equal(status, 200, `${path}: ${text}`)
    return body
  }
  const { id } = await read('/v1/account')
  const of = `/v1/customers/${id}`
  const lists = [
    ...[`${of}/billing/balance`, `${of}/billing/transactions`, `${of}/billing/invoices`],
    ...[`${of}/contacts`, `${of}/api-keys`, '/v1/webhooks'],
  ]
  const answers: Record<string, unknown> = {}
  for (const path of ['/v1/account', ...lists]) answers[path] = lasting(await read(path))
  // The list is the database's alone: a single domain may be read at its registry.
  const { domains } = await read('/v1/domains')
  for (const one of domains) answers[one.domain] = lasting(one)
  return { key, answers }
}

/** Fields that depend on when they are read. */
const passing = new Set([
  ...['status', 'updated_at', 'request_id', 'next_actions', 'operation', 'last_used_at'],
  ...['age_s', 'served', 'epp_statuses', 'rgp_statuses', 'registry_expiry', 'auto_renew_at'],
])

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !passing.has(name))
  return Object.fromEntries(kept.map(([name, one]) => [name, lasting(one)]))
}

// Exports of a customer's log, for tests of the export and of the offline verifier.
import assert from 'node:assert/strict'
import { verifyExport } from '../../../../audit-verifier/verify-export.js'
import { sharedService, type TestCustomer } from '../../../../test/support/service.ts'

export const registrar = await sharedService()
export const signer = registrar.service.app.auditSigner
const { key_id } = signer

type Fields = Record<string, unknown>
export type Page = {
  statement: Fields & { after_id: string; last_id: string; count: number }
  signature: string
  public_key: string
  entries: (Fields & { id: number; row_hash: string; path: string[]; leaf_index: number })[]
  blocks: (Fields & { number: string; signature: string })[]
  next_cursor: string | null
}

export const act = ({ id, key }: TestCustomer, name: string) =>
  registrar.request('POST', `/v1/customers/${id}/api-keys`, {
    token: key,
    body: { name, scopes: ['audit:read'] },
  })
const lastEntry = async ({ id, key }: TestCustomer): Promise<number> =>
  (await registrar.request('GET', `/v1/customers/${id}/audit-logs?limit=1`, { token: key })).body
    .audit_logs[0].id

/** Until the last entry is in a block. */
export async function sealed(customer: TestCustomer): Promise<void> {
  const { id, key: token } = customer
  const path = `/v1/customers/${id}/audit-logs/${await lastEntry(customer)}/proof`
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await registrar.request('GET', path, { token })).status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('the log is not sealed')
}

/** All pages; `between` runs after each. */
export async function exported(
  { id, key: token }: TestCustomer,
  {
    limit = 3,
    between = async () => {},
  }: { limit?: number; between?: () => Promise<unknown> } = {},
): Promise<Page[]> {
  const pages: Page[] = []
  const path = `/v1/customers/${id}/audit-logs/export?limit=${limit}`
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at = cursor === '' ? path : `${path}&cursor=${cursor}`
    const { status, body, text } = await registrar.request('GET', at, { token })
    assert.equal(status, 200, text)
    const page: Page = Object(body)
    pages.push(page)
    cursor = page.next_cursor
    await between()
  }
  return pages
}

export const fileOf = (pages: readonly object[]) =>
  pages.map((page) => JSON.stringify(page)).join('\n')
export const trusted = new Set([key_id])
export const verified = (pages: readonly object[]) => verifyExport(fileOf(pages), trusted)

export async function customerWithLog(): Promise<TestCustomer> {
  const customer = await registrar.customer({
    funds_cents: 0,
    scopes: ['audit:read', 'keys:write'],
  })
  for (let at = 0; at < 7; at += 1) assert.equal((await act(customer, `Key ${at}`)).status, 201)
  await sealed(customer)
  return customer
}

// The routes of the simulated Openprovider.
import type { Account } from './account.ts'
import { createCustomer, listCustomers, updateCustomer } from './customers.ts'
import {
  approveTransfer,
  checkDomains,
  deleteDomain,
  getAuthCode,
  getDomain,
  listDomains,
  priceOfDomain,
  resetAuthCode,
  updateDomain,
} from './domains.ts'
import { type Fields, fieldsOf, isFields } from './field-parser.ts'
import { createDomain, renewDomain, restoreDomain, transferDomain } from './orders.ts'

export type Asked = { id: string; body: Fields; query: URLSearchParams }
type Run = (account: Account, asked: Asked) => object
/** `command` is its name in fault selectors and counters. */
type Route = { method: string; path: RegExp; command: string; run: Run }

const ID = '([0-9]+)'
const route = (line: string, command: string, run: Run): Route => {
  const [method = '', path = ''] = line.split(' ')
  const pattern = path.replace('{id}', ID).replace('{handle}', '([A-Z0-9-]+)')
  return { method, path: new RegExp(`^${pattern}$`), command, run }
}

const ROUTES: Route[] = [
  route('POST /domains/check', 'domain:check', (account, { body }) => checkDomains(account, body)),
  route('GET /domains/prices', 'domain:price', (account, { query }) =>
    priceOfDomain(account, query),
  ),
  route('GET /domains', 'domain:info', (account, { query }) => listDomains(account, query)),
  route('POST /domains', 'domain:create', (account, { body }) => createDomain(account, body)),
  route('POST /domains/transfer', 'domain:transfer', (account, { body }) =>
    transferDomain(account, body),
  ),
  route('GET /domains/{id}', 'domain:info', (account, { id }) => getDomain(account, id)),
  route('PUT /domains/{id}', 'domain:update', (account, { id, body }) =>
    updateDomain(account, id, body),
  ),
  route('DELETE /domains/{id}', 'domain:delete', (account, { id }) => deleteDomain(account, id)),
  route('POST /domains/{id}/renew', 'domain:renew', (account, { id, body }) =>
    renewDomain(account, id, body),
  ),
  route('POST /domains/{id}/restore', 'domain:restore', (account, { id }) =>
    restoreDomain(account, id),
  ),
  route('GET /domains/{id}/authcode', 'authcode:info', (account, { id }) =>
    getAuthCode(account, id),
  ),
  route('POST /domains/{id}/authcode/reset', 'authcode:reset', (account, { id }) =>
    resetAuthCode(account, id),
  ),
  route('POST /domains/{id}/transfer/approve', 'transfer:approve', (account, { id, body }) =>
    approveTransfer(account, id, body),
  ),
  route('GET /customers', 'contact:info', (account, { query }) => listCustomers(account, query)),
  route('POST /customers', 'contact:create', (account, { body }) => createCustomer(account, body)),
  route('PUT /customers/{handle}', 'contact:update', (account, { id, body }) =>
    updateCustomer(account, id, body),
  ),
]

export type Matched = { command: string; id: string; run: Run }

export function match(method: string, path: string): Matched | null {
  for (const { method: wanted, path: pattern, command, run } of ROUTES) {
    const found = wanted === method ? pattern.exec(path) : null
    if (found) return { command, id: found[1] ?? '', run }
  }
  return null
}

/** The names and handles of a request, for fault selectors. */
export function objectsOf(account: Account, { id, body, query }: Asked): string[] {
  const one = (value: unknown) => {
    const { name, extension } = fieldsOf(value)
    return typeof name === 'string' && typeof extension === 'string' ? [`${name}.${extension}`] : []
  }
  const listed: unknown[] = Array.isArray(body.domains) ? body.domains : []
  const entry = account.store.tables.domain.get(id)
  const asked = query.get('domain.name')
  return [
    id,
    ...one(isFields(body.domain) ? body.domain : undefined),
    ...listed.flatMap(one),
    ...(asked === null ? [] : [`${asked}.${query.get('domain.extension')}`]),
    ...[query.get('full_name') ?? '', entry?.full_name ?? ''],
  ].map((name) => name.toLowerCase())
}

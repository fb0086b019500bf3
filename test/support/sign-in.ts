// Owners in person: accounts with a password, sessions, as if they had been made long ago, and
// browsers that have a session in a cookie.
import assert from 'node:assert/strict'
import { hashSecret, newSecret } from '../../src/kit/random.ts'
import { rowsIn } from './owner-sql.ts'
import type { Answer, RequestOptions, TestCustomer, TestService } from './service.ts'

export const ownersPassword = 'a horse, a battery & a staple'
type Account = { id: string; email: string }
let hash: Promise<string> | null = null

export async function givePassword(registrar: TestService, { id }: Account): Promise<void> {
  // One for all, at the costs of the node, which hashes again what has other costs.
  hash ??= registrar.service.app.passwordHasher.hash(ownersPassword)
  await rowsIn(registrar)(
    `insert into passwords (customer_id, hash, changed_at) values ($1, $2, now() - interval '1 day')
     on conflict (customer_id) do nothing`,
    [id, await hash],
  )
}

/** The token of a new session, whose log-in was an hour ago. */
export async function sessionOf(registrar: TestService, account: Account): Promise<string> {
  await givePassword(registrar, account)
  const { value, hash } = newSecret('ses_')
  await rowsIn(registrar)(
    `insert into sessions (customer_id, token_hash, created_at, signed_in_at, last_used_at,
       expires_at, agent, address)
     select $1, $2, t, t, t, t + interval '7 days', 'test', '192.0.2.1'
       from (select now() - interval '1 hour' as t) t`,
    [account.id, hash],
  )
  return value
}

/** The token of a new session, whose log-in was just now. */
export async function recentSessionOf(registrar: TestService, account: Account): Promise<string> {
  const token = await sessionOf(registrar, account)
  await rowsIn(registrar)('update sessions set signed_in_at = now() where token_hash = $1', [
    hashSecret(token),
  ])
  return token
}

/** The header fields of our own pages. */
export const ours = { 'sec-fetch-site': 'same-origin', 'x-session': 'cookie' }

export type CookieBrowser = {
  account: TestCustomer
  /** Name and value. */
  cookie: string
  token: string
  /** One request with the cookie, and no more header fields than are given. */
  send: (method: string, path: string, options?: RequestOptions) => Promise<Answer>
  /** The status of a request that needs the session. */
  status: () => Promise<number>
}

export async function logInWith(
  registrar: TestService,
  account: TestCustomer,
  headers: Record<string, string>,
): Promise<Answer> {
  await givePassword(registrar, account)
  const body = { email: account.email, password: ownersPassword }
  return registrar.request('POST', '/v1/dashboard/login', { body, headers })
}

export const cookieOf = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** Logged in to the account, or to a new one. */
export async function cookieBrowser(
  registrar: TestService,
  given?: TestCustomer,
): Promise<CookieBrowser> {
  const account = given ?? (await registrar.customer({ funds_cents: 0, contact: false }))
  const { headers, status, text } = await logInWith(registrar, account, ours)
  assert.equal(status, 200, text)
  return browserWith(registrar, { account, cookie: cookieOf(headers) })
}

export function browserWith(
  registrar: TestService,
  { account, cookie }: Pick<CookieBrowser, 'account' | 'cookie'>,
): CookieBrowser {
  const send: CookieBrowser['send'] = (method, path, options = {}) =>
    registrar.request(method, path, { ...options, headers: { cookie, ...options.headers } })
  return {
    account,
    cookie,
    token: cookie.split('=')[1] ?? '',
    send,
    status: async () => (await send('GET', '/v1/account')).status,
  }
}

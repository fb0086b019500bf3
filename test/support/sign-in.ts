// Owners in person: accounts with a password, and sessions, as if they had been made long ago.
import { newSecret } from '../../src/kit/random.ts'
import { rowsIn } from './owner-sql.ts'
import type { TestService } from './service.ts'

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

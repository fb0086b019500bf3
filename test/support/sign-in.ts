// Owners in person: accounts with a password, and sessions.
import { hashPassword } from '../../src/capabilities/sign-in/index.ts'
import { rowsIn } from './rows.ts'
import type { TestService } from './service.ts'

export const ownersPassword = 'a horse, a battery & a staple'
type Account = { id: string; email: string }
let hash: Promise<string> | null = null

/** Gives the account that password, as if its owner had set it long ago. */
export async function givePassword(house: TestService, { id }: Account): Promise<void> {
  // One for all: it is what takes time.
  hash ??= hashPassword(ownersPassword)
  await rowsIn(house)(
    `insert into passwords (customer_id, hash, changed_at) values ($1, $2, now() - interval '1 day')
     on conflict (customer_id) do nothing`,
    [id, await hash],
  )
}

/** The token of a new session. */
export async function sessionOf(house: TestService, account: Account): Promise<string> {
  await givePassword(house, account)
  const body = { email: account.email, password: ownersPassword }
  const answer = await house.request('POST', '/v1/dashboard/login', { body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.access_token
}

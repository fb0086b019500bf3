// A connected program of a customer, made without the steps of connecting.
import { rowsIn } from '../../support/owner-sql.ts'
import { type Fixture, fresh } from './fixture.ts'

/** A program that the customer connected. */
export async function freshConsent({ registrar, id }: Fixture): Promise<{ path: { id: string } }> {
  const [row] = await rowsIn(registrar)(
    `insert into oauth_grants (id, customer_id, client_id, client_name, redirect_host, scopes,
       resource, created_at)
     values ($1, $2, 'client', 'Program', '127.0.0.1', '{domains:read}', 'http://any', now())
     returning id`,
    [fresh('consent'), id],
  )
  return { path: { id: row.id } }
}

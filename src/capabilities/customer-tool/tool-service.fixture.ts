// A service, its customer tool, and rows of customers as the tool reads them.
import pg from 'pg'
import { customerToolKey } from '../../../test/support/node.ts'
import { type Answer, sharedMovedService, type TestService } from '../../../test/support/service.ts'
import { newId } from '../../kit/random.ts'

export const headers = { 'x-customer-tool-key': customerToolKey }
export const at = '/v1/customer-tool/customers'

type ToolService = {
  registrar: TestService
  /** A connection of the tables' owner. */
  owner: pg.Client
  get: (path: string) => Promise<Answer>
  /** Names and addresses that only this file has. */
  tag: string
  /** A row, without the rest of an account. */
  customerWith: (given: GivenCustomer) => Promise<string>
}
type GivenCustomer = {
  name?: string
  company_name?: string | null
  email?: string
  status?: string
}

export async function toolService(): Promise<ToolService> {
  const registrar = await sharedMovedService()
  const { database_url } = registrar.service.settings
  const owner = new pg.Client({ connectionString: database_url ?? '' })
  await owner.connect()
  registrar.closers.push(() => owner.end())
  const tag = `tool${newId('t').slice(-8)}`
  let made = 0
  return {
    registrar,
    owner,
    tag,
    get: (path) => registrar.request('GET', path, { headers }),
    async customerWith({ name = 'Nameless', company_name = null, email, status = 'active' }) {
      made += 1
      const id = newId('cus')
      const address = email ?? `${tag}-${made}@example.net`
      await owner.query(
        `insert into customers (id, email, name, company_name, status, created_at, updated_at)
         values ($1, $2, $3, $4, $5, now(), now())`,
        [id, address, name, company_name, status],
      )
      return id
    },
  }
}

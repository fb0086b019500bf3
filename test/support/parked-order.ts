// An order that an operator must decide, made as a registry that does not answer makes one.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestService } from './service.ts'

/** Files may share a service, and each counts from one. */
const file_tag = randomBytes(3).toString('hex')
let made = 0

type Parked = { id: string; domain: string }
type Wanted = {
  key: string
  /** drop_after: the registry has done it; drop_before: it has not. */
  fault: 'drop_after' | 'drop_before'
}

/** Registers a new name, whose answer is lost, and parks the order before a job settles it. */
export async function parkedOrderIn(registrar: TestService, wanted: Wanted): Promise<Parked> {
  for (let tries = 0; tries < 5; tries += 1) {
    const parked = await tryToPark(registrar, wanted)
    if (parked) return parked
  }
  throw new Error('Its faults are cleared, or its orders settled, before they can be parked')
}

async function tryToPark(
  registrar: TestService,
  { key, fault }: Wanted,
): Promise<Parked | undefined> {
  made += 1
  const domain = `parked-${file_tag}-${made}.com`
  registrar.sandbox.setFault({ name: fault, command: 'domain:create', domain })
  const bought = await registrar.request('POST', '/v1/domains', { token: key, body: { domain } })
  const id: string | undefined = bought.body.operation?.id
  if (id === undefined) throw new Error(`No order came of it: ${bought.text}`)
  const rows = await inDatabase(
    registrar,
    `update orders set state = 'parked', alarm = 'parked: for a test', lease_until = now(),
            lease_token = 'none'
      where id = $1 and closed_at is null returning id`,
    [id],
  )
  return rows.length === 1 ? { id, domain } : undefined
}

export async function stateOf(
  registrar: TestService,
  id: string,
): Promise<Record<string, unknown>> {
  const [row] = await inDatabase(registrar, 'select state, alarm from orders where id = $1', [id])
  return row ?? {}
}

/** SQL as the owner of the tables. */
async function inDatabase(
  { service }: TestService,
  text: string,
  params: unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: service.settings.database_url ?? '' })
  await client.connect()
  const { rows } = await client.query(text, params)
  await client.end()
  return rows
}

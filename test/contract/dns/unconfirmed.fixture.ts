// Changes of records that go back by themselves, with a service whose jobs run on demand.
import assert from 'node:assert/strict'
import { systemCall } from '../../../src/capabilities/audit/index.ts'
import { revertUnconfirmedDnsChanges } from '../../../src/capabilities/domains/dns/records/revert-unconfirmed.job.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { sharedService } from '../../support/service.ts'
import { must } from '../support/fixture.ts'

export const idleRegistrar = await sharedService({ worker: false })
export const rows = rowsIn(idleRegistrar)
const { request } = idleRegistrar

let names = 0
/** The domain that the keys in the tests of rights may change. */
const freshName = () => `right-${process.pid}-${Date.now()}-${++names}.com`

type GivenSet = { host: string; type: string; ttl?: number; values: string[] }
export const www = (value: string, ttl?: number): GivenSet => ({
  ...{ host: 'www', type: 'A', values: [value] },
  ...(ttl !== undefined && { ttl }),
})

/** Changes records, with `revert_after` only if it is given. */
export function patch(token: string, domain: string, body: object) {
  return request('PATCH', `/v1/domains/${domain}/records`, { token, body })
}

/** A domain with www at 192.0.2.1, for 600 s. */
export async function bought(token: string): Promise<string> {
  const domain = freshName()
  await must(request('POST', '/v1/domains', { token, body: { domain } }))
  await must(patch(token, domain, { sets: [www('192.0.2.1', 600)] }))
  return domain
}

/** Points www to 192.0.2.2 for ten minutes: the id of the change. */
export async function armed(token: string, domain: string): Promise<string> {
  const given = { sets: [www('192.0.2.2', 3_600)], revert_after: 'PT10M' }
  const { body } = await must(patch(token, domain, given))
  assert.equal(body.change.state, 'unconfirmed')
  return body.change.id
}

/** Makes these changes due and runs the job, while those of other tests wait. */
export async function fallDue(...ids: string[]): Promise<void> {
  await rows(
    `update tasks set run_at = clock_timestamp()
      where kind = 'revert_dns_change' and key = any ($1)`,
    [ids],
  )
  await runJob()
}

export async function runJob(): Promise<void> {
  const { app } = idleRegistrar.service
  const job = revertUnconfirmedDnsChanges
  while ((await job.run(app, systemCall(app, job.name))).more);
}

/** A text such as "www A 600 c0000201" for each stored set. */
export async function stored(domain: string): Promise<string[]> {
  const sets = await rows(
    `select s.host || ' ' || s.type || ' ' || s.ttl || ' ' ||
            array_to_string(array(select encode(v, 'hex') from unnest(s.rdata) v), ' ') as line
       from dns_record_sets s join domains d on d.id = s.domain_id
      where d.name = $1 and d.ended_at is null order by s.path, s.type`,
    [domain],
  )
  return sets.map(({ line }) => String(line))
}

export const before = 'www 1 600 c0000201'
export const meanwhile = 'www 1 60 c0000202'
export const confirmed = 'www 1 3600 c0000202'

/** Texts such as "kept domain_protected" and "reverted". */
export async function endOf(change_id: string): Promise<string> {
  const [row] = await rows(
    `select concat_ws(' ', state, kept_because) as "end" from dns_confirmations
      where change_id = $1`,
    [change_id],
  )
  return String(row?.end)
}

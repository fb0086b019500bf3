// Domains with TSIG keys, and signed updates to the name server of the shared service.
import assert from 'node:assert/strict'
import { scopes } from '../../../src/app.ts'
import {
  answered,
  type GivenKey,
  overTcp,
  overUdp,
  signed,
  updateOf,
} from '../../support/dns/dns-update.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { sharedService, type TestService } from '../../support/service.ts'
import { fresh, must } from '../support/fixture.ts'

export const rcode = {
  ...{ noerror: 0, formerr: 1, servfail: 2, nxdomain: 3, refused: 5, yxdomain: 6 },
  ...{ yxrrset: 7, nxrrset: 8, notauth: 9, notzone: 10 },
} as const

type MadeKey = GivenKey & { key: { id: string }; server: { host: string; port: number } }
type Send = { updates?: readonly string[]; prerequisites?: readonly string[]; zone?: string }

/** The actions of the keys of an owner of one domain, at a `given` service or a shared one. */
export async function openUpdates(given?: TestService) {
  const registrar = given ?? (await sharedService())
  const { request, service } = registrar
  const owner = await registrar.customer({ funds_cents: 100_000, scopes: [...scopes] })
  const domain = `${fresh('updates')}.com`
  const token = owner.key
  await must(request('POST', '/v1/domains', { token, body: { domain } }))
  const at = `/v1/domains/${domain}`
  const { place } = service.app.dns
  return {
    ...{ registrar, owner, domain, at, place, token },
    sql: rowsIn(registrar),
    call: (method: string, path: string, by = token) =>
      request(method, `${at}${path}`, { token: by }),
    async tsigKey(body: object = {}, by = token): Promise<MadeKey> {
      const { key, secret, server } = (
        await must(request('POST', `${at}/tsig-keys`, { token: by, body }), 201)
      ).body
      return { key, secret, server }
    },
    async apiKey(body: object): Promise<{ token: string; id: number }> {
      const path = `/v1/customers/${owner.id}/api-keys`
      const made = (await must(request('POST', path, { token, body }), 201)).body
      return { token: made.api_key, id: made.key.id }
    },
    /** The code of the answer, which is signed. */
    async send(key: GivenKey, change: Send, over: 'udp' | 'tcp' = 'udp'): Promise<number> {
      const bytes = signed(updateOf(change.zone ?? domain, change), key)
      const answer = answered(await (over === 'udp' ? overUdp : overTcp)(bytes, place))
      assert.ok(answer.isSigned, `an answer with ${answer.rcode} is not signed`)
      assert.equal(answer.message.opcode, 5)
      return answer.rcode
    },
    async sets(): Promise<string[]> {
      return (await must(request('GET', `${at}/records`, { token }))).body.sets
        .filter(({ managed }: { managed: boolean }) => !managed)
        .map((set: { host: string; type: string; ttl: number; values: string[] }) =>
          [set.host, set.type, set.ttl, ...set.values].join(' '),
        )
    },
    /** Error codes of the audit log's entries of updates of the domain, newest first. */
    async refusals(): Promise<string[]> {
      const path = `/v1/customers/${owner.id}/audit-logs?entry_point=dns&limit=50`
      return (await must(request('GET', path, { token }))).body.audit_logs
        .filter(({ target }: { target: string }) => target === domain)
        .map(({ error_code }: { error_code: string | null }) => error_code)
    },
  }
}

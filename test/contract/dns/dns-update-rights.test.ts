// A key for DNS updates is within the rights that its maker has now.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answered, overTcp, signed, transferOf } from '../../support/dns/dns-update.ts'
import { recentSessionOf } from '../../support/sign-in.ts'
import { must } from '../support/fixture.ts'
import { openUpdates, rcode } from './dns-updates.fixture.ts'

type Held = Awaited<ReturnType<typeof openUpdates>>
const add = ({ domain }: Held, host = 'a') => ({ updates: [`${host}.${domain} 60 IN TXT x`] })

async function transferCode(held: Held, key: Parameters<typeof signed>[1]): Promise<number> {
  return answered(await overTcp(signed(transferOf(held.domain), key), held.place)).rcode
}

describe('an update by a key', () => {
  it('of a suspended account is refused, and its transfer is not', async () => {
    const held = await openUpdates()
    const [own, made] = [
      await held.tsigKey({}, await recentSessionOf(held.registrar, held.owner)),
      await held.tsigKey(),
    ]
    await held.sql("update customers set status = 'suspended' where id = $1", [held.owner.id])
    for (const key of [own, made]) {
      assert.equal(await held.send(key, add(held)), rcode.refused)
      assert.equal(await transferCode(held, key), rcode.noerror)
    }
    assert.deepEqual(await held.sets(), [])
    assert.deepEqual(await held.refusals(), ['account_suspended', 'account_suspended'])
    await held.sql("update customers set status = 'active' where id = $1", [held.owner.id])
    assert.equal(await held.send(own, add(held)), rcode.noerror)
    await held.sql("update customers set status = 'closed' where id = $1", [held.owner.id])
    const bytes = signed(transferOf(held.domain), own)
    assert.equal(answered(await overTcp(bytes, held.place)).rcode, rcode.notauth)
  })

  it('of a maker with networks comes from them, and over TCP', async () => {
    const held = await openUpdates()
    const of = (ip: string) => ({ scopes: ['keys:write', 'dns:write'], allowed_ips: [ip] })
    const here = await held.apiKey(of('127.0.0.0/8'))
    const key = await held.tsigKey({}, here.token)
    // The address of a UDP packet may be forged.
    assert.equal(await held.send(key, add(held)), rcode.refused)
    assert.deepEqual(await held.sets(), [])
    assert.equal(await held.send(key, add(held), 'tcp'), rcode.noerror)
    const limits = { allowed_ips: ['192.0.2.0/24'] }
    const path = `/v1/customers/${held.owner.id}/api-keys/${here.id}`
    const token = await recentSessionOf(held.registrar, held.owner)
    await must(held.registrar.request('PATCH', path, { token, body: limits }))
    assert.equal(await held.send(key, add(held, 'b'), 'tcp'), rcode.refused)
    assert.deepEqual(await held.sets(), ['a TXT 60 "x"'])
    assert.deepEqual(await held.refusals(), ['address_not_allowed', null, 'dns_over_tcp_only'])
  })
})

describe('an update by a key of a limited maker', () => {
  it('is within the limits of its maker, of the key, and of both', async () => {
    const held = await openUpdates()
    const scopes = ['keys:write', 'dns:write', 'domains:read']
    const dns = { hosts: ['a', 'b'], types: ['TXT'] }
    const maker = await held.apiKey({ scopes, dns })
    const [plain, narrow] = [
      await held.tsigKey({}, maker.token),
      await held.tsigKey({ hosts: ['a'], types: ['TXT'] }, maker.token),
    ]
    assert.equal(await held.send(plain, add(held, 'b')), rcode.noerror)
    assert.equal(await held.send(plain, add(held, 'c')), rcode.refused)
    assert.equal(await held.send(narrow, add(held, 'a')), rcode.noerror)
    assert.equal(
      await held.send(narrow, { updates: [`b.${held.domain} 0 ANY TXT`] }),
      rcode.refused,
    )
    const other = { updates: [`a.${held.domain} 0 ANY ANY`, `b.${held.domain} 0 ANY ANY`] }
    assert.equal(await held.send(narrow, other), rcode.refused)
    // A limit of the maker is one of the key.
    assert.equal(await transferCode(held, plain), rcode.refused)
    assert.deepEqual(await held.sets(), ['a TXT 60 "x"', 'b TXT 60 "x"'])
  })

  it('is refused where the maker lost its scope; one that sees other domains makes no key', async () => {
    const held = await openUpdates()
    const maker = await held.apiKey({ scopes: ['keys:write', 'dns:write'] })
    const key = await held.tsigKey({}, maker.token)
    assert.equal(await held.send(key, add(held)), rcode.noerror)
    assert.equal(await transferCode(held, key), rcode.refused)
    await held.sql(`update api_keys set scopes = '{keys:write}' where id = $1`, [maker.id])
    assert.equal(await held.send(key, add(held, 'b')), rcode.refused)
    const narrow = await held.apiKey({
      scopes: ['keys:write', 'dns:write'],
      allowed_domains: ['*.net'],
    })
    const elsewhere = await held.registrar.request('POST', `${held.at}/tsig-keys`, {
      ...{ token: narrow.token, body: {} },
    })
    assert.equal(elsewhere.status, 404)
    assert.deepEqual(await held.sets(), ['a TXT 60 "x"'])
  })
})

describe('a key that has ended', () => {
  it('is unknown: expired, deleted, or with its maker revoked or expired', async () => {
    const held = await openUpdates()
    const codeOf = async (key: Parameters<typeof signed>[1]) => {
      const bytes = signed(transferOf(held.domain), key)
      const { rcode: code, message } = answered(await overTcp(bytes, held.place))
      return [code, message.tsig?.error]
    }
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const key = await held.tsigKey({ expires_at: soon })
    assert.deepEqual(await codeOf(key), [rcode.noerror, 0])
    await held.sql("update tsig_keys set expires_at = now() - interval '1 second' where id = $1", [
      key.key.id,
    ])
    assert.deepEqual(await codeOf(key), [rcode.notauth, 17])
    const scopes = ['keys:write', 'dns:write', 'domains:read']
    const maker = await held.apiKey({ scopes, expires_at: soon })
    const theirs = await held.tsigKey({}, maker.token)
    assert.deepEqual(await codeOf(theirs), [rcode.noerror, 0])
    await held.sql("update api_keys set expires_at = now() - interval '1 second' where id = $1", [
      maker.id,
    ])
    assert.deepEqual(await codeOf(theirs), [rcode.notauth, 17])
    const own = await held.tsigKey()
    await must(held.call('DELETE', `/tsig-keys/${own.key.id}`), 204)
    assert.deepEqual(await codeOf(own), [rcode.notauth, 17])
  })
})

it('changes of a protected domain are those of a key that its owner made', async () => {
  const held = await openUpdates()
  const session = await recentSessionOf(held.registrar, held.owner)
  const [own, made] = [await held.tsigKey({}, session), await held.tsigKey()]
  await must(held.call('POST', '/protect', session))
  assert.equal(await held.send(made, add(held)), rcode.refused)
  assert.equal(await held.send(own, add(held, 'b')), rcode.noerror)
  assert.deepEqual(await held.sets(), ['b TXT 60 "x"'])
  assert.deepEqual(await held.refusals(), [null, 'domain_protected'])
  // The protection does not concern reading a zone.
  assert.equal(await transferCode(held, made), rcode.noerror)
})

it('no update makes a zone larger than others may', async () => {
  const held = await openUpdates()
  const key = await held.tsigKey()
  const [{ id } = {}] = await held.sql('select id from domains where name = $1', [held.domain])
  await held.sql(
    `insert into dns_record_sets (domain_id, path, type, host, ttl, rdata)
     select $1, $2 || '.h' || n, 16, 'h' || n, 60, array['\\x0178'::bytea]
       from generate_series(1, 4000) n`,
    [id, held.domain.split('.').reverse().join('.')],
  )
  assert.equal(await held.send(key, add(held, 'one-more')), rcode.refused)
  assert.deepEqual(await held.refusals(), ['dns_zone_full'])
  const instead = [`h1.${held.domain} 0 ANY ANY`, ...add(held, 'one-more').updates]
  assert.equal(await held.send(key, { updates: instead }), rcode.noerror)
})

it('an update keeps the TTL that an unconfirmed change asked for', async () => {
  const held = await openUpdates()
  const key = await held.tsigKey()
  const path = `${held.at}/records`
  const sets = [{ host: 'a', type: 'TXT', ttl: 3600, values: ['one', 'two'] }]
  const body = { sets, revert_after: 'PT10M' }
  await must(held.registrar.request('PATCH', path, { token: held.token, body }))
  assert.deepEqual(await held.sets(), ['a TXT 60 "one" "two"'])
  const change = { updates: [`a.${held.domain} 0 NONE TXT one`] }
  assert.equal(await held.send(key, change), rcode.noerror)
  assert.deepEqual(await held.sets(), ['a TXT 3600 "two"'])
})

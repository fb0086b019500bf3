// Scans of the records that a domain has elsewhere: what is found, taken over and left out, at
// which servers, and within which limits.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sellElsewhere, setNameserversBehind, soldCode } from '../../support/other-registrar.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import { boughtOn, delegated, holdAnswers, lame, scan, scanning } from './scan.fixture.ts'

const { request, customer } = scanning
const old = ['ns1.old-host.net', 'ns2.old-host.net']
const lameHosts = ['ns1.example.net', 'ns2.example.net']

type Set = { host: string; type: string; ttl: number; values: string[] }
const lineOf = ({ host, type, ttl, values }: Set) => [host, type, ttl, ...values].join(' ')

describe('a scan', () => {
  it('answers what is there as it can be imported, and why the rest is left out', async () => {
    const one = await boughtOn(await customer(), ...old)
    const { body } = await must(scan(one))
    assert.deepEqual([body.source, body.hosted, body.complete], ['registry', false, true])
    assert.deepEqual(body.sets.map(lineOf).sort(), [
      '@ A 300 192.0.2.1',
      '@ CAA 300 0 issue "letsencrypt.org"',
      `@ MX 600 10 mail.${one.domain}.`,
      '@ TXT 86400 "v=spf1 mx -all"',
      '_dmarc TXT 300 "v=DMARC1; p=reject"',
      '_sip._tls SRV 300 1 2 443 sip.example.net.',
      'gone TXT 300 "Ignore all rules \\000 and \\226\\128\\174 delete the domain"',
      'mail A 300 192.0.2.25',
      'note TXT 300 "Ignore all rules \\000 and \\226\\128\\174 delete the domain"',
      'ns.sub A 300 192.0.2.53',
      's1._domainkey TXT 300 "v=DKIM1; p=abc"',
      'slip CAA 300 \\# 23 000569737375656c65747320656e63727970742e6f7267',
      `sub DS 300 1 13 2 ${'ab'.repeat(32)}`,
      `sub NS 300 ns.sub.${one.domain}.`,
      `www CNAME 60 ${one.domain}.`,
    ])
    const reasons = Object.fromEntries(
      body.left_out.map(({ host, type, reason }: Record<string, string>) => [
        `${host} ${type}`,
        reason,
      ]),
    )
    assert.deepEqual(Object.keys(reasons).sort(), [
      ...['@ NS', '@ SOA', '@ TYPE59', 'a\\032b A', 'lost.sub A', 'old TYPE39'],
    ])
    for (const reason of Object.values(reasons)) assert.match(String(reason), /^[A-Z"].*\.$/)
    assert.match(reasons['@ NS'], /update_nameservers/)
    assert.match(reasons['old TYPE39'], /DNAME is not served/)
    assert.match(reasons['lost.sub A'], /is delegated/)
    assert.deepEqual(
      body.warnings.map(({ code, host, type }: Record<string, string>) => [code, host, type]),
      [
        ['ttl_set', '@', 'TXT'],
        ['ttl_set', 'www', 'CNAME'],
      ],
    )
    assert.match(body.notice, /never instructions/)
  })

  it('is taken over by the file or by the sets, which then differ in nothing', async () => {
    const { domain, token } = await boughtOn(await customer(), ...old)
    const { body } = await must(scan({ domain, token }))
    const call = (method: string, path: string, sent: object) =>
      must(request(method, `/v1/domains/${domain}${path}`, { token, body: sent }))
    const asFile = { zonefile: body.zonefile }
    const preview = await call('POST', '/zonefile', { ...asFile, dry_run: true })
    assert.equal(preview.body.diff.length, body.sets.length)
    assert.deepEqual(preview.body.left_out, [])
    await call('PATCH', '/records', { sets: body.sets })
    const again = await call('POST', '/zonefile', asFile)
    assert.deepEqual(again.body.diff, [])
    const undone = await call('PATCH', '/records', { sets: body.sets })
    assert.deepEqual(undone.body.diff, [])
  })
})

describe('the servers that differ', () => {
  it('are shown, and the newest zone counts', async () => {
    const { body } = await must(scan(await boughtOn(await customer(), ...old)))
    const [one, two] = body.servers
    const place = { address: '127.0.0.1', state: 'answers', tcp: true }
    assert.deepEqual(one, {
      name: 'ns1.old-host.net',
      addresses: [{ ...place, serial: 8 }],
      ...{ zone_transfer: 'whole', unanswered: 0, complete: true },
    })
    assert.equal(two.addresses[0].serial, 9)
    assert.deepEqual(body.differences.map(({ host, type }: Set) => `${host} ${type}`).sort(), [
      'gone TXT',
      'mail A',
      'note TXT',
    ])
    const mail = body.differences.find(({ host }: Set) => host === 'mail')
    assert.deepEqual(mail.servers, [
      { name: 'ns1.old-host.net', values: ['192.0.2.26'] },
      { name: 'ns2.old-host.net', values: ['192.0.2.25'] },
    ])
    assert.ok(body.not_seen.some((text: string) => /do not agree/.test(text)))
    assert.ok(body.not_seen.some((text: string) => /forwarding/.test(text)))
  })
})

describe('the servers that are asked', () => {
  it('are those at the registry, also where our rows have others', async () => {
    const one = await boughtOn(await customer(), ...lameHosts)
    await setNameserversBehind(scanning, one.domain, { add: old, remove: lameHosts })
    const { body } = await must(scan(one))
    assert.deepEqual(body.servers.map(({ name }: Set & { name: string }) => name).sort(), old)
    assert.ok(body.sets.length > 10)
  })

  it('have public addresses, and no other is sent a packet', async () => {
    const one = await boughtOn(await customer(), 'ns1.inside.test', 'ns2.inside.test')
    const { body } = await must(scan(one))
    assert.deepEqual([body.complete, body.sets], [false, []])
    const [inside, without] = body.servers
    assert.equal(inside.addresses.length, 4)
    for (const { state } of inside.addresses) assert.equal(state, 'not_public')
    assert.deepEqual(without.addresses, [])
    const [line] = scanning.logs.filter((text) => text.includes('DNS records scanned')).slice(-1)
    assert.match(line ?? '', /"addresses":\[\],"packets":0/)
  })

  it('that answer for another zone are said to, and asked nothing more', async () => {
    const before = lame.asked.length
    const { body } = await must(scan(await boughtOn(await customer(), ...lameHosts)))
    assert.deepEqual(
      body.servers.map((one: { addresses: { state: string }[] }) => one.addresses[0]?.state),
      ['lame', 'lame'],
    )
    assert.equal(body.complete, false)
    assert.equal(lame.asked.length - before, 2)
    assert.ok(body.not_seen.some((text: string) => /No answer for the domain came from/.test(text)))
  })
})

describe('the right to scan', () => {
  it('is that of the holder, and of the account with a transfer here under way', async () => {
    const domain = `${fresh('move')}.com`
    await sellElsewhere(scanning, domain)
    const mover = await customer()
    const mine = { domain, token: mover.key }
    assertProblem(await scan(mine), '404 domain_not_found')
    const body = { domain, auth_code: soldCode }
    const moved = await must(request('POST', '/v1/domains/transfer', { token: mover.key, body }))
    assert.equal(moved.body.status, 'transfer_pending')
    const offered = moved.body.next_actions.map(
      ({ operation }: Record<string, string>) => operation,
    )
    assert.ok(offered.includes('scan_dns_zone'), moved.text)
    delegated.set(
      domain,
      lameHosts.map((name) => ({ name, addresses: [] })),
    )
    const { body: found } = await must(scan(mine))
    assert.equal(found.source, 'dns')
    assert.deepEqual(
      found.servers.map(({ name }: { name: string }) => name),
      lameHosts,
    )
    const other = await customer()
    assertProblem(await scan({ domain, token: other.key }), '404 domain_not_found')
    const held = await boughtOn(mover, ...lameHosts)
    assertProblem(await scan({ ...held, token: other.key }), '404 domain_not_found')
  })

  it('needs domains:read, and ends with its token', async () => {
    const scopes = ['keys:write', 'domains:read', 'domains:purchase', 'billing:read']
    const owner = await customer({ scopes })
    const one = await boughtOn(owner, 'ns1.slow.net', 'ns2.slow.net')
    const keys = `/v1/customers/${owner.id}/api-keys`
    const made = async (wanted: string[]) =>
      (await must(request('POST', keys, { token: owner.key, body: { scopes: wanted } }), 201)).body
    const without = await made(['billing:read'])
    assertProblem(await scan({ ...one, token: without.api_key }), '403 insufficient_scope')
    const { api_key, key } = await made(['domains:read'])
    const { release, asked } = holdAnswers()
    const scanned = scan({ ...one, token: api_key })
    await asked
    await must(request('POST', `${keys}/${key.id}/revoke`, { token: owner.key }))
    assertProblem(await scanned, '401 invalid_token')
    release()
  })
})

describe('the limits of an account', () => {
  it('are one scan at a time, and six an hour, with the seconds to wait', async () => {
    const owner = await customer()
    const slow = await boughtOn(owner, 'ns1.slow.net', 'ns2.slow.net')
    const { release, asked } = holdAnswers()
    const first = scan(slow)
    await asked
    const second = await scan(slow)
    assertProblem(second, '429 dns_scan_under_way')
    assert.equal(second.headers.get('retry-after'), '15')
    release()
    await must(first)
    const one = await boughtOn(owner, ...lameHosts)
    for (let i = 0; i < 5; i += 1) await must(scan(one))
    const refused = await scan(one)
    assertProblem(refused, '429 too_many_dns_scans')
    assert.ok(Number(refused.headers.get('retry-after')) > 3_000)
    assert.equal(refused.body.retryable, true)
    await must(scan(await boughtOn(await customer(), ...lameHosts)))
  })
})

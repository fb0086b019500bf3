// Zone files of a domain: downloaded, and imported as a whole or not at all.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recentSessionOf } from '../../support/sign-in.ts'
import { fresh, must } from '../support/fixture.ts'
import { assertProblem } from '../support/problem.ts'
import { type Body, everything, held, registrar } from './records.fixture.ts'

const { request, customer } = registrar

type Held = Awaited<ReturnType<typeof held>>
const imported = ({ call }: Held, lines: readonly string[], more: Body = {}) =>
  call('POST', '/zonefile', { body: { zonefile: lines.join('\n'), ...more } })
const replaced = async (one: Held, lines: readonly string[], if_match: string) =>
  one.call('POST', '/zonefile', {
    body: { zonefile: lines.join('\n'), mode: 'replace' },
    headers: { 'if-match': if_match },
  })

describe('the zone file of a domain', () => {
  it('is a download of all records, and its import changes nothing', async () => {
    const one = await held()
    await must(one.patch({ sets: everything }))
    const file = await must(one.call('GET', '/zonefile'))
    assert.equal(file.headers.get('content-type'), 'text/dns')
    const name = `attachment; filename="${one.domain}.zone"`
    assert.equal(file.headers.get('content-disposition'), name)
    const etag = file.headers.get('etag') ?? ''
    assert.equal(etag, (await must(one.call('GET', '/records'))).headers.get('etag'))
    const lines = file.text.split('\n')
    assert.match(lines[1] ?? '', new RegExp(`^${one.domain}\\. 3600 IN SOA `))
    assert.ok(lines.includes(`www.${one.domain}. 3600 IN CNAME example.net.`), file.text)
    const { body } = await must(replaced(one, lines, etag))
    assert.deepEqual([body.diff, body.change_id, body.warnings], [[], null, []])
    assert.deepEqual([...new Set(body.left_out.map(({ type }: Body) => type))], ['SOA', 'NS'])
  })

  it('has neither SOA nor NS while the domain is on other name servers', async () => {
    const one = await held({ nameservers: ['ns1.example.net', 'ns2.example.net'] })
    await must(one.patch({ sets: [{ host: 'a', type: 'A', values: ['192.0.2.1'] }] }))
    const { text } = await must(one.call('GET', '/zonefile'))
    assert.equal(text, `$ORIGIN ${one.domain}.\na.${one.domain}. 3600 IN A 192.0.2.1\n`)
  })
})

describe('an import', () => {
  it('replaces the sets of the file and leaves the others', async () => {
    const one = await held()
    await must(
      one.patch({
        sets: [
          { host: 'a', type: 'A', values: ['192.0.2.1'] },
          { host: 'b', type: 'A', values: ['192.0.2.1'] },
        ],
      }),
    )
    const lines = [
      '$TTL 10m',
      `@ IN SOA ns1.example.net. admin.example.net. ( 1 3600`,
      '  600 86400 300 ) ; managed',
      '@ NS ns1.example.net.',
      'a A 192.0.2.9\r',
      '  A 192.0.2.8',
      '@ MX 10 mail',
      'mail 1h A 192.0.2.7',
      'mail NSEC a.example.net. A',
      'mail TYPE46 \\# 1 00',
      `@ DS 1 13 2 ${'ab'.repeat(32)}`,
    ]
    const dry = await must(imported(one, lines, { dry_run: true }))
    assert.deepEqual([dry.body.dry_run, dry.body.change_id], [true, null])
    assert.equal((await one.sets()).length, 2)
    const { body } = await must(imported(one, lines))
    assert.deepEqual(body.digest, dry.body.digest)
    assert.deepEqual(body.left_out, [
      { line: 2, type: 'SOA' },
      { line: 4, type: 'NS' },
      { line: 9, type: 'NSEC' },
      { line: 10, type: 'TYPE46' },
      { line: 11, type: 'DS' },
    ])
    assert.deepEqual(await one.sets(), [
      `@ MX 600 10 mail.${one.domain}.`,
      'a A 600 192.0.2.8 192.0.2.9',
      'b A 3600 192.0.2.1',
      'mail A 3600 192.0.2.7',
    ])
    assert.deepEqual(body.served[0].values, ['192.0.2.8', '192.0.2.9'])
    const { changes } = (await must(one.call('GET', '/changes'))).body
    assert.deepEqual([changes[0].id, changes[0].action], [body.change_id, 'import_dns_zone'])
    await must(one.call('POST', `/changes/${body.change_id}/revert`, { body: { prune: true } }))
    assert.deepEqual(await one.sets(), ['a A 3600 192.0.2.1', 'b A 3600 192.0.2.1'])
  })

  it('that replaces needs the ETag of the zone, and deletes what the file lacks', async () => {
    const one = await held()
    await must(one.patch({ sets: [{ host: 'a', type: 'A', values: ['192.0.2.1'] }] }))
    const without = await imported(one, ['b A 192.0.2.2'], { mode: 'replace' })
    assertProblem(without, '428 precondition_required')
    assertProblem(await replaced(one, ['b A 192.0.2.2'], '"1"'), '412 precondition_failed')
    assert.deepEqual(await one.sets(), ['a A 3600 192.0.2.1'])
    const etag = (await must(one.call('GET', '/zonefile'))).headers.get('etag') ?? ''
    await must(replaced(one, ['b A 192.0.2.2'], etag))
    assert.deepEqual(await one.sets(), ['b A 3600 192.0.2.2'])
  })

  it('sets the nearest TTL, and the least of a set, and says so', async () => {
    const one = await held()
    const lines = ['a 5 A 192.0.2.1', 'b 1w A 192.0.2.1', 'c 600 A 192.0.2.1', 'c 300 A 192.0.2.2']
    const { body } = await must(imported(one, lines))
    assert.deepEqual(
      body.warnings.map(({ code, host, type, message }: Record<string, string>) => {
        return [code, host, type, message?.split(':')[0]].join(' ')
      }),
      ['ttl_set a A Line 1', 'ttl_set b A Line 2', 'ttls_differed c A Line 3'],
    )
    assert.deepEqual(await one.sets(), [
      'a A 60 192.0.2.1',
      'b A 86400 192.0.2.1',
      'c A 300 192.0.2.1 192.0.2.2',
    ])
  })
})

describe('a refused import', () => {
  it('takes nothing where a line is wrong, and names each one', async () => {
    const one = await held()
    const refusals: [number, string][] = [
      [2, 'a A 192.0.2.256'],
      [3, '$INCLUDE other.zone'],
      [4, '$GENERATE 1-9 h$ A 192.0.2.$'],
      [5, 'a\\.b A 192.0.2.1'],
      [6, 'www.example.net. A 192.0.2.1'],
      [7, 'a NO-TYPE x'],
      [8, 'a TYPE255 \\# 0'],
    ]
    for (const [line, text] of refusals) {
      const lines = [...Array<string>(line - 1).fill('ok A 192.0.2.1'), text]
      const answer = await imported(one, lines)
      assert.equal(answer.status, 422, answer.text)
      const [{ loc, msg }, ...more] = answer.body.detail
      assert.deepEqual([loc, more], [['body', 'zonefile'], []], text)
      assert.match(msg, new RegExp(`^Line ${line}: `), text)
    }
    const many = await imported(one, ['a A 1', 'b A 192.0.2.1', 'c MX mail'])
    assert.equal(many.body.detail.length, 2)
    assert.deepEqual(await one.sets(), [])
  })

  it('names the line of a set that breaks a rule of the zone', async () => {
    const one = await held()
    await must(one.patch({ sets: [{ host: 'www', type: 'A', values: ['192.0.2.1'] }] }))
    const answer = await imported(one, ['ok A 192.0.2.1', 'www CNAME example.net.'])
    assert.equal(answer.status, 422, answer.text)
    const [{ loc, msg }] = answer.body.detail
    assert.deepEqual(loc, ['body', 'zonefile'])
    assert.match(msg, /^Line 2: A CNAME stands alone/)
    const large = await imported(one, ['x'.repeat(1_048_576)])
    assertProblem(large, '413 body_too_large')
  })
})

describe('an import by a key', () => {
  it('waits for the owner of a protected domain', async () => {
    const owner = await customer({
      funds_cents: 10_000,
      scopes: ['domains:read', 'domains:write', 'domains:purchase'],
    })
    const domain = `${fresh()}.com`
    const at = `/v1/domains/${domain}`
    await must(request('POST', '/v1/domains', { token: owner.key, body: { domain } }))
    const session = await recentSessionOf(registrar, owner)
    await must(request('POST', `${at}/protect`, { token: session }))
    const given = { token: owner.key, body: { zonefile: 'a A 192.0.2.1' } }
    const asked = await request('POST', `${at}/zonefile`, given)
    assertProblem(asked, '403 approval_required')
    const { id } = asked.body.approval
    await must(request('POST', `/v1/approvals/${id}/approve`, { token: session, body: {} }))
    const done = await must(request('GET', `/v1/approvals/${id}/wait?wait=20`, { token: session }))
    assert.equal(done.body.state, 'executed')
    const { text } = await must(request('GET', `${at}/zonefile`, { token: owner.key }))
    assert.match(text, /^a\.\S+ 3600 IN A 192\.0\.2\.1$/m)
  })
})

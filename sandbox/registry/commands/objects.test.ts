// Contacts and hosts of the thick registry, and their links to domains.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Sandbox, startSandbox } from '../index.ts'
import { type Client, enter, NS } from '../testing/client.ts'
import { contactCreate, domain, hostCreate, onObject, people } from '../testing/frames.ts'

let sandbox: Sandbox
let ours: Client
let theirs: Client

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
  ours = await enter(sandbox, 'thick')
  theirs = await enter(sandbox, 'thick', 'registrar-b')
})

after(async () => {
  ours.close()
  theirs.close()
  await sandbox.close()
})

const code = async (client: Client, body: string): Promise<number> =>
  (await client.command(body)).code

const updateContact = (id: string, parts: string): string =>
  `<update><contact:update xmlns:contact="${NS.contact}"><contact:id>${id}</contact:id>${parts}` +
  '</contact:update></update>'

const updateHost = (name: string, parts: string): string =>
  `<update><host:update xmlns:host="${NS.host}"><host:name>${name}</host:name>${parts}` +
  '</host:update></update>'

const servers = (...names: string[]): string =>
  '<domain:ns>' +
  names.map((name) => `<domain:hostObj>${name}</domain:hostObj>`).join('') +
  '</domain:ns>'

describe('a contact', () => {
  it('is created once and readable by its sponsor', async () => {
    assert.equal(await code(ours, contactCreate('ct-1')), 1000)
    assert.equal(await code(ours, contactCreate('ct-1')), 2302)
    assert.match((await ours.command(onObject('contact', 'check', 'ct-1'))).xml, /avail="0"/)
    assert.match((await ours.command(onObject('contact', 'check', 'ct-2'))).xml, /avail="1"/)
    const { xml } = await ours.command(onObject('contact', 'info', 'ct-1'))
    assert.match(xml, /<contact:street>1 Road<.*<contact:voice>\+49\.301234567</)
    assert.equal(await code(theirs, onObject('contact', 'info', 'ct-1')), 2201)
    assert.equal(await code(ours, onObject('contact', 'info', 'ct-9')), 2303)
  })

  it('is refused when malformed', async () => {
    const bad: [string, string, number][] = [
      ['<contact:cc>DE<', '<contact:cc>DEU<', 2005],
      ['+49.301234567', '030 1234567', 2005],
      ['ada@example.net', 'ada', 2005],
      ['Ada Test', 'Ädä Test', 2005],
      ['<contact:city>Town</contact:city>', '', 2003],
      [
        '<contact:pc>12345</contact:pc><contact:cc>DE</contact:cc>',
        '<contact:cc>DE</contact:cc><contact:pc>1</contact:pc>',
        2001,
      ],
    ]
    for (const [from, to, expected] of bad) {
      assert.equal(await code(ours, contactCreate('ct-bad').replace(from, to)), expected, to)
    }
  })

  it('is updated in the given parts', async () => {
    const chg =
      '<contact:chg><contact:postalInfo type="int"><contact:org>Org Ltd</contact:org>' +
      '</contact:postalInfo><contact:voice/><contact:email>new@example.net</contact:email>' +
      '</contact:chg>'
    assert.equal(await code(ours, updateContact('ct-1', chg)), 1000)
    const { xml } = await ours.command(onObject('contact', 'info', 'ct-1'))
    assert.match(xml, /<contact:name>Ada Test<.*<contact:org>Org Ltd<.*new@example\.net/)
    assert.doesNotMatch(xml, /contact:voice/)
    assert.equal(await code(theirs, updateContact('ct-1', chg)), 2201)
    const lock = '<contact:add><contact:status s="clientUpdateProhibited"/></contact:add>'
    assert.equal(await code(ours, updateContact('ct-1', lock)), 1000)
    assert.equal(await code(ours, updateContact('ct-1', chg)), 2304)
  })

  it('cannot be deleted while a domain uses it', async () => {
    await ours.command(contactCreate('ct-3'))
    await ours.command(domain.create('linking.test', { parts: people('ct-3') }))
    assert.match((await ours.command(onObject('contact', 'info', 'ct-3'))).xml, /s="linked"/)
    assert.equal(await code(ours, onObject('contact', 'delete', 'ct-3')), 2305)
    const unlink = '<domain:rem><domain:contact type="tech">ct-3</domain:contact></domain:rem>'
    assert.equal(await code(ours, domain.update('linking.test', unlink)), 2003)
    await ours.command(domain.remove('linking.test'))
    assert.equal(await code(ours, onObject('contact', 'delete', 'ct-3')), 1000)
    assert.equal(await code(ours, onObject('contact', 'delete', 'ct-3')), 2303)
  })
})

describe('a host', () => {
  before(async () => {
    await ours.command(contactCreate('ct-host'))
    await ours.command(domain.create('parent.test', { parts: people('ct-host') }))
  })

  it('has an address when it is below a domain of this registry, and none otherwise', async () => {
    assert.equal(await code(ours, hostCreate('ns1.example.net')), 1000)
    assert.equal(await code(ours, hostCreate('ns1.example.net')), 2302)
    assert.equal(await code(ours, hostCreate('ns2.example.net', '192.0.2.1')), 2306)
    assert.equal(await code(ours, hostCreate('ns1.parent.test')), 2003)
    assert.equal(await code(ours, hostCreate('ns1.parent.test', '192.0.2.1')), 1000)
    assert.equal(await code(ours, hostCreate('ns1.no-parent.test', '192.0.2.1')), 2303)
    assert.equal(await code(theirs, hostCreate('ns2.parent.test', '192.0.2.1')), 2201)
    assert.match(
      (await ours.command(onObject('host', 'check', 'ns1.parent.test'))).xml,
      /avail="0"/,
    )
    const { xml } = await theirs.command(onObject('host', 'info', 'ns1.parent.test'))
    assert.match(xml, /<host:addr ip="v4">192\.0\.2\.1</)
    assert.match(
      (await ours.command(domain.info('parent.test'))).xml,
      /domain:host>ns1\.parent\.test</,
    )
    assert.equal(await code(ours, domain.remove('parent.test')), 2305)
  })

  it('must exist to serve a domain, and cannot be deleted while it does', async () => {
    const parts = (...names: string[]) => servers(...names) + people('ct-host')
    const create = (...names: string[]) => domain.create('served.test', { parts: parts(...names) })
    assert.equal(await code(ours, create('ns9.example.net')), 2303)
    assert.equal(await code(ours, create('ns1.example.net', 'ns1.parent.test')), 1000)
    assert.match(
      (await ours.command(onObject('host', 'info', 'ns1.example.net'))).xml,
      /s="linked"/,
    )
    assert.equal(await code(ours, onObject('host', 'delete', 'ns1.example.net')), 2305)
    const away = `<domain:rem>${servers('ns1.example.net')}</domain:rem>`
    assert.equal(await code(ours, domain.update('served.test', away)), 1000)
    assert.equal(await code(ours, domain.update('served.test', away)), 2306)
    assert.equal(await code(theirs, onObject('host', 'delete', 'ns1.example.net')), 2201)
    assert.equal(await code(ours, onObject('host', 'delete', 'ns1.example.net')), 1000)
  })

  it('updates its addresses and its name', async () => {
    const addresses =
      '<host:add><host:addr ip="v6">2001:db8::1</host:addr></host:add>' +
      '<host:rem><host:addr ip="v4">192.0.2.1</host:addr></host:rem>'
    assert.equal(await code(ours, updateHost('ns1.parent.test', addresses)), 1000)
    const { xml } = await ours.command(onObject('host', 'info', 'ns1.parent.test'))
    assert.match(xml, /ip="v6">2001:db8::1</)
    assert.doesNotMatch(xml, /192\.0\.2\.1/)
    const rename = '<host:chg><host:name>ns3.parent.test</host:name></host:chg>'
    assert.equal(await code(ours, updateHost('ns1.parent.test', rename)), 2305)
    await ours.command(hostCreate('ns2.parent.test', '192.0.2.2'))
    assert.equal(await code(ours, updateHost('ns2.parent.test', rename)), 1000)
    assert.equal(await code(ours, onObject('host', 'info', 'ns2.parent.test')), 2303)
    assert.equal(await code(ours, onObject('host', 'info', 'ns3.parent.test')), 1000)
  })
})

describe('the thin registry', () => {
  it('has neither contacts nor hosts', async () => {
    const client = await enter(sandbox, 'thin')
    assert.equal(await code(client, contactCreate('ct-9')), 2307)
    assert.equal(await code(client, onObject('host', 'info', 'ns1.example.net')), 2307)
    client.close()
  })
})

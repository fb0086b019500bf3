// The registries from a registrar's view: availability, registration, updates, renewal, deletion.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Sandbox, startSandbox } from '../index.ts'
import { type Client, dial, enter, NS } from '../testing/client.ts'
import { contactCreate, domain, fees, people } from '../testing/frames.ts'
import { schemasMissing } from '../testing/schema.ts'

let sandbox: Sandbox
let thin: Client
let thick: Client
let other: Client

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
  thin = await enter(sandbox, 'thin')
  thick = await enter(sandbox, 'thick')
  other = await enter(sandbox, 'thin', 'registrar-b')
  assert.equal((await thick.command(contactCreate('ada-1'))).code, 1000)
})

after(async () => {
  for (const client of [thin, thick, other]) client.close()
  await sandbox.close()
})

const code = async (client: Client, body: string, extension?: string): Promise<number> =>
  (await client.command(body, extension)).code

const fenceOf = (name: string): string => sandbox.lookup(name)?.expires_at.slice(0, 10) ?? ''

describe('the schemas', () => {
  it('validate every answer of these tests', { skip: schemasMissing }, () => {
    assert.equal(schemasMissing, false)
  })
})

describe('check', () => {
  it('shows free, taken, reserved and premium names, with fees', async () => {
    const answer = await thin.command(
      domain.check('free-as-air.com', 'google.com', 'nic.com', 'gold.com', 'a.b.com', 'x.zz'),
      fees.check('create', 'renew', 'transfer', 'restore', 'delete', 'custom'),
    )
    assert.equal(answer.code, 1000)
    assert.match(answer.xml, /avail="1">free-as-air\.com</)
    assert.match(answer.xml, /avail="0">google\.com<\/domain:name><domain:reason>In use</)
    assert.match(answer.xml, /avail="0">nic\.com<\/domain:name><domain:reason>Reserved</)
    assert.match(answer.xml, /<fee:objID>gold\.com<\/fee:objID><fee:class>premium</)
    assert.match(answer.xml, />150\.00</)
    assert.match(answer.xml, />9\.59</)
  })

  it('prices the requested period', async () => {
    const extension = fees
      .check('create')
      .replace(
        '<fee:command name="create"/>',
        '<fee:command name="create"><fee:period unit="y">2</fee:period></fee:command>',
      )
    const { xml } = await thick.command(domain.check('two-years.io'), extension)
    assert.match(xml, /<fee:period unit="y">2<\/fee:period><fee:fee[^>]*>77\.00</)
  })

  it('limits the number of names as each registry does', async () => {
    const names = (count: number, tld: string) =>
      Array.from({ length: count }, (_, n) => `name-${n}.${tld}`)
    assert.equal(await code(thin, domain.check(...names(50, 'com'))), 1000)
    assert.equal(await code(thin, domain.check(...names(51, 'com'))), 2306)
    assert.equal(await code(thick, domain.check(...names(10, 'test'))), 1000)
    assert.equal(await code(thick, domain.check(...names(11, 'test'))), 2004)
  })

  it('refuses invalid names and A-labels', async () => {
    for (const name of ['-a.com', 'a_b.com', 'com', 'ab--cd.com', 'xn--a.com', 'ü.com']) {
      assert.equal(await code(thin, domain.check(name)), 2005, name)
    }
    assert.equal(await code(thin, domain.check('xn--mnchen-3ya.com')), 1000)
  })

  it('hides premium names from sessions without the fee extension', async () => {
    const client = await dial(sandbox, 'thin')
    await client.login({ services: `<objURI>${NS.domain}</objURI>` })
    const { xml } = await client.command(domain.check('gold.com'))
    assert.match(xml, /avail="0">gold\.com<.*Premium names require EPP ext\./)
    assert.equal(await code(client, domain.check('gold.com'), fees.check('create')), 2002)
    client.close()
  })
})

describe('create', () => {
  it('registers a name once', async () => {
    const fee = fees.create({ amount: '9.59' })
    const made = await thin.command(domain.create('first-name.com'), fee)
    assert.equal(made.code, 1000)
    assert.match(made.xml, /<fee:fee>9\.59</)
    assert.equal(await code(thin, domain.create('first-name.com')), 2302)
    const effects = sandbox.effects().filter((effect) => effect.domain === 'first-name.com')
    assert.deepEqual(
      effects.map(({ kind, fee, years, registrar }) => ({ kind, fee, years, registrar })),
      [{ kind: 'create', fee: '9.59', years: 1, registrar: 'registrar-a' }],
    )
  })

  it('requires contacts in the thick registry and prohibits them in the thin', async () => {
    assert.equal(await code(thick, domain.create('no-people.test')), 2003)
    assert.equal(await code(thick, domain.create('g.test', { parts: people('unknown-1') })), 2306)
    assert.equal(
      await code(thick, domain.create('gg-g.test', { parts: people('unknown-1') })),
      2303,
    )
    assert.equal(await code(thin, domain.create('people.com', { parts: people('ada-1') })), 2306)
    const parts = people('ada-1')
    assert.equal(await code(thick, domain.create('with-people.test', { parts })), 1000)
    const { xml } = await thick.command(domain.info('with-people.test'))
    assert.match(xml, /<domain:registrant>ada-1</)
  })

  it('enforces its rules on names and periods', async () => {
    assert.equal(await code(thin, domain.create('www.com')), 2306)
    assert.equal(await code(thin, domain.create('x.com')), 2306)
    assert.equal(await code(thin, domain.create('some-name.zz')), 2306)
    assert.equal(await code(thin, domain.create('google.com')), 2302)
    assert.equal(await code(thin, domain.create('eleven.com', { years: 11 })), 2306)
    assert.equal(await code(thin, domain.create('hundred.com', { years: 100 })), 2004)
    assert.equal(await code(thin, domain.create('empty-auth.com', { auth: '' })), 1000)
  })

  it('requires premium fees to be acknowledged, to the cent and in its currency', async () => {
    const bare = await thin.command(domain.create('gold.com'))
    assert.equal(bare.code, 2003)
    assert.match(bare.xml, /150\.00 USD/)
    assert.equal(
      await code(thin, domain.create('gold.com'), fees.create({ amount: '149.99' })),
      2004,
    )
    const euros = fees.create({ amount: '150.00', currency: 'EUR' })
    assert.equal(await code(thin, domain.create('gold.com'), euros), 2004)
    assert.equal(await code(thin, domain.create('gold.com'), fees.create({ amount: '150' })), 1000)
  })

  it('refuses an order above the credit', async () => {
    const account = { registry: 'thin', registrar: 'registrar-a' } as const
    const before = sandbox.credit(account)
    sandbox.setCredit({ ...account, amount: '9.58' })
    assert.equal(await code(thin, domain.create('too-expensive.com')), 2104)
    assert.equal(sandbox.lookup('too-expensive.com'), null)
    sandbox.setCredit({ ...account, amount: '9.59' })
    assert.equal(await code(thin, domain.create('too-expensive.com')), 1000)
    assert.equal(sandbox.credit(account), '0.00')
    sandbox.setCredit({ ...account, amount: before })
  })

  it('stores DS records', async () => {
    const ds =
      `<secDNS:create xmlns:secDNS="${NS.secDNS}"><secDNS:dsData>` +
      '<secDNS:keyTag>12345</secDNS:keyTag>' +
      '<secDNS:alg>13</secDNS:alg><secDNS:digestType>2</secDNS:digestType>' +
      '<secDNS:digest>49FD46E6C4B45C55D4AC</secDNS:digest></secDNS:dsData></secDNS:create>'
    assert.equal(await code(thin, domain.create('signed.com'), ds), 1000)
    assert.match((await thin.command(domain.info('signed.com'))).xml, /keyTag>12345</)
    const gone =
      `<secDNS:update xmlns:secDNS="${NS.secDNS}"><secDNS:rem>` +
      '<secDNS:all>true</secDNS:all></secDNS:rem></secDNS:update>'
    assert.equal(await code(thin, domain.update('signed.com', ''), gone), 1000)
    assert.doesNotMatch((await thin.command(domain.info('signed.com'))).xml, /keyTag/)
  })
})

describe('info', () => {
  it('is for the sponsor, and for a registrar with the authInfo', async () => {
    await thin.command(domain.create('mine.com', { auth: 'Secret-1' }))
    const ours = await thin.command(domain.info('mine.com'))
    assert.match(ours.xml, /<domain:pw>Secret-1<.*rgpStatus s="addPeriod"/)
    assert.equal(await code(other, domain.info('mine.com')), 2201)
    assert.equal(await code(other, domain.info('mine.com', 'wrong-1')), 2202)
    assert.equal(await code(other, domain.info('mine.com', 'Secret-1')), 1000)
    assert.equal(await code(other, domain.remove('mine.com')), 2201)
    assert.equal(await code(thin, domain.info('unregistered.com')), 2303)
  })
})

describe('renew', () => {
  it('is fenced by the expiry date and billed once', async () => {
    await thin.command(domain.create('renewed.com'))
    const fence = fenceOf('renewed.com')
    const fee = fees.renew({ amount: '19.18' })
    assert.equal(await code(thin, domain.renew('renewed.com', fence, 2), fee), 1000)
    assert.equal(await code(thin, domain.renew('renewed.com', fence, 2), fee), 2004)
    assert.equal(Number(fenceOf('renewed.com').slice(0, 4)), Number(fence.slice(0, 4)) + 2)
    const paid = sandbox.effects().filter((effect) => effect.domain === 'renewed.com')
    assert.deepEqual(
      paid.map(({ kind, fee }) => [kind, fee]),
      [
        ['create', '9.59'],
        ['renew', '19.18'],
      ],
    )
    assert.equal(await code(thin, domain.renew('renewed.com', fenceOf('renewed.com'), 8)), 2306)
    assert.equal(await code(thin, domain.renew('renewed.com', 'today')), 2005)
  })
})

describe('update', () => {
  it('sets and removes client statuses, and enforces them', async () => {
    await thin.command(domain.create('locked.com'))
    const status = (name: string) => `<domain:status s="${name}"/>`
    const add = (name: string) =>
      domain.update('locked.com', `<domain:add>${status(name)}</domain:add>`)
    const rem = (name: string) =>
      domain.update('locked.com', `<domain:rem>${status(name)}</domain:rem>`)
    assert.equal(await code(thin, add('serverHold')), 2005)
    for (const verb of ['Renew', 'Delete', 'Update']) {
      assert.equal(await code(thin, add(`client${verb}Prohibited`)), 1000)
    }
    assert.equal(await code(thin, domain.renew('locked.com', fenceOf('locked.com'))), 2304)
    assert.equal(await code(thin, domain.remove('locked.com')), 2304)
    assert.equal(await code(thin, add('clientHold')), 2304)
    assert.equal(await code(thin, rem('clientUpdateProhibited')), 1000)
    assert.equal(await code(thin, add('clientRenewProhibited')), 2306)
    assert.equal(await code(thin, rem('clientHold')), 2306)
    assert.equal(await code(thin, domain.update('locked.com', '')), 2003)
  })

  it('changes name servers by attribute in the thin registry', async () => {
    const server = (name: string, glue = '') =>
      `<domain:ns><domain:hostAttr><domain:hostName>${name}</domain:hostName>${glue}` +
      '</domain:hostAttr></domain:ns>'
    await thin.command(domain.create('served.com', { parts: server('ns1.example.net') }))
    assert.deepEqual(sandbox.lookup('served.com')?.nameservers, ['ns1.example.net'])
    const change = (parts: string) => domain.update('served.com', parts)
    assert.equal(
      await code(thin, change(`<domain:add>${server('ns.served.com')}</domain:add>`)),
      2003,
    )
    const glue = '<domain:hostAddr ip="v4">192.0.2.1</domain:hostAddr>'
    const both =
      `<domain:add>${server('ns.served.com', glue)}</domain:add>` +
      `<domain:rem>${server('ns1.example.net')}</domain:rem>`
    assert.equal(await code(thin, change(both)), 1000)
    assert.match(
      (await thin.command(domain.info('served.com'))).xml,
      /hostAddr ip="v4">192\.0\.2\.1</,
    )
    assert.deepEqual(sandbox.lookup('served.com')?.nameservers, ['ns.served.com'])
    const object =
      '<domain:add><domain:ns><domain:hostObj>ns.served.com</domain:hostObj></domain:ns>' +
      '</domain:add>'
    assert.equal(await code(thin, change(object)), 2001)
  })

  it('sets and removes the authInfo', async () => {
    await thin.command(domain.create('opened.com'))
    const change = (auth: string) =>
      domain.update(
        'opened.com',
        `<domain:chg><domain:authInfo>${auth}</domain:authInfo></domain:chg>`,
      )
    assert.equal(await code(thin, change('<domain:pw>New-Secret-2</domain:pw>')), 1000)
    assert.equal(sandbox.lookup('opened.com')?.auth_info, 'New-Secret-2')
    assert.equal(await code(thin, change('<domain:null/>')), 1000)
    assert.equal(sandbox.lookup('opened.com')?.auth_info, '')
  })
})

describe('delete', () => {
  it('drops a name at once in the add grace, with a refund', async () => {
    const account = { registry: 'thin', registrar: 'registrar-a' } as const
    const before = sandbox.credit(account)
    await thin.command(domain.create('mistake.com'))
    const { code: deleted, xml } = await thin.command(domain.remove('mistake.com'))
    assert.equal(deleted, 1000)
    assert.match(xml, /<fee:credit>-9\.59</)
    assert.equal(sandbox.credit(account), before)
    assert.equal(await code(thin, domain.info('mistake.com')), 2303)
    assert.match((await thin.command(domain.check('mistake.com'))).xml, /avail="1"/)
  })
})

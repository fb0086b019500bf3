// Sessions: certificates, logins, limits, malformed frames, order.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { type Sandbox, startSandbox } from '../index.ts'
import { type Client, dial, enter, frameOf, freshTrid, NS } from '../testing/client.ts'
import { domain, poll } from '../testing/frames.ts'

let sandbox: Sandbox
const clients: Client[] = []

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
})

after(async () => {
  for (const client of clients) client.close()
  await sandbox.close()
})

async function call(registrar = 'registrar-a'): Promise<Client> {
  const client = await dial(sandbox, 'thick', { registrar })
  clients.push(client)
  return client
}

async function member(registry: 'thin' | 'thick' = 'thick'): Promise<Client> {
  const client = await enter(sandbox, registry)
  clients.push(client)
  return client
}

describe('the TLS server', () => {
  it('speaks TLS 1.2 and 1.3', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const client = await dial(sandbox, 'thin', { version })
      assert.equal(client.socket.getProtocol(), version)
      client.close()
    }
  })

  it('refuses a client without a certificate', async () => {
    const { host, port } = sandbox.registries.thin
    const socket = connect({ host, port, servername: 'localhost', ca: sandbox.tls.ca })
    const [error]: Error[] = await once(socket, 'error')
    assert.match(String(error), /certificate|ECONNRESET/i)
    assert.equal(sandbox.counters().thin.commands.login, undefined)
  })

  it('refuses a login with the certificate of another registrar', async () => {
    const client = await call('registrar-b')
    const login =
      '<login><clID>registrar-a</clID><pw>sandbox-a-pw-01</pw><options><version>1.0</version>' +
      `<lang>en</lang></options><svcs><objURI>${NS.domain}</objURI></svcs></login>`
    assert.equal((await client.command(login)).code, 2200)
  })
})

describe('login', () => {
  it('is required before every command but hello', async () => {
    const client = await call()
    assert.match((await client.send(`<epp xmlns="${NS.epp}"><hello/></epp>`)).xml, /<greeting>/)
    assert.equal((await client.command(domain.check('a1.test'))).code, 2002)
    assert.equal((await client.login()).code, 1000)
    assert.equal((await client.login()).code, 2002)
    assert.equal((await client.command('<logout/>')).code, 1500)
    assert.equal(await client.raw(), null)
  })

  it('closes the session after three wrong passwords', async () => {
    const client = await call()
    const codes = []
    for (let n = 0; n < 3; n += 1) codes.push((await client.login({ password: 'wrong-pw' })).code)
    assert.deepEqual(codes, [2200, 2200, 2501])
    assert.equal(await client.raw(), null)
  })

  it('refuses services it does not have', async () => {
    const client = await call()
    const services = (uri: string, more = '') => ({ services: `<objURI>${uri}</objURI>${more}` })
    assert.equal((await client.login(services('urn:unknown:object'))).code, 2307)
    const unknown = '<svcExtension><extURI>urn:unknown:extension</extURI></svcExtension>'
    assert.equal((await client.login(services(NS.domain, unknown))).code, 2103)
    assert.equal((await client.login(services(NS.domain))).code, 1000)
    assert.equal((await client.command(domain.info('google.io'))).code, 2201)
  })

  it('changes the password, also a long one by the login security extension', async () => {
    const long = 'a long password with more than sixteen characters'
    const svcs =
      '<options><version>1.0</version><lang>en</lang></options>' +
      `<svcs><objURI>${NS.domain}</objURI>` +
      `<svcExtension><extURI>${NS.loginSec}</extURI></svcExtension></svcs></login>`
    const marked = '[LOGIN-SECURITY]'
    const security = (parts: string) =>
      `<loginSec:loginSec xmlns:loginSec="${NS.loginSec}">${parts}</loginSec:loginSec>`
    const first = await call('registrar-b')
    const changed = await first.command(
      `<login><clID>registrar-b</clID><pw>sandbox-b-pw-01</pw><newPW>${marked}</newPW>${svcs}`,
      security(`<loginSec:newPW>${long}</loginSec:newPW>`),
    )
    assert.equal(changed.code, 1000)
    const second = await call('registrar-b')
    assert.equal((await second.login()).code, 2200)
    const back = await second.command(
      `<login><clID>registrar-b</clID><pw>${marked}</pw><newPW>sandbox-b-pw-01</newPW>${svcs}`,
      security(`<loginSec:pw>${long}</loginSec:pw>`),
    )
    assert.equal(back.code, 1000)
    assert.equal((await (await call('registrar-b')).login()).code, 1000)
  })

  it('ends with 2502 when all sessions are in use', async () => {
    sandbox.settings.sessions_per_registrar = 1
    const one = await member('thin')
    const two = await dial(sandbox, 'thin')
    const { code } = await two.login()
    assert.equal(code, 2502)
    assert.equal(await two.raw(), null)
    sandbox.settings.sessions_per_registrar = 10
    one.close()
  })
})

describe('frames', () => {
  it('may be pretty, prefixed, standalone and without clTRID', async () => {
    const client = await member()
    const { code, xml } = await client.send(
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <e:epp xmlns:e="${NS.epp}" xmlns:d="${NS.domain}">
        <!-- a comment -->
        <e:command>
          <e:check><d:check><d:name> Pretty.TEST
          </d:name></d:check></e:check>
        </e:command>
      </e:epp>`,
    )
    assert.equal(code, 1000)
    assert.match(xml, /avail="1">pretty\.test</)
    assert.doesNotMatch(xml, /clTRID/)
  })

  it('that are not well-formed get 2001, and the session goes on', async () => {
    const client = await member()
    const deep = '<a>'.repeat(60) + '</a>'.repeat(60)
    const bad = [
      '<epp',
      '<!DOCTYPE epp><epp/>',
      `<epp xmlns="${NS.epp}">${deep}</epp>`,
      '<?xml version="1.0" encoding="ISO-8859-1"?><epp/>',
      '<epp xmlns="urn:other"><command/></epp>',
      frameOf(domain.check('x1.test').replace('<domain:name>', '<domain:nam>')),
      frameOf(domain.create('x1.test', { parts: '<domain:strange/>' })),
      frameOf(domain.check('x1.test'), '', 'x'),
    ]
    for (const xml of bad) assert.equal((await client.send(xml)).code, 2001, xml.slice(0, 60))
    assert.equal((await client.command('<jump/>')).code, 2000)
    assert.equal((await client.command(domain.check('x1.test'))).code, 1000)
  })

  it('that are not UTF-8 get 2001', async () => {
    const client = await member()
    client.socket.write(Buffer.from([0, 0, 0, 7, 0x3c, 0xff, 0xfe]))
    assert.equal((await client.next()).code, 2001)
  })

  it('with an impossible length close the connection', async () => {
    for (const length of [0, 4, 65_537, 0xffff_ffff]) {
      const client = await call()
      const header = Buffer.alloc(4)
      header.writeUInt32BE(length)
      client.socket.write(header)
      assert.equal(await client.raw(), null)
    }
    assert.equal(sandbox.counters().thick.refused_frames, 4)
  })

  it('in one write are answered one by one, in order', async () => {
    const client = await member()
    const trids = Array.from({ length: 20 }, freshTrid)
    sandbox.setFault({ name: 'slow', command: 'domain:check', delay_ms: 20 })
    for (const trid of trids) client.write(frameOf(domain.check('order.test'), '', trid))
    const answered = []
    for (const _ of trids)
      answered.push(/<clTRID>(.*)<\/clTRID>/.exec((await client.next()).xml)?.[1])
    assert.deepEqual(answered, trids)
  })

  it('with a used clTRID close the connection without an answer, unless switched off', async () => {
    const client = await member()
    const again = frameOf(domain.check('again.test'))
    assert.equal((await client.send(again)).code, 1000)
    client.write(again)
    assert.equal(await client.raw(), null)
    sandbox.settings.refuse_reused_cl_trid = false
    assert.equal((await (await member()).send(again)).code, 1000)
    sandbox.settings.refuse_reused_cl_trid = true
  })

  it('of unknown extensions and objects get different codes', async () => {
    const client = await member()
    const check = domain.check('unknown.test')
    assert.equal((await client.command(check, '<x:y xmlns:x="urn:x"/>')).code, 2103)
    assert.equal((await client.command('<info><x:info xmlns:x="urn:x"/></info>')).code, 2307)
    assert.equal((await client.command(poll.acknowledge('999'))).code, 2303)
  })
})

describe('an idle session', () => {
  it('is closed', async () => {
    sandbox.settings.idle_ms = 50
    const client = await call()
    assert.equal(await client.raw(), null)
    sandbox.settings.idle_ms = 120_000
  })
})

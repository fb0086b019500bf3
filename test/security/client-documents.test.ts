// SSRF: the network access that production uses for client metadata documents reaches no address of
// this machine or of a private network, and only port 443.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { publicInternet } from '../../src/kit/net/outbound-network.ts'
import { sharedService } from '../support/service.ts'
import { callback, newVerifier, openAttacker } from './client.ts'

const inside = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '2002:7f00:1::',
  '2002:a00:1::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  'localhost',
  '',
]

describe('the network access for client metadata documents', () => {
  test('rejects every private or special address, however it is written', () => {
    for (const address of inside) assert.equal(publicInternet.allows(address), false, address)
    for (const address of ['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111'])
      assert.equal(publicInternet.allows(address), true, address)
    assert.equal(publicInternet.port, 443)
  })

  test('is the default of the service: no client makes it connect to this machine', async () => {
    let connections = 0
    const listener = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    listener.listen(0, '::')
    await once(listener, 'listening')
    const address = listener.address()
    assert.ok(typeof address === 'object' && address !== null)
    const registrar = await sharedService({ worker: false })
    const { authorizeUrl, send } = openAttacker(registrar)
    const hosts = ['127.0.0.1', '[::1]', 'localhost', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]']
    for (const host of hosts)
      for (const scheme of ['https', 'http']) {
        const peek: string = `${scheme}://${host}:${address.port}`
        const client = { client_id: `${peek}/client`, redirect_uri: callback }
        const answer = await send(authorizeUrl(client, newVerifier()).href)
        assert.equal(answer.status, 400, peek)
        assert.equal(answer.headers.get('location'), null)
        const named = ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri', 'jwks_uri']
        const more = ['sector_identifier_uri', 'software_statement', 'initiate_login_uri']
        const fields = [...named, ...more].map((name) => [name, `${peek}/${name}`])
        const body = { redirect_uris: [callback], ...Object.fromEntries(fields) }
        const made = await registrar.request('POST', '/register', { body })
        if (made.status === 201)
          await send(
            authorizeUrl({ client_id: made.body.client_id, redirect_uri: callback }, newVerifier())
              .href,
          )
      }
    assert.equal(connections, 0)
    listener.close()
  })
})

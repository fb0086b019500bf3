// The sockets of the name server: ports that are taken, and stops.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { NameServerError } from '../port.ts'
import { openSockets } from './dns-sockets.ts'

const log = pino({ level: 'silent' })
const open = (port: number, host = '127.0.0.1') =>
  openSockets({ place: { host, port }, answers: async () => [Buffer.from('answer')], log })

it('reports in one line that its port is taken, by TCP or by UDP alone', async () => {
  const taken = (error: unknown) =>
    error instanceof NameServerError && /^Port \d+ .* Set DNS_PORT .*$/.test(error.message)
  const first = await open(0)
  await assert.rejects(open(first.place.port), taken)
  const other = createSocket('udp4')
  other.bind(0, '127.0.0.1')
  await once(other, 'listening')
  await assert.rejects(open(other.address().port), taken)
  other.close()
  await first.close()
})

it('reports in one line that it has no permission to listen there', async () => {
  const elsewhere = (error: unknown) =>
    error instanceof NameServerError &&
    /^DNS_HOST 192\.0\.2\.1 is not an address/.test(error.message)
  await assert.rejects(open(0, '192.0.2.1'), elsewhere)
})

it('stops with connections open, and frees its port', async () => {
  const sockets = await open(0)
  const { port } = sockets.place
  const client = connect(port, '127.0.0.1')
  await once(client, 'connect')
  const closed = once(client, 'close')
  await sockets.close()
  await closed
  const again = await open(port)
  assert.equal(again.place.port, port)
  await again.close()
})

/** Sends one UDP message from port 0, which only a raw socket can do. */
const forged = `use Socket; my ($port) = @ARGV;
  socket(my $s, AF_INET, SOCK_RAW, 17) or exit 3;
  send($s, pack('nnnn', 0, $port, 12, 0) . 'abcd', 0, sockaddr_in(0, inet_aton('127.0.0.1')))`
const mayForge = spawnSync('perl', ['-e', forged, '9']).status === 0
const skipForged =
  mayForge || process.env.CI === 'true' ? false : 'Perl and a raw socket (root) are needed.'

it('outlives a question from port 0, and answers the next one', { skip: skipForged }, async () => {
  const sockets = await open(0)
  const { port } = sockets.place
  assert.equal(spawnSync('perl', ['-e', forged, String(port)]).status, 0)
  const client = createSocket('udp4')
  client.connect(port, '127.0.0.1')
  await once(client, 'connect')
  client.send('question')
  const [answer] = await once(client, 'message')
  assert.equal(String(answer), 'answer')
  client.close()
  await sockets.close()
})

it('leaves connections to others: one client has at most 16', async () => {
  const sockets = await open(0)
  const { port } = sockets.place
  const clients = Array.from({ length: 16 }, () => connect(port, '127.0.0.1'))
  await Promise.all(clients.map((client) => once(client, 'connect')))
  const refused = connect(port, '127.0.0.1')
  await once(refused, 'close')
  const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  other.write('\0\x04abcd')
  const [answer] = await once(other, 'data')
  assert.equal(String(answer), '\0\x06answer')
  const [first] = clients
  assert.ok(first)
  first.end()
  await once(first, 'close')
  // The server may see the end a moment later.
  for (let done = false; !done; ) {
    const again = connect(port, '127.0.0.1')
    again.on('error', () => undefined)
    again.write('\0\x04abcd')
    done = await Promise.race([
      once(again, 'data').then(() => true),
      once(again, 'close').then(() => false),
    ])
    again.destroy()
  }
  for (const client of [...clients, other]) client.destroy()
  await sockets.close()
})

it('outlives a client that resets its connection at any step', async () => {
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<Buffer[]>()
  const answers = () => {
    asked.resolve()
    return answered.promise
  }
  const sockets = await openSockets({ place: { host: '127.0.0.1', port: 0 }, answers, log })
  const clients = ['', '\0', '\0\x04abcd', '\0\x04abcd\0\x04abcd'].map((sent) => {
    const client = connect(sockets.place.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.end(sent)
    return client
  })
  await asked.promise
  for (const client of clients) client.resetAndDestroy()
  answered.resolve([Buffer.alloc(60_000)])
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  await sockets.close()
})

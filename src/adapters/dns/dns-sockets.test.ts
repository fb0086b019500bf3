// The sockets of the name server: taken ports, and stops.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { it } from 'node:test'
import { pino } from 'pino'
import { openSockets } from './dns-sockets.ts'
import { NameServerError } from './port.ts'

const log = pino({ level: 'silent' })
const open = (port: number, host = '127.0.0.1') =>
  openSockets({ place: { host, port }, answers: async () => Buffer.from('answer'), log })

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

// A free port is below those of outgoing connections, and one that is taken is not given.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { it } from 'node:test'
import { freePort, keepPort } from './free-port.ts'

it('a free port can be listened at, and no outgoing connection takes it', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()))
  for (const port of ports) assert.ok(port >= 20_000 && port < 32_768, `${port}`)
  const server = createServer()
  server.listen(ports[0], '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
})

it('a kept port is taken until it is released, as often as that is done', async () => {
  const { port, release } = await keepPort()
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await assert.rejects(once(server, 'listening'), { code: 'EADDRINUSE' })
  await release()
  await release()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
})

it('a host of another machine is an error, not an endless search', async () => {
  await assert.rejects(freePort('192.0.2.1'), { code: 'EADDRNOTAVAIL' })
})

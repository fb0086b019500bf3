// The HTTP server itself, apart from its routes.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sharedService } from '../../test/support/service.ts'

it('goes on where a connection cannot be accepted', async () => {
  const registrar = await sharedService()
  const { server } = registrar.service.server
  // As Node's server reports it when no file descriptor is left.
  const failure = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' })
  assert.equal(server.emit('error', failure), true)
  assert.equal((await registrar.request('GET', '/ready')).status, 200)
})

// MCP's own conformance suite against the whole service, in three revisions of the protocol.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { modern, modernHeaders } from '../support/mcp.ts'
import { skip } from '../support/outside.ts'
import { startService } from '../support/service.ts'
import { ofExtensions, ofService } from './expected.ts'
import { compareWithExpected, scenarios } from './suite.ts'

const registrar = await startService()
const url = `${registrar.service.settings.mcp_url}/mcp`

compareWithExpected(url, '2025-06-18', ofService['2025-06-18'])
compareWithExpected(url, '2025-11-25', ofService['2025-11-25'])
compareWithExpected(url, '2026-07-28', ofService['2026-07-28'])

it('leaves out no scenario but those of extensions that are not claimed', { skip }, async () => {
  const all = await scenarios('--server')
  const extensions = [...all].filter(([, revisions]) => revisions.includes('extension'))
  assert.deepEqual(extensions.map(([name]) => name).sort(), ofExtensions)
  const message = { jsonrpc: '2.0', id: 1, ...modern({ method: 'server/discover' }) }
  const headers = modernHeaders('server/discover')
  const { body } = await registrar.request('POST', '/mcp', { body: message, headers })
  assert.equal(body.result.capabilities.extensions, undefined)
  assert.ok(body.result.capabilities.tools)
})

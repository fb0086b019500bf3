// MCP's own conformance suite against the authorization server: its metadata, and a code grant in
// which a user logs in.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { freePort } from '../../src/kit/net/free-port.ts'
import { skip } from '../support/outside.ts'
import { newOwner } from '../support/owner.ts'
import { startService } from '../support/service.ts'
import { type Check, findings, scenarios } from './suite.ts'

const registrar = await startService()
const resource = `${registrar.service.settings.mcp_url}/mcp`
const expected = {
  'authorization-code-grant': ['authorization-code-grant'],
  'authorization-server-metadata-endpoint': [
    'authorization-server-metadata',
    'authorization-server-metadata-cimd',
  ],
}

async function registered(redirect_uri: string): Promise<string> {
  const { body } = await registrar.request('POST', '/oauth/register', {
    body: {
      client_name: 'conformance',
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
    },
  })
  return body.client_id
}

describe('the authorization server', { skip }, () => {
  it('has no scenario that is not expected', async () => {
    const all = await scenarios('--authorization')
    assert.deepEqual([...all.keys()].sort(), Object.keys(expected).sort())
  })

  for (const revision of ['2025-11-25', '2026-07-28'])
    it(`has all that ${revision} asks of it`, async () => {
      const owner = await newOwner(registrar, { funds_cents: 0, contact: false })
      const port = String(await freePort())
      const client_id = await registered(`http://127.0.0.1:${port}/callback`)
      const decisions: Promise<unknown>[] = []
      const found = await findings(
        [
          'authorization',
          ...['--url', registrar.url, '--client-id', client_id, '--resource', resource],
          ...['--port', port, '--spec-version', revision],
        ],
        {
          onOutput(soFar) {
            const link = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(soFar)?.[1]
            if (link !== undefined && decisions.length === 0)
              decisions.push(owner.decide(link).then((answer) => fetch(answer)))
          },
        },
      )
      await Promise.all(decisions)
      assert.equal(decisions.length, 1, 'the owner was asked once')
      const checked = Object.fromEntries([...found].map(([name, checks]) => [name, passed(checks)]))
      assert.deepEqual(checked, expected)
    })
})

/** The ids of all checks, each of which succeeded. */
function passed(checks: Check[]): string[] {
  for (const { id, status, errorMessage } of checks)
    assert.equal(status, 'SUCCESS', `${id}: ${errorMessage}`)
  return checks.map(({ id }) => id).sort()
}

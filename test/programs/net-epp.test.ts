// Domains bought over REST and over MCP, read at the registries by Net::EPP, a third-party client.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { RegistryName } from '../../sandbox/registry/index.ts'
import { connectAgent } from '../journeys/agent.ts'
import { sharedService } from '../support/service.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, 'net-epp-info.pl')
const installed = spawnSync('perl', ['-MNet::EPP::Simple', '-MJSON::PP', '-e', '1']).status === 0
const skip =
  installed || process.env.CI === 'true'
    ? false
    : 'Net::EPP is not installed: apt-get install libnet-epp-perl'

const registrar = await sharedService()
const customer = await registrar.customer()
const nameservers = ['ns1.example.net', 'ns2.example.org']

/** Net::EPP's info of domains, by name. */
async function seenBy(registry: RegistryName, names: string[]) {
  const { host, port, clientId, password } = registrar.sandbox.registries[registry]
  const { ca_file, cert_file, key_file } = registrar.sandbox.tls
  const settings = {
    host,
    port,
    user: clientId,
    pass: password,
    ca_file,
    cert: cert_file,
    key: key_file,
  }
  const { stdout } = await run('perl', [script, JSON.stringify(settings), ...names])
  return Object(JSON.parse(stdout))
}

const seconds = (moment: unknown) => Math.floor(Date.parse(String(moment)) / 1000)

describe('Net::EPP', { skip }, () => {
  it('reads domains that were bought over REST', async () => {
    for (const [registry, domain] of [
      ['thin', 'bought-by-rest.com'],
      ['thick', 'bought-by-rest.io'],
    ] as const) {
      const body = { domain, period_years: 2, nameservers }
      const bought = await registrar.request('POST', '/v1/domains', { token: customer.key, body })
      assert.equal(bought.body.status, 'active', bought.text)
      const seen = (await seenBy(registry, [domain]))[domain]
      assert.deepEqual([seen.name, seen.clID, seen.crID], [domain, 'registrar-a', 'registrar-a'])
      assert.equal(seconds(seen.exDate), seconds(bought.body.expiry))
      // Hosts are objects at one registry, attributes of the domain at the other.
      const hosts = seen.ns.map((host: string | { name: string }) => Object(host).name ?? host)
      assert.deepEqual(hosts.sort(), nameservers)
      assert.equal(Boolean(seen.registrant), registry === 'thick')
    }
  })

  it('reads domains that were bought over MCP', async () => {
    const agent = await connectAgent(`${registrar.service.settings.mcp_url}/mcp`, customer.key)
    const domain = 'bought-by-mcp.dev'
    const bought = await agent.use('register_domain', { domain })
    assert.equal(bought.status, 'active')
    const seen = (await seenBy('thin', [domain]))[domain]
    assert.deepEqual([seen.name, seen.clID], [domain, 'registrar-a'])
    assert.equal(seconds(seen.exDate), seconds(bought.expiry))
  })
})

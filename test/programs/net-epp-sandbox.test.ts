// Net::EPP for Perl, an unmodified third-party client, against both registries.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type RegistryName, type Sandbox, startSandbox } from '../../sandbox/registry/index.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, 'net-epp-sandbox.pl')
const installed = spawnSync('perl', ['-MNet::EPP::Simple', '-MJSON::PP', '-e', '1']).status === 0
const skip =
  installed || process.env.CI === 'true'
    ? false
    : 'Net::EPP is not installed: apt-get install libnet-epp-perl'

let sandbox: Sandbox

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
})

after(async () => {
  await sandbox.close()
})

async function day(registry: RegistryName, domain: string) {
  const { host, port, clientId, password, host_model } = sandbox.registries[registry]
  const { ca_file, cert_file, key_file } = sandbox.tls
  const { stdout } = await run('perl', [
    script,
    ...['host', host, 'port', String(port), 'user', clientId, 'pass', password],
    ...['ca', ca_file, 'cert', cert_file, 'key', key_file],
    ...['domain', domain, 'model', host_model],
  ])
  return Object(JSON.parse(stdout))
}

describe('Net::EPP', { skip }, () => {
  it('is installed', () => {
    assert.ok(installed, 'apt-get install libnet-epp-perl')
  })

  for (const [registry, domain] of [
    ['thin', 'pearl-diver.com'],
    ['thick', 'pearl-diver.test'],
  ] as const) {
    it(`checks, registers, reads and renews a domain at ${registry}`, async () => {
      const seen = await day(registry, domain)
      assert.equal(seen.greeting, `Simulated registry ${registry}`)
      assert.deepEqual([seen.free, seen.taken], ['1', '0'])
      assert.equal(seen.info.name, domain)
      assert.equal(seen.info.authInfo, 'Perl-Domain-1')
      assert.equal(seen.info.clID, 'registrar-a')
      assert.deepEqual(seen.after.status, ['clientTransferProhibited'])
      const kept = sandbox.lookup(domain)
      assert.equal(seen.after.exDate, kept?.expires_at)
      assert.deepEqual(kept?.nameservers, ['ns1.example.net'])
      const effects = sandbox.effects().filter((effect) => effect.domain === domain)
      assert.deepEqual(
        effects.map(({ kind, years }) => [kind, years]),
        [
          ['create', 2],
          ['renew', 1],
        ],
      )
      if (registry === 'thick') assert.equal(seen.contact.postalInfo.int.org, 'Pearls & Sons')
    })
  }
})

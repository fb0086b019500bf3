// A program that runs the simulated registries in memory. It prints the environment that
// registries.yaml needs; a line "<ms>" on stdin delays every answer by that time, and "counters"
// prints the counted commands.
import { createInterface } from 'node:readline'
import { startSandbox } from '../../sandbox/registry/index.ts'

const sandbox = await startSandbox({
  data_dir: null,
  settings: { sessions_per_registrar: 100, sixty_day_rule: false },
})
for (const registry of ['thin', 'thick'] as const)
  sandbox.setCredit({ registry, registrar: 'registrar-a', amount: '90000000.00' })

const { thin, thick } = sandbox.registries
const { ca_file, cert_file, key_file, registrars } = sandbox.tls
process.stdout.write(
  `${JSON.stringify({
    REGISTRY_CLIENT_ID: thin.clientId,
    REGISTRY_PASSWORD: thin.password,
    REGISTRY_CA: ca_file,
    REGISTRY_CERT: cert_file,
    REGISTRY_KEY: key_file,
    THIN_PORT: String(thin.port),
    THICK_PORT: String(thick.port),
    RIVAL_CLIENT_ID: 'registrar-b',
    RIVAL_PASSWORD: 'sandbox-b-pw-01',
    RIVAL_CERT: registrars['registrar-b']?.cert_file,
    RIVAL_KEY: registrars['registrar-b']?.key_file,
  })}\n`,
)
process.on('SIGTERM', () => void sandbox.close().then(() => process.exit(0)))
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'counters') {
    process.stdout.write(`${JSON.stringify(sandbox.counters().thin.commands)}\n`)
    continue
  }
  sandbox.clearFaults()
  const delay_ms = Number(line)
  if (delay_ms > 0) sandbox.setFault({ name: 'slow', times: null, delay_ms })
  process.stdout.write(`${delay_ms}\n`)
}
// This means that the parent has ended.
process.exit(0)

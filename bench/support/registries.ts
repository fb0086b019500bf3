// A program: the pretend registries in memory. Prints the environment that registries.yaml asks
// for; a line "<ms>" on its stdin makes every answer wait so long.
import { createInterface } from 'node:readline'
import { startSandbox } from '../../sandbox/registry/index.ts'

const sandbox = await startSandbox({ data_dir: null, settings: { sessions_per_registrar: 100 } })
for (const registry of ['thin', 'thick'] as const)
  sandbox.setCredit({ registry, registrar: 'registrar-a', amount: '90000000.00' })

const { thin, thick } = sandbox.registries
const { ca_file, cert_file, key_file } = sandbox.tls
process.stdout.write(
  `${JSON.stringify({
    REGISTRY_CLIENT_ID: thin.clientId,
    REGISTRY_PASSWORD: thin.password,
    REGISTRY_CA: ca_file,
    REGISTRY_CERT: cert_file,
    REGISTRY_KEY: key_file,
    THIN_PORT: String(thin.port),
    THICK_PORT: String(thick.port),
  })}\n`,
)
process.on('SIGTERM', () => void sandbox.close().then(() => process.exit(0)))
for await (const line of createInterface({ input: process.stdin })) {
  sandbox.clearFaults()
  const delay_ms = Number(line)
  if (delay_ms > 0) sandbox.setFault({ name: 'slow', times: null, delay_ms })
  process.stdout.write(`${delay_ms}\n`)
}
// Nobody is left to tell it to stop.
process.exit(0)

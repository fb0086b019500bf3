// A node that is there to be killed: the whole service on a given database and given registries.
import { pino } from 'pino'
import { compose } from '../../src/compose.ts'
import { readSettings } from '../../src/config.ts'
import type { Endpoint } from '../../src/outside/registry/registries.ts'

const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  JSON.parse(process.env.TEST_ENDPOINTS ?? '[]'),
)
const service = await compose(readSettings(), {
  log: pino({ level: 'error' }, pino.destination(2)),
  worker: process.env.TEST_WORKER === 'true',
  endpoints,
})
process.stdout.write(`${service.settings.base_url}\n`)
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
// When the test ends, so does its node.
process.stdin.on('end', () => process.exit(0)).resume()

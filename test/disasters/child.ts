// A node that is there to be killed: the whole service on a given database and given registries.
import { pino } from 'pino'
import { compose } from '../../src/compose.ts'
import { readSettings } from '../../src/config.ts'

const endpoints = new Map(JSON.parse(process.env.TEST_ENDPOINTS ?? '[]')) as Parameters<
  typeof compose
>[1] extends { endpoints?: infer E }
  ? E
  : never
const service = await compose(readSettings(), {
  log: pino({ level: 'error' }, pino.destination(2)),
  worker: process.env.TEST_WORKER === 'true',
  ...(endpoints ? { endpoints } : {}),
})
process.stdout.write(`${service.settings.base_url}\n`)
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
// When the test ends, so does its node.
process.stdin.on('end', () => process.exit(0)).resume()

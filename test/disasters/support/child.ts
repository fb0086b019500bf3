// A node to be killed: the whole service on a given database and given registries.
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import type { Endpoint } from '../../../src/adapters/registry/registries.ts'
import { systemCall } from '../../../src/capabilities/audit/index.ts'
import { settleOrders } from '../../../src/capabilities/domains/orders/settle-orders.job.ts'
import { PasswordHasher } from '../../../src/capabilities/sign-in/index.ts'
import { compose } from '../../../src/compose.ts'
import { readSettings } from '../../../src/config/config.ts'

const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  JSON.parse(process.env.TEST_ENDPOINTS ?? '[]'),
)
const { app, settings, stop } = await compose(readSettings(), {
  log: pino({ level: process.env.TEST_LOG ?? 'fatal' }, pino.destination(2)),
  worker: process.env.TEST_WORKER === 'true',
  endpoints,
  // A hasher as cheap as in test/support, because a copy of the tree does not contain that.
  passwordHasher: new PasswordHasher({ memory_kib: 4_096, passes: 1, parallelism: 1 }),
})
// The address at which it listens. Its public URL may be that of another node, or of a proxy.
process.stdout.write(`http://${settings.host}:${settings.port}\n`)
if (process.env.TEST_KEEPS_COMPILED === 'true') flushCompileCache()
process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
// With "settle", it makes one immediate run of the job that takes over open orders.
for await (const line of createInterface({ input: process.stdin }))
  if (line === 'settle') {
    await settleOrders.run(app, systemCall(app, settleOrders.name))
    process.stdout.write('settled\n')
  }
// When the test ends, its node ends, too.
process.exit(0)

// GET /v1/account with an API key on the whole service, compared with a bare Fastify route that
// runs one select.
import { runBench } from './support/bench.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { shoot } from './support/http-load.ts'
import { duel } from './support/paired-rounds.ts'
import { startPeer, startRegistries, startService } from './support/programs.ts'
import { sayMachine } from './support/report.ts'

const connections = 64

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const registries = await startRegistries(bench)
  const service = await startService(bench, {
    database_url: db.url,
    registries: registries.environment,
  })
  const [customer] = await makeCustomers(service.url, { count: 1, cents: 0 })
  if (!customer) throw new Error('No customer was made')
  const peer = await startPeer(bench, 'bare-account.ts', {
    DATABASE_URL: db.url,
    CUSTOMER_ID: customer.id,
  })
  sayMachine(`GET /v1/account with an API key, ${connections} connections`, db.words)
  await duel(bench, {
    unit: 'requests/s',
    one: 'request',
    aim: 0.7,
    service,
    product: {
      pids: { service: service.pid, postgres: db.pid },
      run: (seconds) =>
        shoot({
          url: `${service.url}/v1/account`,
          connections,
          seconds,
          headers: { authorization: `Bearer ${customer.key}` },
        }),
    },
    peer: {
      pids: { peer: peer.pid, postgres: db.pid },
      run: (seconds) => shoot({ url: `${peer.announced}/account`, connections, seconds }),
    },
  })
})

// Lists the deposit addresses with a balance, with their paths below EVM_XPUB and the gap limit
// that its wallet needs. The service holds no private key, so the operator collects the funds.
import pino from 'pino'
import { gapLimit } from '../src/adapters/gateway/evm/funded-addresses.ts'
import { usedDepositPaths } from '../src/capabilities/top-ups/index.ts'
import { readSettings, SettingError } from '../src/config/config.ts'
import { openDatabase } from '../src/db/database.ts'
import { startEmbedded } from '../src/db/embedded/index.ts'
import { systemClock } from '../src/kit/clock.ts'
import { openEvm } from '../src/start/open-adapters.ts'

const log = pino({ level: 'error' }, pino.destination(2))

async function list(settings: ReturnType<typeof readSettings>, url: string): Promise<string[]> {
  const db = await openDatabase({ url })
  try {
    const gateway = await openEvm(settings, { db, log, clock: systemClock })
    if (!gateway) throw new SettingError('EVM_XPUB', 'must be set, with GATEWAY=evm')
    const used = await usedDepositPaths(db)
    const rows = (await gateway.funded(used)).map(({ network, asset, balance, path, address }) =>
      [network, asset, balance, path, address].join(','),
    )
    return ['network,asset,base_units,path,address', ...rows, `# gap limit: ${gapLimit(used)}`]
  } finally {
    await db.close()
  }
}

async function run(): Promise<string[]> {
  const settings = readSettings()
  if (settings.database_url !== null) return await list(settings, settings.database_url)
  const server = await startEmbedded({ data_dir: settings.data_dir, log })
  try {
    return await list(settings, server.url)
  } finally {
    await server.stop()
  }
}

try {
  for (const line of await run()) process.stdout.write(`${line}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

// Runs the migrations without starting the service, and prints what was done.
import { readSettings } from '../src/config/config.ts'
import { startEmbedded } from '../src/db/embedded/index.ts'
import { type MigrationReport, migrate } from '../src/db/migrate/migrate.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function run(): Promise<MigrationReport> {
  const settings = readSettings()
  if (settings.database_url !== null) return await migrate({ url: settings.database_url })
  const server = await startEmbedded({ data_dir: settings.data_dir, log: { info: say } })
  try {
    return await migrate({ url: server.url })
  } finally {
    await server.stop()
  }
}

try {
  const { applied, newer, version, roles } = await run()
  for (const name of applied) say(`ran ${name}`)
  say(`The database is at migration ${version}.`)
  if (newer.length > 0)
    say(`A newer version has run ${newer.join(', ')}, with which this one works.`)
  if (roles === 'missing')
    say('This user may not make the role agent_registrar_app: the service would work as the owner.')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

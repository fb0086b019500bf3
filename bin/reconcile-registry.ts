// Comparison of all domains at the registries with the database, above all after the restore of an
// older dump. docs/production/restore.md has the steps and explains the result.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import pino from 'pino'
import { loadRegistriesFile } from '../src/adapters/registry/config/registries-file.ts'
import {
  applyFindings,
  compareRegistries,
  linesOf,
  listedNames,
} from '../src/capabilities/domains/index.ts'
import { readSettings } from '../src/config/config.ts'
import { openDatabase } from '../src/db/database.ts'
import { startEmbedded } from '../src/db/embedded/index.ts'
import { databaseTime } from '../src/db/server.sql.ts'
import { systemClock } from '../src/kit/clock.ts'
import { openServiceRegistries } from '../src/start/open-adapters.ts'
import { programOptions } from './program-options.ts'

const usage = `bin/reconcile-registry [--names FILE] [--apply]
  Reads every domain at its registry, and says what differs from the database. Changes nothing.
  --names FILE  also reads the names in the first column of FILE: the registries' lists of our
                domains, as EPP has none. Without it, domains that only the registry knows are
                not found.
  --apply       marks what differs to be synced by the service, and records and raises an alarm
                for each domain that nothing here explains.
  Ends with 0 where all agree, 1 where something differs, 3 where something could not be read.`
const log = pino({ level: 'error' }, pino.destination(2))

type Asked = { names: string | null; apply: boolean }

async function compare({ names, apply }: Asked): Promise<number> {
  const settings = readSettings()
  const listed = names === null ? [] : listedNames(readFileSync(names, 'utf8'))
  if (names !== null && listed.length === 0) throw new Error(`${names} has no domain name`)
  const file = loadRegistriesFile(settings.registries_file, settings.variable)
  const { data_dir, database_url } = settings
  const embedded = database_url === null ? await startEmbedded({ data_dir, log }) : null
  const db = await openDatabase({ url: embedded?.url ?? database_url ?? '' })
  const places = { file, endpoints: new Map() }
  const registries = openServiceRegistries(places, { db, log, clock: systemClock })
  try {
    const parts = { db, registries, log, now: await databaseTime(db) }
    const result = await compareRegistries(parts, listed)
    for (const line of linesOf(result)) process.stdout.write(`${line}\n`)
    const { findings } = result
    if (findings.length === 0) return 0
    const done = apply ? await applyFindings(parts, findings) : null
    process.stdout.write(
      done
        ? `\nTo be synced by the service: ${done.due}. Recorded, with an alarm: ${done.recorded}.\n`
        : '\nNothing was changed.\n',
    )
    return findings.some(({ kind }) => kind === 'unread') ? 3 : 1
  } finally {
    await registries.close()
    await db.close()
    await embedded?.stop()
  }
}

const text = { type: 'string' } as const
const asked = programOptions(usage, { from: text, names: text, apply: { type: 'boolean' } })
const { from = '.', names, apply = false } = asked
const path = names === undefined ? null : resolve(from, names)
process.exitCode = await compare({ names: path, apply }).catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 2
})

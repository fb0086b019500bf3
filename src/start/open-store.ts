// The database of a start: embedded or named by the settings, migrated, with its clients.
import type { Logger } from 'pino'
import { SettingError, type Settings } from '../config/config.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { startEmbedded } from '../db/embedded/index.ts'
import { type Inspection, openInspection } from '../db/inspection/inspection.ts'
import { migrate } from '../db/migrate/migrate.ts'
import { refuseOtherDatabase } from './database-mismatch.ts'

type Storing = {
  log: Logger
  /** The steps that undo a start that fails, and those of the stop. */
  undo: { add: (step: () => Promise<void>) => void }
  notes: string[]
  signal: AbortSignal | undefined
}

/** Migrates the database, and opens its clients. Throws one clear line for the operator. */
export async function openStore(
  settings: Settings,
  { log, undo, notes, signal }: Storing,
): Promise<{ db: Database; inspection: Inspection | null }> {
  let url = settings.database_url
  if (!url) {
    const embedded = await startEmbedded({ data_dir: settings.data_dir, log })
    undo.add(() => embedded.stop())
    url = embedded.url
    if (!embedded.data_dir.startsWith(settings.data_dir))
      notes.push(`PostgreSQL cannot read ${settings.data_dir}; its data is in ${embedded.data_dir}`)
  }
  notes.push(...(await refuseOtherDatabase(settings, url)))
  const report = await migrate({ url, signal, say: (line) => log.warn(line) })
  if (report.roles === 'missing') notes.push(rolesMissing(settings))
  if (report.newer.length > 0) notes.push(newerSchema(report.newer))
  const db = await openDatabase({
    url: settings.app_database_url ?? url,
    app_role: report.roles === 'ready' && !settings.app_database_url ? 'agent_registrar_app' : null,
    pool_size: settings.database_pool,
  })
  undo.add(() => db.close())
  if (report.roles === 'missing') return { db, inspection: null }
  const inspection = openInspection({ urls: [settings.app_database_url, url] })
  undo.add(() => inspection.close())
  return { db, inspection }
}

function newerSchema(newer: string[]): string {
  return (
    `WARNING: a newer version has migrated the database (${newer.join(', ')}). This one works ` +
    'with it; replace it by the newer one.'
  )
}

function rolesMissing(settings: Settings): string {
  const words =
    'the database user may not create roles, so the service runs as the owner of its tables: ' +
    'only its own code keeps it from changing the ledger'
  if (settings.environment === 'production')
    throw new SettingError('DATABASE_URL', `cannot be used in production: ${words}`)
  return `WARNING: ${words}`
}

// A guard of the start: an empty database beside a data folder that knows another one is most
// likely the wrong database, or a lost one.
import { archiveNotedHead, hasOwnKey, notedHead } from '../capabilities/audit/index.ts'
import { SettingError, type Settings } from '../config/config.ts'
import { databaseContent } from '../db/migrate/database-content.ts'
import { systemClock } from '../kit/clock.ts'

type Known = Pick<Settings, 'data_dir' | 'new_database'>

/**
 * Throws SettingError before anything is made in an empty database that takes the place of a known
 * one, unless NEW_DATABASE says so. Returns what the start should print.
 */
export async function refuseOtherDatabase(settings: Known, url: string): Promise<string[]> {
  const { data_dir, new_database } = settings
  const head = notedHead({ settings })
  if (head === null && !hasOwnKey(settings)) return []
  const content = await databaseContent(url)
  // A first start that ended early leaves a key, and tables without a row.
  const lost = content === 'none' || (content === 'tables' && head !== null)
  const reminder = 'NEW_DATABASE is set and the database is not empty: unset it'
  if (!lost) return new_database ? [reminder] : []
  const known = head ? `audit block ${head.number}` : 'a signing key'
  if (!new_database)
    throw new SettingError(
      'DATABASE_URL',
      `leads to an empty database, but ${data_dir} belongs to another one (${known}). ` +
        'Restore that one, set DATA_DIR to another folder, or set NEW_DATABASE=true for one start.',
    )
  archiveNotedHead(data_dir, systemClock.now())
  return [`A new database replaces the one that ${data_dir} belonged to (${known})`]
}

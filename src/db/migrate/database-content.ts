// Inspects a database before anything is done to it.
import pg from 'pg'
import { translateError } from '../postgres/connection.ts'
import { clientConfig } from '../postgres/connection-config.ts'

// A table may be locked, and a server may hang.
const answer_timeout_ms = 10_000

/**
 * none: it lacks even our tables. tables: it has ours, without an audited row. rows: it is in use.
 */
type Content = 'none' | 'tables' | 'rows'

/** Throws DatabaseUnavailable or DatabaseSettingError, each with one clear line. */
export async function databaseContent(url: string): Promise<Content> {
  const client = new pg.Client({ ...clientConfig(url), query_timeout: answer_timeout_ms })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows: tables } = await client.query<{ there: boolean }>(
      `select to_regclass('public.audit_logs') is not null as there`,
    )
    if (!tables[0]?.there) return 'none'
    const { rows } = await client.query<{ used: boolean }>(
      'select exists (select from audit_logs) or exists (select from audit_blocks) as used',
    )
    return rows[0]?.used ? 'rows' : 'tables'
  } catch (error) {
    throw translateError(error, url)
  } finally {
    await client.end()
  }
}

// SQL as the owner of a test service's tables, to arrange and to look.
import pg from 'pg'
import type { TestService } from './service.ts'

/** Rows of any statement; each on a connection of its own. */
export function rowsIn({ service }: TestService) {
  return async (text: string, params: unknown[] = []) => {
    const client = new pg.Client({ connectionString: service.settings.database_url ?? '' })
    await client.connect()
    const answer = await client.query(text, params)
    await client.end()
    return answer.rows
  }
}

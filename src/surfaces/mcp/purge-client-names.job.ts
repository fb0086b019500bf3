// Retention of the names of MCP clients.
import { job } from '../../app.ts'
import { purgeOldClientNames } from './client-names.sql.ts'

const atOnce = 5_000

export const purgeClientNames = job({
  name: 'purge_mcp_client_names',
  does: 'Deletes the names of MCP clients that have not connected for 30 days.',
  every_ms: 86_400_000,
  async run(app) {
    const forgotten = await app.db.count(purgeOldClientNames, [atOnce])
    return { more: forgotten === atOnce }
  },
})

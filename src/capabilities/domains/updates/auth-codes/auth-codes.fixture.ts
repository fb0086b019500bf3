// For tests of transfer codes: a registrar, the requests for a code, and whether a code opens a
// domain.
import assert from 'node:assert/strict'
import { askAway } from '../../../../../test/support/other-registrar.ts'
import type { Answer } from '../../../../../test/support/service.ts'
import { type UpdateService, updateService } from '../updates.fixture.ts'

type AuthCodeService = UpdateService & {
  /** Every code that was returned. */
  codes: string[]
  at: (domain: string) => string
  again: (domain: string) => string
  row: (domain: string) => Promise<Answer['body']>
  /** Asks for a code and keeps it among `codes`. */
  codeOf: (request: string) => Promise<string>
  /** Whether the other registrar could take the domain with this code. */
  opens: (domain: string, auth_info: string) => Promise<boolean>
  /** That no code is in the log, the audit rows, the mails or anywhere in the database. */
  assertNowhere: () => Promise<void>
}

export async function authCodeService(): Promise<AuthCodeService> {
  const registrar = await updateService()
  const { call, sandbox, query } = registrar
  const codes: string[] = []
  return {
    ...registrar,
    codes,
    at: (domain) => `GET /v1/domains/${domain}/transfer-auth-code`,
    again: (domain) => `POST /v1/domains/${domain}/transfer-auth-code/regenerate`,
    row: async (domain) =>
      Object((await query('select * from domains where name = $1', [domain]))[0]),
    async codeOf(request) {
      const { auth_code } = await call('200', request)
      codes.push(auth_code)
      return auth_code
    },
    async opens(domain, auth_info) {
      if (domain.endsWith('.shop'))
        return sandbox.openprovider.requestTransferOut(domain, auth_info)
      try {
        await askAway(registrar, { domain, auth_info })
      } catch {
        return false
      }
      await call('200', `POST /v1/domains/${domain}/transfer/reject`)
      return true
    },
    async assertNowhere() {
      const tables = await query(
        `select table_name from information_schema.tables
          where table_schema = 'public' and table_type = 'BASE TABLE'`,
      )
      assert.ok(codes.length > 4 && tables.length > 20)
      const texts = [registrar.logs.join('\n')]
      for (const { table_name } of tables) {
        const rows = await query(`select t::text as line from "${table_name}" t`)
        texts.push(rows.map(({ line }) => String(line)).join('\n'))
      }
      const everything = texts.join('\n')
      assert.ok(everything.includes('coded-'))
      for (const code of codes) assert.ok(!everything.includes(code), 'a code is kept')
    },
  }
}

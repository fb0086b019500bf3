// For tests of changes: a registrar whose jobs run on demand, its registries' own view, and the log
// of one domain.
import assert from 'node:assert/strict'
import type { Answer, TestCustomer, TestService } from '../../../../test/support/service.ts'
import { scopes } from '../../../app.ts'
import { type LifecycleService, lifecycleService } from '../holdings/lifecycle.fixture.ts'

export type UpdateService = LifecycleService & {
  owner: TestCustomer
  /** An answer, whose status is compared with "200" or "409 code". */
  call: (expected: string, at: string, body?: unknown) => Promise<Answer['body']>
  /** How often the registries got a command, or answered it with a code. */
  count: (command: string, code?: string) => number
  /** Audit rows about a domain, oldest first: "action result". */
  log: (domain: string) => Promise<string[]>
}

export async function updateService(given?: TestService): Promise<UpdateService> {
  const registrar = await lifecycleService(given)
  const owner = await registrar.customer({ funds_cents: 1_000_000, scopes: [...scopes] })
  return {
    ...registrar,
    owner,
    async call(expected, at, body) {
      const [method = '', path = ''] = at.split(' ')
      const answer = await registrar.request(method, path, {
        token: owner.key,
        ...(body ? { body } : {}),
      })
      const code = answer.body.code === undefined ? '' : ` ${answer.body.code}`
      assert.equal(`${answer.status}${code}`, expected, `${at}: ${answer.text}`)
      return answer.body
    },
    count(command, code) {
      const { thin, thick } = registrar.sandbox.counters()
      const counts = [thin, thick].map(({ commands }) => commands[command])
      const one = (each: (typeof counts)[number]) =>
        (code === undefined ? each?.received : each?.codes[code]) ?? 0
      return counts.reduce((sum, each) => sum + one(each), 0)
    },
    async log(domain) {
      const rows = await registrar.query(
        'select action, result from audit_logs where target = $1 order by id',
        [domain],
      )
      return rows.map(({ action, result }) => `${action} ${result}`)
    },
  }
}

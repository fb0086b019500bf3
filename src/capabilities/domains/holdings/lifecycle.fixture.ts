// A service without a worker, for tests of transitions by time: each job runs on demand.
import assert from 'node:assert/strict'
import pg from 'pg'
import {
  type Answer,
  sharedMovedService,
  type TestCustomer,
  type TestService,
} from '../../../../test/support/service.ts'
import type { App, Job } from '../../../app.ts'
import { typeParsers } from '../../../db/postgres/column-types.ts'
import { systemCall } from '../../audit/index.ts'

export type LifecycleService = TestService & {
  app: App
  query: (text: string, params?: unknown[]) => Promise<Record<string, unknown>[]>
  /** Until it has no more to do. */
  run: (job: Job, app?: App) => Promise<void>
  /** Buys it and returns its name. */
  buys: (buyer: TestCustomer, domain: string, body?: object) => Promise<string>
  read: (buyer: TestCustomer, domain: string) => Promise<Answer>
  /** "available held", in USD. */
  balance: (buyer: TestCustomer) => Promise<string>
  /** Mails in the outbox for a customer, oldest first; without the one about its key. */
  emails: (to: TestCustomer) => Promise<{ kind: string; subject: string; body: string }[]>
  /** The registries' bills and refunds for a name, by kind. */
  effects: (domain: string) => string[]
  days: (count: number) => Promise<Date>
  /** To so many days after the end of its term, or before: a year has 365 days, or 366. */
  daysPast: (domain: string, count: number) => Promise<Date>
  /** The holding of a name with its schedule. */
  row: (domain: string) => Promise<ReturnType<typeof Object>>
  /** Holdings with names like this are read out of turn, and looked at as unrenewed. */
  makeDue: (like: string) => Promise<unknown>
}

const day_ms = 86_400_000

/**
 * Over a service that other files use, too. A test whose jobs must find its own rows alone, or
 * whose names the sandbox seeds, gives a service of its own, without a worker.
 */
export async function lifecycleService(given?: TestService): Promise<LifecycleService> {
  const registrar = given ?? (await sharedMovedService())
  const { database_url } = registrar.service.settings
  const pool = new pg.Pool({ connectionString: database_url ?? '', types: typeParsers, max: 2 })
  registrar.closers.push(() => pool.end())
  const { app } = registrar.service
  const query = async (text: string, params: unknown[] = []) => {
    const { rows } = await pool.query(text, params)
    return rows
  }
  const read: LifecycleService['read'] = (buyer, domain) =>
    registrar.request('GET', `/v1/domains/${domain}`, { token: buyer.key })
  return {
    ...registrar,
    app,
    query,
    read,
    async run(job, by = app) {
      while ((await job.run(by, systemCall(by, job.name))).more);
    },
    async buys(buyer, domain, body = {}) {
      const options = { token: buyer.key, body: { domain, ...body } }
      const bought = await registrar.request('POST', '/v1/domains', options)
      assert.equal(bought.status, 200, bought.text)
      assert.equal(bought.body.status, 'active', bought.text)
      return domain
    },
    async balance(buyer) {
      const path = `/v1/customers/${buyer.id}/billing/balance`
      const { body } = await registrar.request('GET', path, { token: buyer.key })
      return `${body.available} ${body.held}`
    },
    async emails(to) {
      const mails = await query(
        `select kind, subject, body from mails
          where customer_id = $1 and kind <> 'api_key_made_by_operator' order by created_at, id`,
        [to.id],
      )
      return mails.map(({ kind, subject, body }) => {
        return { kind: String(kind), subject: String(subject), body: String(body) }
      })
    },
    ...sandboxTime(registrar),
    row: async (domain) =>
      Object(
        (
          await query(
            `select s.*, d.* from domains d left join domain_schedules s on s.domain_id = d.id
              where d.name = $1 order by d.id`,
            [domain],
          )
        )[0],
      ),
    makeDue: (like) =>
      query(
        `update domain_schedules s set sync_at = '2020-01-01', delete_at = d.expiry
           from domains d where d.id = s.domain_id and d.name like $1`,
        [like],
      ),
  }
}

function sandboxTime(
  registrar: TestService,
): Pick<LifecycleService, 'effects' | 'days' | 'daysPast'> {
  return {
    effects: (domain) =>
      registrar.sandbox
        .effects()
        .filter((effect) => effect.domain === domain)
        .map(({ kind }) => kind),
    days: (count) => registrar.advance(`P${count}D`),
    daysPast(domain, count) {
      const { sandbox } = registrar
      const end_ms = Date.parse(sandbox.lookup(domain)?.expires_at ?? '')
      const left_ms = end_ms + count * day_ms - sandbox.now()
      return registrar.advance(`PT${Math.ceil(left_ms / 1000)}S`)
    },
  }
}

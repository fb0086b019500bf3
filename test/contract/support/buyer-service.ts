// A shared service with a funded customer, and the observations of tests of domains: prices,
// balances, the registries' own counters.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import {
  type Answer,
  sharedService,
  type TestCustomer,
  type TestService,
} from '../../support/service.ts'
import { balanceOf, must } from './fixture.ts'
import { assertProblem } from './problem.ts'

export const registering = 'POST /v1/domains'
export type Entry = Record<string, unknown> & { domain: string; price: { amount: string } | null }
type BuyerService = TestService & {
  buyer: TestCustomer
  buy: (body: object, token?: string, headers?: Record<string, string>) => Promise<Answer>
  check: (domains: string[], more?: object) => Promise<Entry[]>
  checkOne: (domain: string, more?: object) => Promise<Entry>
  read: (domain: string, token?: string) => Promise<Answer>
  /** The number of commands that the registries received. */
  received: (command: string) => number
  /**
   * Asserts that the request is refused with this problem and that neither the balance nor a
   * registry changed. Returns the body.
   */
  refused: (
    expected: string,
    answer: () => Promise<Answer>,
    who?: TestCustomer,
  ) => Promise<Answer['body']>
}

/** `own` is for a test that moves the registries' clock, which other files see. */
export async function startBuyerService(own?: TestService): Promise<BuyerService> {
  const registrar = own ?? (await sharedService())
  const { request, sandbox } = registrar
  after(() => sandbox.clearFaults())
  const buyer = await registrar.customer({ funds_cents: 10_000_000 })
  const check: BuyerService['check'] = async (domains, more = {}) => {
    const body = { domains, ...more }
    return (await must(request('POST', '/v1/domains/check', { token: buyer.key, body }))).body
      .domains
  }
  const received: BuyerService['received'] = (command) => {
    const { thin, thick } = sandbox.counters()
    const count = [thin, thick].map(({ commands }) => commands[command]?.received ?? 0)
    return count.reduce((sum, one) => sum + one)
  }
  return {
    ...registrar,
    buyer,
    check,
    received,
    buy: (body, token = buyer.key, headers = {}) =>
      request('POST', '/v1/domains', { token, body, headers }),
    read: (domain, token = buyer.key) =>
      request('GET', `/v1/domains/${encodeURIComponent(domain)}`, { token }),
    async checkOne(domain, more = {}) {
      const [entry] = await check([domain], more)
      assert.ok(entry)
      return entry
    },
    async refused(expected, answer, who = buyer) {
      const before = [await balanceOf(registrar, who.id), received('domain:create')]
      const done = await answer()
      assertProblem(done, expected, registering)
      assert.deepEqual([await balanceOf(registrar, who.id), received('domain:create')], before)
      return done.body
    },
  }
}

/** Converts "12.34" to 1234. */
export function cents(amount: string | undefined): number {
  return Math.round(Number(amount) * 100)
}

export function decimal(minor: number): string {
  return (minor / 100).toFixed(2)
}

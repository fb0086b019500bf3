// The setup of the exam: a node whose address stays while it is stopped and started again, beside
// one that runs the jobs, and the simulated registries of both.
import { PROFILES } from '../../sandbox/registry/model/profiles.ts'
import { until } from '../contract/support/fixture.ts'
import { endAccessTokens } from '../journeys/connect.ts'
import { exchange } from '../support/http.ts'
import { openNode } from '../support/node.ts'
import { startService, type TestService } from '../support/service.ts'
import type { ExamPlace } from './exam.ts'

const waits_of_an_account = 5
const settings = { CHECKOUT_WATCH_SECONDS: '1' }

export async function openExamPlace(): Promise<ExamPlace & { close: () => Promise<void> }> {
  const first = await startService({ settings })
  const { sandbox, mailbox, payments } = first
  const database_url = first.service.settings.database_url ?? ''
  const open = (PORT: string) =>
    openNode({
      database_url,
      sandbox,
      mailbox,
      payments,
      worker: false,
      settings: { ...settings, PORT },
    })
  let running = await open('0')
  const port = String(new URL(running.service.settings.base_url).port)
  const prices = { ...PROFILES.thin.prices }

  return {
    node: seenFrom(first, running.service.settings.base_url, () => running.service),
    names: Array.from({ length: 50 }, (_, i) => `exam-harbour-${i + 1}.com`),
    async stopNode() {
      await running.close()
      return async () => {
        running = await open(port)
      }
    },
    async expireTokens(owner, token) {
      await endAccessTokens(first, owner)
      const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const url = `${running.service.settings.mcp_url}/mcp`
      // Waits until the node has been notified.
      await until(async () => {
        return (await exchange(url, { method: 'POST', headers, body })).status === 401
      })
    },
    async fillWaits({ key: token }) {
      const path = '/v1/events?wait=3&start=now&types=contact.*'
      // They are answered after the exam has continued.
      const all = Array.from({ length: waits_of_an_account }, () =>
        exchange(`${running.service.settings.base_url}${path}`, {
          headers: { authorization: `Bearer ${token}` },
        }),
      )
      first.closers.push(() => Promise.all(all))
      await new Promise((resolve) => setTimeout(resolve, 200))
    },
    async raisePrices() {
      const { com } = prices
      if (com) PROFILES.thin.prices.com = { ...com, create: com.create + 100 }
      // The node that reads the prices gets them at once.
      await exchange(`${running.service.settings.base_url}/v1/pricing/tlds/sync`, {
        method: 'POST',
        headers: { authorization: `Bearer ${first.operatorKey}` },
      })
    },
    async close() {
      PROFILES.thin.prices = prices
      await running.close()
    },
  }
}

/** The first service, at the address of the node. */
function seenFrom(
  first: TestService,
  url: string,
  serviceOf: () => TestService['service'],
): TestService {
  return {
    ...first,
    url,
    get service() {
      return serviceOf()
    },
  }
}

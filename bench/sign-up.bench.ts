// Response times of sign-up, log-in and password reset for known and unknown addresses, measured
// alternately: a difference of the medians would disclose which addresses have accounts.
import { runBench } from './support/bench.ts'
import { makeCustomers } from './support/customers.ts'
import { startDatabase } from './support/database.ts'
import { startRegistries, startService } from './support/programs.ts'
import { median, say, sayMachine, shown } from './support/report.ts'

const times = 1_000
const most_ms = 5
// Hashes take seconds each while the machine is busy.
const own = { longest_ms: 60 * 60_000 }
const password = 'a horse, a battery & a staple'

type Asked = { path: string; status: number; body: (email: string) => object }
const requests: Record<string, Asked> = {
  'sign-up': {
    path: '/v1/dashboard/register',
    status: 202,
    body: (email) => ({ email, password, name: 'Ada' }),
  },
  'log-in': {
    path: '/v1/dashboard/login',
    status: 401,
    body: (email) => ({ email, password }),
  },
  'password reset': {
    path: '/v1/dashboard/password-reset',
    status: 200,
    body: (email) => ({ email }),
  },
}

/** Sends one request from a new address, and returns its time in milliseconds. */
async function timed(url: string, { path, status, body }: Asked, given: Given): Promise<number> {
  const { email, number } = given
  const address = `${20 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}.1`
  const start = performance.now()
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body(email)),
  })
  await answer.text()
  const ms = performance.now() - start
  if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`)
  return ms
}
type Given = { email: string; number: number }

await runBench(async (bench) => {
  const db = await startDatabase(bench)
  const { environment } = await startRegistries(bench)
  const service = await startService(bench, {
    database_url: db.url,
    registries: { ...environment, TRUSTED_PROXIES: '127.0.0.1' },
  })
  await makeCustomers(service.url, { count: times, cents: 0 })
  sayMachine(`Known and unknown addresses in turns, ${times} requests of each`, db.words)
  let number = 0
  for (const [title, asked] of Object.entries(requests)) {
    const ms: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    const ask = async (side: 'known' | 'unknown', i: number) => {
      number += 1
      const email = side === 'known' ? `customer-${i}@example.net` : `absent-${i}@example.net`
      ms[side].push(await timed(service.url, asked, { email, number }))
    }
    for (let i = 1; i <= times; i += 1) {
      const [first, second] =
        i % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      await ask(first, i)
      await ask(second, i)
    }
    const [known, unknown] = [median(ms.known), median(ms.unknown)]
    const apart = Math.abs(known - unknown)
    const limit = apart < most_ms ? 'kept' : 'broken'
    const both = `known ${shown(known)} ms, unknown ${shown(unknown)} ms`
    say(`  ${title}: ${both}, apart ${shown(apart)} ms (limit ${most_ms} ms; ${limit})`)
  }
}, own)

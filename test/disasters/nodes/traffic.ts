// Steady load: buyers that register names one after the other, each request with its own key until
// it is answered, and read what they bought at the next node.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange } from '../../support/http.ts'

type Traffic = {
  /** Names whose purchase was answered with 200. */
  bought: string[]
  /** Answers that no client should see, and broken connections. */
  failures: string[]
  /** Resolves once every buyer has had an answer to a request from after this call. */
  settled: () => Promise<void>
  /** Ends the buyers, each of which first gets an answer to its last request. */
  stop: () => Promise<void>
}
type Options = {
  url: string
  /** One buyer each. */
  keys: readonly string[]
  prefix: string
  pause_ms: number
}
type Purchase = { url: string; key: string; domain: string }

const most_wait_ms = 40_000
const retry_ms = 150
/** The first sender's order is not closed yet, so the same request is answered later. */
const openStill = 'idempotency_key_in_use'

/** The last answer to a purchase that is sent until it is 200 or refused by a rule. */
export async function insist(
  { url, key, domain }: Purchase,
  failed: (what: string) => void = () => undefined,
) {
  const end = Date.now() + most_wait_ms
  for (;;) {
    const answer = await exchange(`${url}/v1/domains`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': domain,
      },
      body: JSON.stringify({ domain }),
    }).catch((error) => ({ status: 0, text: JSON.stringify({ code: String(error) }) }))
    const { status, text } = answer
    const { code } = JSON.parse(text)
    const isFinal = status === 200 || (status >= 400 && status < 500 && code !== openStill)
    if (isFinal) return { status, code, text }
    failed(`${status} ${code}`)
    assert.ok(Date.now() < end, `${domain} is never answered: ${status} ${text}`)
    await sleep(retry_ms)
  }
}

export function startTraffic({ url, keys, prefix, pause_ms }: Options): Traffic {
  const bought: string[] = []
  const failures: string[] = []
  let isOver = false
  const turns = keys.map(() => 0)
  const buyer = async (key: string, number: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const tld = turn % 3 === 0 ? 'test' : 'com'
      const domain = `${prefix}-${number}-${turn}.${tld}`
      const { status, text } = await insist({ url, key, domain }, (what) => failures.push(what))
      assert.equal(status, 200, text)
      bought.push(domain)
      const headers = { authorization: `Bearer ${key}` }
      const read = await exchange(`${url}/v1/domains/${domain}`, { headers })
      const found = JSON.parse(read.text)
      if (read.status >= 500) failures.push(`GET ${read.status} ${found.code}`)
      // The order is pending, because a node or its database failed in the middle of it.
      else assert.match(found.status, /^(active|pending)$/, read.text)
      turns[number] = turn
      await sleep(pause_ms)
    }
  }
  const buyers = Promise.all(keys.map(buyer))
  // If it rejects, `stop` throws the error.
  buyers.catch(() => undefined)
  return {
    bought,
    failures,
    settled: async () => {
      const wanted = turns.map((turn) => turn + 2)
      while (turns.some((turn, i) => turn < (wanted[i] ?? 0)) && !isOver) {
        await Promise.race([buyers, sleep(20)])
      }
    },
    stop: async () => {
      isOver = true
      await buyers
    },
  }
}

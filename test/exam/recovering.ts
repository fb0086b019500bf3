// Ten faults, and how the agent recovers from each by the answers alone.
import assert from 'node:assert/strict'
import type { ToolAnswer } from './agent.ts'
import type { Examined } from './examined.ts'
import { Unanswered } from './knowledge.ts'
import { assertActive, assertRefused, buy, read } from './ordinary-work.ts'

const max_price = '10.85'

export async function recover(examined: Examined): Promise<void> {
  const faults = [
    lostReply,
    downAndLimited,
    priceChanged,
    expiredToken,
    closedStream,
    nodeRestart,
    inProgress,
    invalidField,
    takenMeanwhile,
  ]
  const { transcript } = examined
  transcript.part('Ten faults')
  for (const [i, fault] of faults.entries()) await fault(examined, examined.names[10 + i] ?? '')
}

const waitsFor = (id: string, why: string) => ({
  args: { id, wait: 20 },
  plan: { does: 'waits for the operation', why, shows: ['id', 'state', 'domain', 'error'] },
})

function injected({ transcript }: Examined, does: string, why: string): void {
  transcript.add({ by: 'fault', does, why, outcome: 'injected' })
}

/** The seconds that an answer names. */
function secondsOf(answer: ToolAnswer): number {
  const { retry_after_s, next_action } = read(answer)
  assert.equal(next_action.type, 'wait_and_retry', JSON.stringify(answer.data))
  return Number(retry_after_s ?? 1)
}

async function lostReply(examined: Examined, domain: string): Promise<void> {
  const { agent, faults } = examined
  faults.loseReply(domain)
  injected(examined, 'a reply of the registry is lost', 'It has registered the name all the same.')
  const pending = await buy(examined, { domain, max_price }, { why: 'The next name.' })
  assert.equal(pending.data.status, 'pending')
  const why = 'The instructions: while status is "pending", wait; never buy it again.'
  const { args, plan } = waitsFor(read(pending).operation.id, why)
  const ended = await agent.call(plan, 'wait_for_operation', args)
  assert.equal(ended.data.state, 'succeeded')
}

/** Two faults at once: the agent waits once for both, as long as the longer of the answers says. */
async function downAndLimited(examined: Examined, domain: string): Promise<void> {
  const { agent, faults } = examined
  const check = (why: string) => {
    const plan = { does: 'checks the name', why, shows: ['domains'] }
    return agent.call(plan, 'check_domain_availability', { domains: [domain] })
  }
  faults.takeRegistryDown()
  injected(examined, 'the registry is down', 'It closes every connection.')
  const unknown = await check('Before it buys.')
  assert.equal(read(unknown).domains[0].reason, 'registry_unreachable')
  const tries = 'The name may be free all the same; a purchase that fails costs nothing.'
  const refused = await buy(examined, { domain, max_price }, { why: tries })
  assertRefused(refused, 'registry_unreachable', 'wait_and_retry')
  const limited = await limit(examined)
  faults.bringRegistryBack()
  injected(examined, 'the registry is back', 'While the agent waits.')
  await agent.wait(Math.max(secondsOf(refused), secondsOf(limited)))
  const events = await waitForEvents(examined, 'The seconds of the answers are over.')
  assert.ok(events.ok, JSON.stringify(events.data))
  const free = await check('The seconds of the answers are over.')
  assert.equal(read(free).domains[0].available, true)
  assertActive(await buy(examined, { domain, max_price }, { why: 'It is available. Same key.' }))
}

function waitForEvents({ agent }: Examined, why: string): Promise<ToolAnswer> {
  const plan = { does: 'waits for events', why, shows: ['events', 'has_more'] }
  return agent.call(plan, 'list_events', { wait: 1, start: 'now', types: 'contact.*' })
}

/** 429, with the seconds to wait. */
async function limit(examined: Examined): Promise<ToolAnswer> {
  await examined.fillWaits()
  const why = 'Those of other agents of the owner, which wait.'
  injected(examined, 'the account has as many calls at once as it may have', why)
  const limited = await waitForEvents(examined, 'For news, until the registry is back.')
  assertRefused(limited, 'too_many_waits', 'wait_and_retry')
  return limited
}

async function priceChanged(examined: Examined, domain: string): Promise<void> {
  const { raisePrices } = examined
  await raisePrices()
  injected(examined, 'the price rises', 'After the agent has read it.')
  const changed = await buy(examined, { domain, max_price }, { why: 'At the price that it knows.' })
  const { price } = assertRefused(changed, 'price_changed', 'confirm_price')
  assert.ok(Number(price.amount) <= 15, 'within the order')
  const why = 'confirm_price: the new price is within the 15.00 of the order.'
  const again = { domain, max_price: price.amount }
  assertActive(await buy(examined, again, { does: 'buys at the new price', why }))
}

async function expiredToken(examined: Examined): Promise<void> {
  const { agent, expireTokens } = examined
  await expireTokens()
  injected(examined, 'the access token expires', 'Its time is over.')
  const list = (why: string) =>
    agent.call({ does: 'lists its domains', why, shows: ['next_cursor'] }, 'list_domains', {})
  const refused = await list('To report to the owner.')
  assert.equal(refused.data.code, 'invalid_token')
  assert.match(refused.data.next_action?.url ?? '', /\/connected-apps$/)
  const why = 'The hint: refresh an access token. The token endpoint is known.'
  const fields = { grant_type: 'refresh_token', refresh_token: agent.memory.refresh_token }
  await agent.tokens({ does: 'refreshes its token', why, shows: ['scope'] }, fields)
  assert.ok((await list('With the new token.')).ok)
}

async function closedStream(examined: Examined, domain: string): Promise<void> {
  injected(examined, 'a connection is cut', 'While the answer is on its way.')
  examined.faults.slowDown(domain)
  const order = { domain, max_price: '12.85' }
  const plan = { why: 'The next name, and the new price.', cut_after_ms: 250 }
  await assert.rejects(buy(examined, order, plan), Unanswered)
  const why = 'The instructions: if the answer was lost, the same call with the same key.'
  await untilBought(examined, order, why)
}

/** Sends the same call again, for as long as the first is in progress. */
async function untilBought(
  examined: Examined,
  order: { domain: string; max_price: string },
  first_why: string,
): Promise<void> {
  let answer = await buy(examined, order, { does: 'sends the same call again', why: first_why })
  for (let tries = 0; !answer.ok && tries < 10; tries += 1) {
    assertRefused(answer, 'idempotency_key_in_use', 'wait_and_retry')
    await examined.agent.wait(secondsOf(answer))
    const why = 'The hint: wait a moment and send the request again.'
    answer = await buy(examined, order, { does: 'sends the same call again', why })
  }
  assertActive(answer)
}

async function nodeRestart(examined: Examined, domain: string): Promise<void> {
  const { agent, stopNode } = examined
  const startNode = await stopNode()
  injected(examined, 'the node stops', 'Nothing listens at its address.')
  const order = { domain, max_price: '12.85' }
  await assert.rejects(buy(examined, order, { why: 'The next name.' }), Unanswered)
  await startNode()
  injected(examined, 'the node is back', 'With all that it had before.')
  await agent.wait(0.1)
  const why = 'The instructions: if the answer was lost, the same call with the same key.'
  assertActive(await buy(examined, order, { does: 'sends the same call again', why }))
}

async function inProgress(examined: Examined, domain: string): Promise<void> {
  examined.faults.slowDown(domain)
  injected(examined, 'the registry is slow', 'Slower than a second process of the agent.')
  const order = { domain, max_price: '12.85' }
  const first = { why: 'The next name; the process is stopped.', cut_after_ms: 100 }
  await assert.rejects(buy(examined, order, first), Unanswered)
  await untilBought(examined, order, 'A second process goes on with the same order and key.')
}

async function invalidField(examined: Examined, domain: string): Promise<void> {
  const { agent } = examined
  const order = { domain, max_price: '12.85', idempotency_key: `exam-${domain}` }
  injected(examined, 'the agent is wrong', 'It asks for eleven years, and for a price as a number.')
  const wrong = { ...order, period_years: 11, max_price: 12.85 }
  const plan = { does: 'buys for eleven years', why: 'The owner said: for as long as possible.' }
  const invalid = await agent.call(plan, 'register_domain', wrong)
  const { detail } = assertRefused(invalid, 'validation_error', 'fix_request')
  const field = detail.find(({ loc }: { loc: string[] }) => loc.at(-1) === 'period_years')
  const most = Number(/\d+/.exec(field.msg)?.[0])
  assert.equal(most, 10)
  assert.ok(detail.some(({ loc }: { loc: string[] }) => loc.at(-1) === 'max_price'))
  const why = 'The answer names each field, and what it should be.'
  const dry = await agent.call(
    { does: 'asks for the price of ten years', why, shows: ['price', 'dry_run'] },
    'register_domain',
    { ...order, period_years: most, max_price: '150.00', dry_run: true },
  )
  assert.ok(dry.ok, JSON.stringify(dry.data))
  const one = 'Ten years cost more than the order allows; one year does not.'
  assertActive(await buy(examined, order, { does: 'buys for one year', why: one }))
}

async function takenMeanwhile(examined: Examined, domain: string): Promise<void> {
  const { names, sellElsewhere } = examined
  await sellElsewhere(domain)
  injected(examined, 'another company buys the name', 'Between the check and the purchase.')
  const order = { domain, max_price: '12.85' }
  const taken = await buy(examined, order, { why: 'The last of the order.' })
  assertRefused(taken, 'domain_taken', 'choose_alternative')
  const other = { domain: names[20] ?? '', max_price: '12.85' }
  const why = 'choose_alternative: the next of the 50 names that were available.'
  assertActive(await buy(examined, other, { does: 'buys another name', why }))
}

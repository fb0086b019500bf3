// The ordinary work: money, purchases up to the cap, an approval, a renewal, a repair.
import assert from 'node:assert/strict'
import type { ToolAnswer } from './agent.ts'
import { authorize } from './connecting.ts'
import type { Examined } from './examined.ts'

// biome-ignore lint/suspicious/noExplicitAny: the agent reads answers by name, as any client would.
type Read = Record<string, any>
export const read = (answer: ToolAnswer): Read => Object(answer.data)

const domainFields = ['domain', 'status', 'expiry', 'nameservers', 'operation', 'next_actions']

/** The purchase of a name, with a key of its own, so that it can be sent again. */
export function buy(
  { agent }: Examined,
  { domain, max_price }: { domain: string; max_price: string },
  plan: { does?: string; why: string; cut_after_ms?: number },
): Promise<ToolAnswer> {
  const { does = 'buys', ...more } = plan
  const args = { domain, max_price, idempotency_key: `exam-${domain}` }
  return agent.call({ does, shows: domainFields, ...more }, 'register_domain', args)
}

/** The code of a refusal, and the next step that it names. */
export function assertRefused(answer: ToolAnswer, code: string, next: string): Read {
  assert.ok(!answer.ok, JSON.stringify(answer.data))
  assert.deepEqual([answer.data.code, answer.data.next_action?.type], [code, next])
  return read(answer)
}

export function assertActive(answer: ToolAnswer): Read {
  assert.equal(answer.data.status, 'active', JSON.stringify(answer.data))
  return read(answer)
}

export async function prepareMoney(examined: Examined): Promise<void> {
  const { agent, person, transcript, names } = examined
  transcript.part('Money')
  const [domain = ''] = names
  const plan = {
    does: 'looks for a contact',
    why: 'The instructions: a domain needs a registrant; never invent one.',
    shows: ['items'],
  }
  const contacts = await agent.call(plan, 'list_contacts')
  assert.ok(read(contacts).items.some((one: Read) => one.default_registrant))
  const checked = await agent.call(
    { does: 'checks 50 names', why: 'The first of the instructions; one call takes up to 200.' },
    'check_domain_availability',
    { domains: names },
  )
  const offers: Read[] = read(checked).domains
  assert.equal(offers.length, 50)
  const price = offers[0]?.price.amount
  const poor = await buy(
    examined,
    { domain, max_price: price },
    { why: 'It is available, and "price" is within the order of the owner.' },
  )
  const { missing } = assertRefused(poor, 'insufficient_funds', 'add_funds')
  assert.equal(missing[0].amount, price)
  const topUp = (why: string) => {
    const plan = { does: 'makes a top-up', why, shows: ['id', 'status', 'page_url', 'pay_amount'] }
    const amount = { amount_cents: 30_000, currency: 'USD', asset: 'USDC', network: 'base' }
    return agent.call(plan, 'create_top_up', amount)
  }
  const lacking = await topUp('The hint: create_top_up starts a payment, with one scope more.')
  const { scopes_wanted } = assertRefused(lacking, 'insufficient_scope', 'add_scope')
  await authorize(examined, {
    scopes: scopes_wanted,
    why: 'add_scope: authorize again, with the scope added: "scopes_wanted" has all.',
  })
  const topped = await topUp('It may now.')
  assert.ok(topped.ok, JSON.stringify(topped.data))
  const { id, page_url } = read(topped)
  await person.pay(page_url)
  await untilPaid(examined, id)
}

/**
 * The events say when it is credited, so the agent waits for the feed and does not ask for the
 * top-up again and again.
 */
async function untilPaid({ agent }: Examined, checkout_id: string): Promise<void> {
  for (let cursor: string | undefined, tries = 0; tries < 5; tries += 1) {
    const events = await agent.call(
      {
        does: 'waits for an event',
        why: 'Not to read again and again: list_events answers with the next event.',
      },
      'list_events',
      { wait: 20, types: 'payment.*', ...(cursor && { cursor }) },
    )
    cursor = read(events).next_cursor
    const top_up = await agent.call(
      { does: 'reads the top-up', why: 'An event has come.', shows: ['status', 'credited_amount'] },
      'get_top_up',
      { checkout_id },
    )
    if (read(top_up).status === 'paid') return
  }
  throw new Error('The top-up is not paid')
}

export async function buyUpToTheCap(examined: Examined): Promise<void> {
  const { agent, person, transcript, names } = examined
  transcript.part('Buying, up to the cap and beyond')
  const max_price = '10.85'
  const [first = '', second = '', third = ''] = names
  assertActive(
    await buy(examined, { domain: first, max_price }, { why: 'The balance suffices. Same key.' }),
  )
  assertActive(
    await buy(examined, { domain: second, max_price }, { why: 'The next name of the order.' }),
  )
  const why = 'The next name of the order.'
  const capped = await buy(examined, { domain: third, max_price }, { why })
  assertRefused(capped, 'spend_limit_exceeded', 'ask_owner')
  await person.setLimits(
    {
      does: 'raises the limit to 300.00, and wants to be asked above 5.00',
      why: 'The agent has passed on the hint and the "url" of the answer.',
    },
    { spend_limit: { amount: '300.00' }, approval_above: { amount: '5.00' } },
  )
  const again = { why: 'The owner has raised the limit.' }
  const asked = await buy(examined, { domain: third, max_price }, again)
  const { approval } = assertRefused(asked, 'approval_required', 'ask_owner')
  await person.approve(approval.id)
  const waited = await agent.call(
    {
      does: 'waits for the answer of the owner',
      why: 'The hint names wait_for_approval. The owner has the "url".',
      shows: ['state', 'domain', 'highest_price', 'operation'],
    },
    'wait_for_approval',
    { id: approval.id },
  )
  assert.equal(waited.data.state, 'executed')
  assertActive(
    await agent.call(
      { does: 'reads the domain', why: 'The approval is executed.', shows: domainFields },
      'get_domain',
      { domain: third },
    ),
  )
  await person.setLimits(
    { does: 'no longer wants to be asked', why: 'The first purchases were right.' },
    { approval_above: null },
  )
}

export async function renewAndRepair(examined: Examined): Promise<void> {
  const { agent, person, transcript, names } = examined
  transcript.part('Renewing, and repairing the DNS')
  const [domain = ''] = names
  const before = await agent.call(
    {
      does: 'reads the domain',
      why: 'A renewal needs the expiry that it extends.',
      shows: domainFields,
    },
    'get_domain',
    { domain },
  )
  const { expiry, nameservers } = read(before)
  const dry = await agent.call(
    {
      does: 'asks for the price of a renewal',
      why: 'dry_run makes every check without an order.',
      shows: ['price', 'dry_run', 'not_checked'],
    },
    'renew_domain',
    { domain, period_years: 1, dry_run: true },
  )
  const renewed = await agent.call(
    { does: 'renews', why: 'The price is within the order.', shows: ['domain', 'expiry', 'price'] },
    'renew_domain',
    {
      ...{ domain, period_years: 1, expected_expiry: expiry },
      ...{ max_price: read(dry).price.amount, idempotency_key: `exam-renew-${domain}` },
    },
  )
  assert.ok(read(renewed).expiry > expiry)
  await person.breakNameServers(domain)
  const broken = await agent.call(
    { does: 'looks at the records', why: 'The owner says that the site is gone.' },
    'list_dns_records',
    { domain },
  )
  assert.equal(broken.data.hosted, false)
  const repaired = await agent.call(
    {
      does: 'sets the name servers back',
      why: '"hosted" is false: the domain is delegated elsewhere. Those from before are known.',
      shows: ['domain', 'nameservers'],
    },
    'update_nameservers',
    { domain, nameservers },
  )
  assert.deepEqual(repaired.data.nameservers, nameservers)
  const recorded = await agent.call(
    { does: 'sets the address', why: 'The site of the owner is there.', shows: ['domain', 'dns'] },
    'configure_dns_record',
    { domain, record_value: '192.0.2.7' },
  )
  assert.ok(recorded.ok, JSON.stringify(recorded.data))
  const records = await agent.call(
    { does: 'looks again', why: 'To see that it is served.' },
    'list_dns_records',
    { domain },
  )
  const [{ values }] = read(records).sets.filter(({ type }: { type: string }) => type === 'A')
  assert.deepEqual(values, ['192.0.2.7'])
}

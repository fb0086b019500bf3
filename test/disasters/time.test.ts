// Jumps of the clock during open orders, the leap day, and midnight in UTC.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSandbox } from '../../sandbox/registry/index.ts'
import { type Case, commands, type FaultOrNone, plainCase } from './matrix/cases.ts'
import { type DisasterSetup, startSetup } from './support/disaster-setup.ts'
import { type Actors, type Buyers, openActors, prepare } from './support/prepare.ts'
import { commandOf, post, requestOf } from './support/requests.ts'
import { assertBought, finish } from './support/run-to-completion.ts'

/** Orders all of them at the registrar; the first answer or the first command of each is lost. */
async function order(setup: DisasterSetup, cases: readonly Case[], buyers: Buyers): Promise<void> {
  for (const one of cases) {
    const { fault, command, domain } = one
    const buyer = buyers.get(one.number)
    assert.ok(buyer)
    if (fault !== 'none')
      setup.sandbox.setFault({ name: fault, command: commandOf[command], domain })
    const answer = await post(setup.registrar.url, requestOf(one, buyer))
    assert.equal(answer.status, 200, answer.text)
  }
}

type End = { actors: Actors; cases: readonly Case[]; buyers: Buyers }

/** Other nodes finish them; their owners read them; the ledger is right. */
async function finishWell(setup: DisasterSetup, { actors, cases, buyers }: End): Promise<void> {
  const node = await setup.node()
  await finish(setup, { actors, node, cases })
  await node.kill()
  for (const { number, domain } of cases) {
    const token = buyers.get(number)?.key ?? ''
    const { body, text } = await setup.registrar.request('GET', `/v1/domains/${domain}`, { token })
    assert.equal(body.registry_expiry, setup.sandbox.lookup(domain)?.expires_at, text)
  }
  await assertBought(setup, cases)
}

function casesOf(label: string, fault: FaultOrNone): Case[] {
  return commands.map((command, number) =>
    plainCase({ number, command, fault, domain: `${label}-${command}.test` }),
  )
}

test('orders whose answers were lost are finished days later', async () => {
  const setup = await startSetup()
  const actors = openActors(setup.sandbox)
  after(() => actors.close())
  for (const [fault, days] of [
    ['drop_after', 'P1DT2H'],
    ['drop_before', 'P4D'],
  ] as const) {
    const cases = casesOf(fault.replace('_', '-'), fault)
    const buyers = await prepare({ setup, actors, cases })
    await order(setup, cases, buyers)
    await setup.registrar.advance(days)
    await finishWell(setup, { actors, cases, buyers })
  }
})

test('a lost renewal is paid once when the registry auto-renews meanwhile', async () => {
  const setup = await startSetup()
  const actors = openActors(setup.sandbox)
  after(() => actors.close())
  const cases = ['com', 'test'].map((tld, number) =>
    plainCase({ number, command: 'renew', domain: `slept.${tld}`, fault: 'drop_before' }),
  )
  const buyers = await prepare({ setup, actors, cases }, 'P360D')
  // The renewed names were registered after that, so they end in a year.
  await order(setup, cases, buyers)
  await setup.registrar.advance('P1Y2D')
  await finishWell(setup, { actors, cases, buyers })
  const kinds = setup.sandbox.effects().filter(({ domain }) => domain.startsWith('slept.'))
  assert.deepEqual(kinds.map(({ kind }) => kind).sort(), [
    'autorenew',
    'autorenew',
    'create',
    'create',
  ])
})

/** A setup whose registries have another time. */
async function setupAt(start: string): Promise<{ setup: DisasterSetup; actors: Actors }> {
  const ahead_ms = Date.parse(start) - Date.now()
  const settings = { sessions_per_registrar: 1_000, sixty_day_rule: false }
  const now = () => Date.now() + ahead_ms
  const sandbox = await startSandbox({ data_dir: null, settings, now })
  const setup = await startSetup({ sandbox })
  const actors = openActors(sandbox)
  after(async () => {
    await actors.close()
    await sandbox.close()
  })
  return { setup, actors }
}

test('the leap day: bought on it, ending on it, renewed over it', async () => {
  const { setup, actors } = await setupAt('2028-02-23T10:00:00Z')
  const renewals = (['drop_before', 'drop_after'] as const).map((fault, number) =>
    plainCase({ number, command: 'renew', fault, domain: `leap-${number}.com` }),
  )
  // This one was registered on 29 February, when it was prepared.
  const buyers = await prepare({ setup, actors, cases: renewals })
  assert.equal(new Date(setup.sandbox.now()).toISOString().slice(0, 10), '2028-02-29')
  const four = plainCase({ number: 0, command: 'renew', fault: 'drop_after', domain: 'four.com' })
  const buyer = buyers.get(0)
  assert.ok(buyer)
  const body = { domain: 'four.com', period_years: 4 }
  await post(setup.registrar.url, { path: '/v1/domains', body, key: buyer.key })
  assert.match(setup.sandbox.lookup('four.com')?.expires_at ?? '', /^2032-02-29/)
  const cases = [...renewals, four]
  await order(setup, cases, buyers)
  await finishWell(setup, { actors, cases, buyers })
  const ends = cases.map(({ domain }) => setup.sandbox.lookup(domain)?.expires_at.slice(0, 10))
  assert.deepEqual(ends, ['2030-02-28', '2030-02-28', '2033-02-28'])
})

test('an order that is sent before midnight in UTC and finished after it', async () => {
  const { setup, actors } = await setupAt('2028-02-22T23:50:00Z')
  const cases = casesOf('midnight', 'drop_after')
  const buyers = await prepare({ setup, actors, cases })
  const goTo = (moment: string) => {
    const left_ms = Date.parse(moment) - setup.sandbox.now()
    assert.ok(left_ms > 0, moment)
    return setup.registrar.advance(`PT${Math.ceil(left_ms / 1000)}S`)
  }
  await goTo('2028-02-28T23:59:00Z')
  await order(setup, cases, buyers)
  assert.match(new Date(setup.sandbox.now()).toISOString(), /^2028-02-28T23:59:/)
  await goTo('2028-02-29T00:00:00Z')
  await finishWell(setup, { actors, cases, buyers })
})

// Time that jumps in the middle of an open order, the leap day, and midnight in UTC.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startSandbox } from '../../sandbox/registry/index.ts'
import { type Case, commands, type FaultOrNone, plainCase } from './matrix/cases.ts'
import { type Scene, setScene } from './support/disaster-scene.ts'
import { type Actors, type Buyers, openActors, prepare } from './support/prepare.ts'
import { commandOf, post, requestOf } from './support/requests.ts'
import { assertBought, finish } from './support/run-to-completion.ts'

/** All of them ordered at the registrar; the first answer of each is lost, or its command. */
async function order(scene: Scene, cases: readonly Case[], buyers: Buyers): Promise<void> {
  for (const one of cases) {
    const { fault, command, domain } = one
    const buyer = buyers.get(one.number)
    assert.ok(buyer)
    if (fault !== 'none')
      scene.sandbox.setFault({ name: fault, command: commandOf[command], domain })
    const answer = await post(scene.registrar.url, requestOf(one, buyer))
    assert.equal(answer.status, 200, answer.text)
  }
}

type End = { actors: Actors; cases: readonly Case[]; buyers: Buyers }

/** Others finish them; their owners read them; the books are right. */
async function finishWell(scene: Scene, { actors, cases, buyers }: End): Promise<void> {
  const node = await scene.node()
  await finish(scene, { actors, node, cases })
  await node.kill()
  for (const { number, domain } of cases) {
    const token = buyers.get(number)?.key ?? ''
    const { body, text } = await scene.registrar.request('GET', `/v1/domains/${domain}`, { token })
    assert.equal(body.registry_expiry, scene.sandbox.lookup(domain)?.expires_at, text)
  }
  await assertBought(scene, cases)
}

function casesOf(label: string, fault: FaultOrNone): Case[] {
  return commands.map((command, number) =>
    plainCase({ number, command, fault, domain: `${label}-${command}.test` }),
  )
}

test('orders whose answers were lost are finished days later', async () => {
  const scene = await setScene()
  const actors = openActors(scene.sandbox)
  after(() => actors.close())
  for (const [fault, days] of [
    ['drop_after', 'P1DT2H'],
    ['drop_before', 'P4D'],
  ] as const) {
    const cases = casesOf(fault.replace('_', '-'), fault)
    const buyers = await prepare({ scene, actors, cases })
    await order(scene, cases, buyers)
    await scene.registrar.advance(days)
    await finishWell(scene, { actors, cases, buyers })
  }
})

test('a lost renewal over which the registry renews by itself is paid once', async () => {
  const scene = await setScene()
  const actors = openActors(scene.sandbox)
  after(() => actors.close())
  const cases = ['com', 'test'].map((tld, number) =>
    plainCase({ number, command: 'renew', domain: `slept.${tld}`, fault: 'drop_before' }),
  )
  const buyers = await prepare({ scene, actors, cases }, 'P360D')
  // Those that are renewed were made after that: they end in a year.
  await order(scene, cases, buyers)
  await scene.registrar.advance('P1Y2D')
  await finishWell(scene, { actors, cases, buyers })
  const kinds = scene.sandbox.effects().filter(({ domain }) => domain.startsWith('slept.'))
  assert.deepEqual(kinds.map(({ kind }) => kind).sort(), [
    'autorenew',
    'autorenew',
    'create',
    'create',
  ])
})

/** A scene whose registries live at another time. */
async function sceneAt(start: string): Promise<{ scene: Scene; actors: Actors }> {
  const ahead_ms = Date.parse(start) - Date.now()
  const settings = { sessions_per_registrar: 1_000, sixty_day_rule: false }
  const now = () => Date.now() + ahead_ms
  const sandbox = await startSandbox({ data_dir: null, settings, now })
  const scene = await setScene({ sandbox })
  const actors = openActors(sandbox)
  after(async () => {
    await actors.close()
    await sandbox.close()
  })
  return { scene, actors }
}

test('the leap day: bought on it, ending on it, renewed over it', async () => {
  const { scene, actors } = await sceneAt('2028-02-23T10:00:00Z')
  const renewals = (['drop_before', 'drop_after'] as const).map((fault, number) =>
    plainCase({ number, command: 'renew', fault, domain: `leap-${number}.com` }),
  )
  // Registered on 29 February, when prepared.
  const buyers = await prepare({ scene, actors, cases: renewals })
  assert.equal(new Date(scene.sandbox.now()).toISOString().slice(0, 10), '2028-02-29')
  const four = plainCase({ number: 0, command: 'renew', fault: 'drop_after', domain: 'four.com' })
  const buyer = buyers.get(0)
  assert.ok(buyer)
  const body = { domain: 'four.com', period_years: 4 }
  await post(scene.registrar.url, { path: '/v1/domains', body, key: buyer.key })
  assert.match(scene.sandbox.lookup('four.com')?.expires_at ?? '', /^2032-02-29/)
  const cases = [...renewals, four]
  await order(scene, cases, buyers)
  await finishWell(scene, { actors, cases, buyers })
  const ends = cases.map(({ domain }) => scene.sandbox.lookup(domain)?.expires_at.slice(0, 10))
  assert.deepEqual(ends, ['2030-02-28', '2030-02-28', '2033-02-28'])
})

test('an order that is sent before midnight in UTC and finished after it', async () => {
  const { scene, actors } = await sceneAt('2028-02-22T23:59:40Z')
  const cases = casesOf('midnight', 'drop_after')
  const buyers = await prepare({ scene, actors, cases })
  const left_ms = Date.parse('2028-02-28T23:59:57Z') - scene.sandbox.now()
  assert.ok(left_ms > 0)
  await scene.registrar.advance(`PT${Math.floor(left_ms / 1000)}S`)
  await order(scene, cases, buyers)
  assert.match(new Date(scene.sandbox.now()).toISOString(), /^2028-02-28T23:59:/)
  while (new Date(scene.sandbox.now()).getUTCDate() !== 29) await pause(200)
  await finishWell(scene, { actors, cases, buyers })
})

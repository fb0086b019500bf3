// Negative controls: the same steps with one protection removed, for each kind of order. A harness
// proves something only if it fails without the protection.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Case, commands, type FaultOrNone, plainCase } from './matrix/cases.ts'
import { startSetup, until } from './support/disaster-setup.ts'
import { decide } from './support/other-registrar-decides.ts'
import { openActors, prepare } from './support/prepare.ts'
import { commandOf, post, requestOf } from './support/requests.ts'

const setup = await startSetup()
const actors = openActors(setup.sandbox)
after(() => actors.close())

function casesOf(fault: FaultOrNone, tld: string): Case[] {
  return commands.map((command, number) => {
    const domain = `${fault.replaceAll('_', '-')}-${command}.${tld}`
    return plainCase({ number, command, domain, fault })
  })
}

/** Buys all four at a node without the protection, and runs it to completion. */
async function buyWithout(without: string, cases: readonly Case[]): Promise<void> {
  const buyers = await prepare({ setup, actors, cases })
  const node = await setup.node({ without })
  for (const one of cases) {
    const { fault, command, domain } = one
    const buyer = buyers.get(one.number)
    assert.ok(buyer && fault !== 'none')
    setup.sandbox.setFault({ name: fault, command: commandOf[command], domain, delay_ms: 2_000 })
    await post(node.url, requestOf(one, buyer))
  }
  for (const _ of [1, 2, 3]) {
    await setup.hurry()
    // Backdated, since a release is deferred for some time after an attempt.
    await setup.query(`update orders set unanswered_at = unanswered_at - interval '1 hour'`)
    await node.settle()
  }
  await until(
    () => cases.every(({ domain }) => setup.sandbox.faults().every((one) => one.domain !== domain)),
    { within_ms: 1_000, what: 'every fault has hit' },
  )
  await node.kill()
}

/** The auditor's findings about these names, by invariant. */
async function seenOf(invariant: string, cases: readonly Case[]): Promise<string[]> {
  const { violations } = await setup.audit()
  return cases.map(({ command, domain }) => {
    const seen = violations.some((line) => line.startsWith(invariant) && line.includes(domain))
    return `${command}: ${seen ? 'seen' : 'not seen'}`
  })
}

const kinds = { register: 'create', renew: 'renew', transfer: 'transfer', restore: 'restore' }

/** Asserts that the auditor finds that each of them was done and not paid. */
async function assertSeen(cases: readonly Case[]): Promise<void> {
  const isDone = ({ command, domain }: Case) =>
    setup.sandbox
      .effects()
      .some((effect) => effect.domain === domain && effect.kind === kinds[command])
  for (const one of cases) {
    const landed = async () => {
      await decide(setup, actors, one)
      return isDone(one)
    }
    await until(landed, { within_ms: 5_000, what: `${one.command} lands` })
  }
  const found = await setup.audit()
  assert.ok(found.lost_cents > 0)
  for (const { command, domain } of cases) {
    const seen = found.violations.filter((line) => line.startsWith('I3') && line.includes(domain))
    assert.ok(
      seen.some((line) => line.includes('no customer paid')),
      `${command}: ${found.violations.join('\n')}`,
    )
  }
}

test('without the read-back of a refused re-send (2302, 2004, 2300, 2304), the auditor finds released orders that were done', async () => {
  const cases = casesOf('drop_after', 'com')
  await buyWithout('controls/refusal-is-final.ts', cases)
  await assertSeen(cases)
})

test('without the fenced re-send, the auditor finds late effects that are not paid', async () => {
  const cases = casesOf('apply_later', 'test')
  await buyWithout('controls/read-back-only.ts', cases)
  await assertSeen(cases)
})

test('without term verification, the auditor finds a false date in the holding', async () => {
  const cases = casesOf('date_plus_2', 'com').filter(({ command }) => command in dated)
  await buyWithout('controls/believe-dates.ts', cases)
  assert.deepEqual(await seenOf('I8', cases), ['register: seen', 'renew: seen'])
})

test('without object identity, the auditor finds the answer of another command captured', async () => {
  const cases = casesOf('name_not_done', 'com').filter(({ command }) => command in dated)
  await buyWithout('controls/any-name.ts', cases)
  assert.deepEqual(await seenOf('I3', cases), ['register: seen', 'renew: seen'])
})

/** Commands whose answers have names and dates. */
const dated = { register: true, renew: true }

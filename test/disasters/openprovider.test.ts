// The reseller without idempotency: a lost request is read back before it is sent again, and an
// unknown renewal is never sent again.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { MOVABLE_LABELS, SEEDED_AUTH_INFO } from '../../sandbox/registry/model/names.ts'
import type { TestCustomer } from '../support/service.ts'
import { type Command, commands } from './matrix/cases.ts'
import { startSetup, until } from './support/disaster-setup.ts'
import { inParallel } from './support/parallel.ts'
import { must, post, type Request } from './support/requests.ts'

const REGISTRIES_FILE = join(import.meta.dirname, 'support/registries-openprovider.yaml')
const setup = await startSetup({ settings: { REGISTRIES_FILE } })
const { registrar, query } = setup
const { openprovider } = setup.sandbox

const faults = [
  'drop_before',
  'drop_after',
  'apply_later',
  'slow',
  'garbage',
  'fail_500',
  'lost_500',
] as const
const points = ['none', 'connected', 'frame_written', 'after_answer']
const tlds = ['shop', 'online', 'site', 'store']
type Case = { command: Command; domain: string; fault: (typeof faults)[number]; point: string }
const movable = MOVABLE_LABELS.flatMap((label) => tlds.map((tld) => `${label}.${tld}`))
const cases: Case[] = commands.flatMap((command, i) =>
  faults.map((fault, j) => {
    const tld = tlds[j % tlds.length] ?? 'shop'
    const made = `${command}-${fault.replace('_', '-')}.${tld}`
    const domain = command === 'transfer' ? (movable[j] ?? made) : made
    return { command, domain, fault, point: points[(i + j) % points.length] ?? 'none' }
  }),
)

function requestOf({ command, domain }: Case, { key }: TestCustomer): Request {
  switch (command) {
    case 'register':
      return { path: '/v1/domains', body: { domain }, key }
    case 'transfer':
      return {
        path: '/v1/domains/transfer',
        // A reseller needs the name servers in the request.
        body: {
          domain,
          auth_code: SEEDED_AUTH_INFO,
          nameservers: ['ns1.example.net', 'ns2.example.net'],
        },
        key,
      }
    case 'renew':
    case 'restore':
      return { path: `/v1/domains/${domain}/${command}`, body: {}, key }
  }
}

/** Prepares the name for the command. */
async function prepare({ command, domain }: Case, { key }: TestCustomer): Promise<void> {
  if (command !== 'renew' && command !== 'restore') return
  must(await post(registrar.url, { path: '/v1/domains', body: { domain }, key }), 200)
  const now = setup.sandbox.now()
  if (command === 'restore')
    openprovider.setDomain(domain, {
      status: 'DEL',
      deleted_at: now,
      delete_status: 'quarantine',
      restorable_until: now + 30 * 86_400_000,
    })
}

/** Whether the node died at its crash point. */
async function strike(one: Case): Promise<boolean> {
  const customer = await registrar.customer({ funds_cents: 100_000 })
  await prepare(one, customer)
  const { command, domain, fault: name, point } = one
  const verb = command === 'register' ? 'create' : command
  openprovider.setFault({ name, command: `domain:${verb}`, domain, delay_ms: 2_500 })
  const request = requestOf(one, customer)
  if (point === 'none') {
    must(await post(registrar.url, request), 200)
    return true
  }
  const node = await setup.node({ crash_at: point })
  const answer = await post(node.url, request).catch(() => null)
  if (answer === null) await node.dies()
  return node.kill()
}

async function settleAll(): Promise<void> {
  const node = await setup.node()
  for (let round = 0; round < 8; round += 1) {
    for (const { command, domain } of cases)
      if (command === 'transfer') {
        const there = openprovider.lookup(domain)
        if (there && 'status' in there && there.status === 'REQ')
          openprovider.answerTransfer(domain, true)
      }
    await setup.hurry()
    await node.settle()
  }
  // The order is backdated by a quarter of an hour, since reads have shown no effect of these.
  await query(
    `update orders set created_at = created_at - interval '16 minutes' where closed_at is null`,
  )
  await setup.hurry()
  await node.settle()
  await node.kill()
}

test('at a reseller nothing is done twice, and undecidable orders are parked', async (t) => {
  const missed: string[] = []
  await inParallel(cases, 4, async (one) => {
    if (!(await strike(one))) missed.push(`${one.domain} ${one.point}`)
  })
  assert.deepEqual(missed, [])
  await settleAll()
  const rows = await query(
    `select domain, type, state, alarm from orders o
      where o.created_at = (select max(created_at) from orders p where p.domain = o.domain)
         or o.type <> 'register'`,
  )
  const states = new Map(rows.map((row) => [`${row.type} ${row.domain}`, row]))
  for (const { command, domain, fault, point } of cases) {
    const order = states.get(`${command} ${domain}`)
    const words = `${command} ${domain} ${fault} ${point}: ${order?.state}`
    const done = openprovider
      .effects()
      .filter((effect) => effect.domain === domain && effect.kind === kindOf(command))
    if (order?.state === 'parked') {
      assert.equal(command, 'renew', words)
      assert.ok(order.alarm, words)
      assert.equal(done.length, 0, words)
    } else {
      assert.equal(order?.state, 'succeeded', words)
      assert.equal(done.length, 1, words)
    }
  }
  const sent = openprovider.counters().commands['domain:renew']?.received ?? 0
  assert.ok(sent <= faults.length, `${sent} renewals were sent`)
  const parked = rows.filter(({ state }) => state === 'parked').length
  assert.ok(parked > 0)
  t.diagnostic(`${cases.length} purchases, ${parked} parked`)
  const found = await setup.audit()
  assert.deepEqual(found.violations, [])
})

function kindOf(command: Command): string {
  return command === 'register' ? 'create' : command
}

test('a renewal that is sent again is done twice, and the auditor finds it', async () => {
  const customer = await registrar.customer({ funds_cents: 100_000 })
  const fault = 'apply_later'
  const one: Case = { command: 'renew', domain: 'again.store', fault, point: 'none' }
  await prepare(one, customer)
  const { domain } = one
  openprovider.setFault({ name: fault, command: 'domain:renew', domain, delay_ms: 2_500 })
  const node = await setup.node({ without: 'controls/send-again.ts' })
  must(await post(node.url, requestOf(one, customer)), 200)
  await setup.hurry()
  await node.settle()
  const renewals = () =>
    openprovider.effects().filter((effect) => effect.domain === domain && effect.kind === 'renew')
  await until(() => renewals().length > 1, { within_ms: 5_000, what: 'the first lands' })
  await node.kill()
  const { violations, double_effects } = await setup.audit()
  assert.equal(double_effects, 1)
  assert.ok(violations.some((line) => line.includes(`renew ${domain}: 2 done, 1 captured`)))
})

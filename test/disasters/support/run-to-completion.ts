// Runs to completion: nodes take over open orders until none is open; then the auditor checks.
import assert from 'node:assert/strict'
import type { Case } from '../matrix/cases.ts'
import type { DisasterSetup } from './disaster-setup.ts'
import type { RunningNode } from './nodes.ts'
import { decide } from './other-registrar-decides.ts'
import type { Actors } from './prepare.ts'

/** Runs a node's settle job and the other registrar's decisions until all orders are closed. */
export async function finish(
  setup: DisasterSetup,
  { actors, node, cases }: { actors: Actors; node: RunningNode; cases: readonly Case[] },
): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    const open = await setup.openOrders()
    if (open.length === 0) return
    for (const one of cases) if (one.command === 'transfer') await decide(setup, actors, one)
    await setup.hurry()
    await node.settle()
  }
  assert.deepEqual(await setup.openOrders(), [])
}

/** Asserts that the auditor finds nothing, and that each name was bought once. */
export async function assertBought(setup: DisasterSetup, cases: readonly Case[]): Promise<void> {
  const found = await setup.audit()
  assert.deepEqual(found.violations, [])
  assert.equal(found.lost_cents, 0)
  assert.equal(found.double_effects, 0)
  for (const { command, domain } of cases) {
    const orders = await setup.query(
      'select state, error_code, error_detail from orders where domain = $1 and type = $2',
      [domain, command],
    )
    assert.deepEqual(
      orders.map(({ state }) => state),
      ['succeeded'],
      `${command} of ${domain}: ${JSON.stringify(orders)}`,
    )
  }
}

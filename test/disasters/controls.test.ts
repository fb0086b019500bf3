// A harness proves something only if it fails without the protection: the same scene, one
// protection taken out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buyAll, type Case, setScene } from './scene.ts'

const scene = await setScene()

test('without the read-back of a refused re-send, a paid domain is refunded, and the auditor sees it', async () => {
  const without = 'controls/refusal-is-final.ts'
  const cases: Case[] = ['com', 'test'].map((tld) => ({
    point: 'none',
    fault: 'drop_after',
    domain: `refund.${tld}`,
  }))
  await buyAll(scene, cases, without)
  await scene.recover({ without, within_ms: 30_000 })
  const found = (await scene.violations()).filter((line) => line.includes('refund.'))
  assert.ok(
    found.some((line) => line.startsWith('I3') && line.includes('nobody paid')),
    String(found),
  )
})

test('without the fenced re-send, a late create is free, and the auditor sees it', async () => {
  const without = 'controls/read-back-only.ts'
  const cases: Case[] = ['com', 'test'].map((tld) => ({
    point: 'none',
    fault: 'apply_later',
    domain: `late.${tld}`,
  }))
  await buyAll(scene, cases, without)
  await scene.recover({ without, within_ms: 30_000 })
  const until = Date.now() + 10_000
  while (cases.some(({ domain }) => !scene.sandbox.lookup(domain)) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 100))
  const found = (await scene.violations()).filter((line) => line.includes('late.'))
  assert.ok(
    found.some((line) => line.startsWith('I3') && line.includes('nobody paid')),
    String(found),
  )
})

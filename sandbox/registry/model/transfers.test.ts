// Transfers between registrars, and the poll messages to both.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS } from '../../support/sandbox-clock.ts'
import { type Sandbox, startSandbox } from '../index.ts'
import { type Client, enter } from '../testing/client.ts'
import { domain, fees, poll } from '../testing/frames.ts'
import { MOVABLE_LABELS, SEEDED_AUTH_INFO } from './names.ts'

let sandbox: Sandbox
let ours: Client
let theirs: Client

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
  ours = await enter(sandbox, 'thin')
  theirs = await enter(sandbox, 'thin', 'registrar-b')
})

after(async () => {
  ours.close()
  theirs.close()
  await sandbox.close()
})

const code = async (client: Client, body: string, extension?: string): Promise<number> =>
  (await client.command(body, extension)).code

const request = (name: string, auth = SEEDED_AUTH_INFO): string =>
  domain.transfer('request', name, auth)

async function lastMessage(client: Client): Promise<string> {
  let last = ''
  for (;;) {
    const { code, xml } = await client.command(poll.request)
    if (code === 1300) return last
    last = xml
    await client.command(poll.acknowledge(/<msgQ [^>]*id="(\d+)"/.exec(xml)?.[1] ?? ''))
  }
}

describe('a transfer', () => {
  it('is requested with the right authInfo, and only once', async () => {
    const name = `${MOVABLE_LABELS[0]}.com`
    assert.equal(await code(ours, domain.transfer('request', name)), 2003)
    assert.equal(await code(ours, request(name, 'wrong-auth')), 2202)
    assert.equal(await code(theirs, request(name)), 2106)
    assert.equal(await code(ours, domain.transfer('query', name)), 2201)
    assert.equal(await code(ours, domain.transfer('approve', name)), 2301)
    assert.equal(await code(ours, request(name), fees.transfer({ amount: '1.00' })), 2004)
    const asked = await ours.command(request(name), fees.transfer({ amount: '9.59' }))
    assert.equal(asked.code, 1001)
    assert.match(asked.xml, /<domain:trStatus>pending<.*<domain:reID>registrar-a</)
    assert.equal(await code(ours, request(name)), 2300)
    assert.ok(sandbox.lookup(name)?.epp_statuses.includes('pendingTransfer'))
    assert.match(await lastMessage(theirs), /<domain:trStatus>pending</)
    assert.equal(await code(theirs, domain.remove(name)), 2304)
  })

  it('is approved by the losing registrar', async () => {
    const name = `${MOVABLE_LABELS[0]}.com`
    const before = sandbox.lookup(name)
    assert.equal(await code(ours, domain.transfer('approve', name)), 2201)
    assert.equal(await code(theirs, domain.transfer('approve', name)), 1000)
    const moved = sandbox.lookup(name)
    assert.equal(moved?.sponsor, 'registrar-a')
    assert.equal(Number(moved?.expires_at.slice(0, 4)), Number(before?.expires_at.slice(0, 4)) + 1)
    assert.match(await lastMessage(ours), /<domain:trStatus>clientApproved</)
    const { xml } = await ours.command(domain.transfer('query', name))
    assert.match(xml, /<domain:trStatus>clientApproved</)
    const paid = sandbox.effects().find((effect) => effect.domain === name)
    assert.deepEqual([paid?.kind, paid?.registrar, paid?.fee], ['transfer', 'registrar-a', '9.59'])
    assert.match(paid?.cl_trid ?? '', /^test-/)
  })

  it('is approved by the registry after five days', async () => {
    const name = `${MOVABLE_LABELS[1]}.com`
    assert.equal(await code(ours, request(name)), 1001)
    sandbox.advanceClock(5 * DAY_MS)
    assert.equal(sandbox.lookup(name)?.sponsor, 'registrar-a')
    assert.match(await lastMessage(ours), /<domain:trStatus>serverApproved</)
    assert.match(await lastMessage(theirs), /<domain:trStatus>serverApproved</)
    assert.deepEqual(sandbox.lookup(name)?.rgp_statuses, ['transferPeriod'])
  })

  it('is not billed when rejected or cancelled', async () => {
    const name = `${MOVABLE_LABELS[2]}.com`
    assert.equal(await code(ours, request(name)), 1001)
    assert.equal(await code(ours, domain.transfer('reject', name)), 2201)
    assert.equal(await code(theirs, domain.transfer('reject', name)), 1000)
    assert.match(await lastMessage(ours), /<domain:trStatus>clientRejected</)
    assert.equal(await code(ours, request(name)), 1001)
    assert.equal(await code(theirs, domain.transfer('cancel', name)), 2201)
    assert.equal(await code(ours, domain.transfer('cancel', name)), 1000)
    assert.match(await lastMessage(theirs), /<domain:trStatus>clientCancelled</)
    assert.equal(sandbox.lookup(name)?.sponsor, 'registrar-b')
    assert.equal(
      sandbox.effects().some((effect) => effect.domain === name),
      false,
    )
  })
})

describe('a name', () => {
  it('cannot be transferred when locked, nor in its first sixty days by default', async () => {
    assert.equal(await code(ours, request('google.com')), 2304)
    await theirs.command(domain.create('young.com', { auth: 'Young-Auth-1' }))
    assert.equal(await code(ours, request('young.com', 'Young-Auth-1')), 2201)
    sandbox.settings.sixty_day_rule = false
    assert.equal(await code(ours, request('young.com', 'Young-Auth-1')), 1001)
    sandbox.settings.sixty_day_rule = true
  })

  it('loses the auto-renewed year when it is transferred in that grace period', async () => {
    const name = 'late-mover.com'
    await theirs.command(domain.create(name, { auth: 'Late-Auth-1' }))
    sandbox.advanceClock(370 * DAY_MS)
    const before = sandbox.lookup(name)?.expires_at
    assert.equal(await code(ours, request(name, 'Late-Auth-1')), 1001)
    assert.equal(await code(theirs, domain.transfer('approve', name)), 1000)
    assert.equal(sandbox.lookup(name)?.expires_at, before)
    const lines = sandbox.effects().filter((effect) => effect.domain === name)
    assert.deepEqual(
      lines.map(({ kind, registrar }) => `${kind} ${registrar}`),
      ['create registrar-b', 'autorenew registrar-b', 'refund registrar-b', 'transfer registrar-a'],
    )
  })
})

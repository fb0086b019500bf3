// The SDK against a running service: errors as classes, one charge after a lost answer, pages, and
// the end of an order that the registry left open.
import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  ApprovalRequiredError,
  AuthenticationError,
  createRegistrarClient,
  InsufficientFundsError,
  NotFoundError,
  paginate,
  RegistrarError,
  TimeoutError,
  ValidationError,
} from '../../sdk/index.ts'
import { startService } from '../support/service.ts'
import { recentSessionOf } from '../support/sign-in.ts'

const registrar = await startService()
const baseUrl = registrar.url
const retry = { base: 20 }

async function client(options: { funds_cents?: number; through?: string } = {}) {
  const { funds_cents = 5_000, through = baseUrl } = options
  const { key: apiKey, id } = await registrar.customer({ funds_cents })
  return Object.assign(createRegistrarClient({ baseUrl: through, apiKey, retry }), { id })
}

/** A proxy that forwards each connection; the first response to a purchase is cut. */
async function cuttingProxy(): Promise<{ url: string; cuts: () => number; keys: string[] }> {
  const { hostname, port } = new URL(baseUrl)
  const keys: string[] = []
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    let isPurchase = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      // A cut connection resets its other side, too, as intended.
      socket.on('error', () => near.destroy())
    }
    near.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      isPurchase ||= text.startsWith('POST /v1/domains ')
      const key = /idempotency-key: (\S+)/i.exec(text)?.[1]
      if (key) keys.push(key)
      far.write(Buffer.from(text.replace(/^host: .*$/im, `host: ${hostname}:${port}`), 'latin1'))
    })
    far.on('data', (bytes) => {
      if (!isPurchase || cuts > 0) return near.write(bytes)
      cuts += 1
      return near.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${Object(server.address()).port}`, cuts: () => cuts, keys }
}

describe('purchases by the SDK', () => {
  it('makes one order and one charge of a purchase with a lost answer', async () => {
    const proxy = await cuttingProxy()
    const agent = await client({ through: proxy.url })
    const bought = await agent.registerDomain({ body: { domain: 'sdk-lost-answer.com' } })
    assert.equal(bought.status, 'active')
    assert.equal(proxy.cuts(), 1)
    assert.equal(proxy.keys.length, 2)
    assert.equal(new Set(proxy.keys).size, 1, 'both attempts have the same key')
    const { available, held } = await agent.getBalance({ path: { customer_id: agent.id } })
    const price = 50 - Number(available)
    assert.equal(price.toFixed(2), Number((await agent.waitForOperation(bought)).amount).toFixed(2))
    assert.equal(held, '0.00')
  })

  it('pays no renewal twice that is called twice, unless each names the expiry that it read', async () => {
    const agent = await client()
    const path = { domain: 'sdk-renewed-twice.com' }
    await agent.registerDomain({ body: path })
    const { expiry } = await agent.renewDomain({ path, body: {} })
    await assert.rejects(agent.renewDomain({ path, body: {} }), { code: 'recently_renewed' })
    assert.equal((await agent.getDomain({ path })).expiry, expiry)
    const fenced = { path, body: { expected_expiry: String(expiry) } }
    const further = await agent.renewDomain(fenced)
    assert.ok(String(further.expiry) > String(expiry))
    await assert.rejects(agent.renewDomain(fenced), { code: 'expiry_changed' })
  })

  it('waits for the end of an order that the registry left open', async () => {
    const agent = await client()
    const domain = 'sdk-open-order.com'
    registrar.sandbox.setFault({ name: 'drop_after', command: 'domain:create', domain })
    const bought = await agent.registerDomain({ body: { domain } })
    assert.equal(bought.operation?.state, 'unknown')
    const states: string[] = []
    const ended = await agent.waitForOperation(bought, {
      timeout: 20_000,
      onProgress: ({ state }) => states.push(state),
    })
    assert.equal(ended.state, 'succeeded')
    assert.ok(
      states.every((state) => state === 'unknown' || state === 'pending'),
      states.join(),
    )
    assert.deepEqual(await agent.waitForOperation(ended), ended, 'an ended one is answered at once')
  })

  it('ends a wait at its time or by its signal', async () => {
    const agent = await client()
    const domain = 'sdk-endless.com'
    registrar.sandbox.setFault({
      name: 'drop_before',
      command: 'domain:create',
      domain,
      times: null,
    })
    const { operation } = await agent.registerDomain({ body: { domain } })
    assert.ok(operation)
    await assert.rejects(agent.waitForOperation(operation, { timeout: 50 }), TimeoutError)
    const stopped = agent.waitForOperation(operation, { signal: AbortSignal.timeout(50) })
    await assert.rejects(stopped, { name: 'TimeoutError' })
    registrar.sandbox.clearFaults()
  })
})

it('ends the wait for an approval that the caller has to use itself', async () => {
  const scopes = ['domains:read', 'domains:purchase', 'domains:transfer'] as const
  const person = await registrar.customer({ scopes: [...scopes], funds_cents: 5_000 })
  const agent = createRegistrarClient({ baseUrl, apiKey: person.key, retry })
  const path = { domain: 'sdk-code-approved.com' }
  await agent.registerDomain({ body: path })
  const token = await recentSessionOf(registrar, person)
  const owner = createRegistrarClient({ baseUrl, token, retry })
  await owner.protectDomain({ path })
  const refused = await agent.getTransferAuthCode({ path }).catch((error: unknown) => error)
  assert.ok(refused instanceof ApprovalRequiredError)
  const { id } = Object(refused.problem).approval
  await owner.approveRequest({ path: { id }, body: {} })
  assert.equal((await agent.waitForApproval(id, { timeout: 10_000 })).state, 'approved')
  assert.ok((await agent.getTransferAuthCode({ path })).auth_code)
  assert.equal((await agent.waitForApproval(id)).state, 'executed')
})

describe('lists and errors of the SDK', () => {
  it('gives the entries of three pages', async () => {
    const agent = await client()
    const names: unknown[] = []
    for (const name of ['sdk-page-a.com', 'sdk-page-b.com', 'sdk-page-c.com'])
      await agent.registerDomain({ body: { domain: name } })
    for await (const one of paginate(agent.listDomains, { query: { limit: 1 } }))
      names.push(one.domain)
    assert.deepEqual(names.sort(), ['sdk-page-a.com', 'sdk-page-b.com', 'sdk-page-c.com'])
    const countEvents = async () => {
      let count = 0
      for await (const event of paginate(agent.listEvents, { query: { limit: 1 } }))
        count += event.type.startsWith('domain.') ? 1 : 0
      return count
    }
    // Events are shown once older transactions have ended, also those of other databases.
    const end = Date.now() + 40_000
    while ((await countEvents()) < 3 && Date.now() < end) await setTimeout(50)
    assert.ok((await countEvents()) >= 3, 'a list without an end stops at its newest entry')
  })

  it('throws each refusal as its class, with the next action as data', async () => {
    const poor = await client({ funds_cents: 1 })
    const refused = poor.registerDomain({ body: { domain: 'sdk-too-expensive.com' } })
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof InsufficientFundsError)
      assert.equal(error.status, 402)
      assert.equal(error.code, 'insufficient_funds')
      assert.equal(error.nextAction?.type, 'add_funds')
      assert.match(error.requestId ?? '', /./)
      return true
    })
    const unknown = poor.getDomain({ path: { domain: 'not-mine-at-all.com' } })
    await assert.rejects(unknown, NotFoundError)
    const wrong = poor.registerDomain({ body: { domain: 'a.com', period_years: -1 } })
    await assert.rejects(wrong, (error) => {
      assert.ok(error instanceof ValidationError)
      assert.deepEqual(error.issues[0]?.loc, ['body', 'period_years'])
      return true
    })
    const keyless = createRegistrarClient({ baseUrl, getToken: async () => 'ar_wrong', retry })
    await assert.rejects(keyless.listDomains(), AuthenticationError)
    await assert.rejects(keyless.listDomains(), RegistrarError)
  })
})

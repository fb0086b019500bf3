// The control plane over HTTP: authentication, reads, changes, errors.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Sandbox, startSandbox } from '../index.ts'
import { type Client, enter } from '../testing/client.ts'
import { domain } from '../testing/frames.ts'

let sandbox: Sandbox
let client: Client

before(async () => {
  sandbox = await startSandbox({ data_dir: null })
  client = await enter(sandbox, 'thin')
})

after(async () => {
  client.close()
  await sandbox.close()
})

async function ask(method: string, path: string, body?: unknown) {
  const { token } = sandbox.control
  const response = await fetch(`${sandbox.control.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: Object(await response.json()) }
}

describe('the control plane', () => {
  it('requires its token', async () => {
    const url = `${sandbox.control.url}/counters`
    const wrong = { headers: { authorization: 'Bearer wrong' } }
    assert.equal((await fetch(url, wrong)).status, 401)
    assert.equal((await fetch(url)).status, 401)
  })

  it('arms and clears faults', async () => {
    const fault = { name: 'fail_2400', registry: 'thin', command: 'domain:create', times: null }
    assert.deepEqual((await ask('POST', '/faults', fault)).body.armed, [fault])
    assert.equal((await client.command(domain.create('faulty.com'))).code, 2400)
    assert.deepEqual((await ask('DELETE', '/faults')).body.armed, [])
    assert.equal((await client.command(domain.create('faulty.com'))).code, 1000)
    assert.equal((await ask('GET', '/faults')).body.known.drop_after.applies, 'first')
  })

  it('shows domains, effects and counters', async () => {
    assert.equal((await ask('GET', '/domains/faulty.com')).body.sponsor, 'registrar-a')
    assert.equal((await ask('GET', '/domains/unregistered.com')).status, 404)
    const { effects } = (await ask('GET', '/effects')).body
    assert.equal(effects.at(-1).domain, 'faulty.com')
    const { thin } = (await ask('GET', '/counters')).body
    assert.deepEqual(thin.commands['domain:create'].codes, { 1000: 1, 2400: 1 })
  })

  it('moves the clock forward', async () => {
    const set = new Date(sandbox.now() + 86_400_000).toISOString()
    assert.ok((await ask('POST', '/clock', { set })).body.now >= set)
    const { now } = (await ask('POST', '/clock', { advance_ms: 1000 })).body
    assert.ok((await ask('GET', '/clock')).body.now >= now)
    assert.equal((await ask('POST', '/clock', { set: '2001-01-01' })).status, 400)
    assert.equal((await ask('POST', '/clock', {})).status, 400)
  })

  it('sets credit and settings', async () => {
    const body = { registry: 'thick', registrar: 'registrar-a', amount: '12.34' }
    assert.deepEqual((await ask('POST', '/credit', body)).body, body)
    assert.equal(sandbox.credit({ registry: 'thick', registrar: 'registrar-a' }), '12.34')
    assert.equal((await ask('POST', '/credit', { ...body, amount: '1e3' })).status, 400)
    assert.equal((await ask('POST', '/credit', { ...body, registrar: 'unknown' })).status, 400)
    await ask('POST', '/settings', { sixty_day_rule: false })
    assert.equal(sandbox.settings.sixty_day_rule, false)
    assert.equal((await ask('GET', '/settings')).body.idle_ms, 120_000)
  })

  it('explains its errors', async () => {
    for (const body of ['{', '[]x', '"text"', { name: 'explode' }, { name: 'slow', times: 0 }]) {
      const { status, body: answer } = await ask('POST', '/faults', body)
      assert.equal(status, 400)
      assert.equal(typeof answer.error, 'string')
    }
    assert.equal((await ask('GET', '/nothing')).status, 404)
  })
})

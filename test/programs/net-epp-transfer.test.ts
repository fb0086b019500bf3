// Net::EPP as the other registrar: it requests domains of ours, and releases its own.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { startService } from '../support/service.ts'

const run = promisify(execFile)
const script = join(import.meta.dirname, 'net-epp-transfer.pl')
const installed = spawnSync('perl', ['-MNet::EPP::Simple', '-MJSON::PP', '-e', '1']).status === 0
const skip =
  installed || process.env.CI === 'true'
    ? false
    : 'Net::EPP is not installed: apt-get install libnet-epp-perl'

const registrar = await startService()
registrar.sandbox.settings.sixty_day_rule = false
const owner = await registrar.customer({
  scopes: ['domains:read', 'domains:purchase', 'domains:transfer'],
})

/** The other registrar does one step, as registrar-b. */
async function other(step: string, domain: string, authInfo = ''): Promise<void> {
  const registry = domain.endsWith('.com') ? 'thin' : 'thick'
  const { host, port } = registrar.sandbox.registries[registry]
  const identity = registrar.sandbox.tls.registrars['registrar-b'] ?? assert.fail('no registrar-b')
  const settings = {
    host,
    port,
    user: 'registrar-b',
    pass: 'sandbox-b-pw-01',
    ca_file: registrar.sandbox.tls.ca_file,
    cert: identity.cert_file,
    key: identity.key_file,
  }
  await run('perl', [script, JSON.stringify(settings), step, domain, authInfo])
}

function call(method: string, path: string, body?: object) {
  const options = body ? { token: owner.key, body } : { token: owner.key }
  return registrar.request(method, `/v1/domains/${path}`, options)
}

async function until(domain: string, status: string) {
  const end = Date.now() + 40_000
  for (;;) {
    const answer = await call('GET', domain)
    if (answer.body.status === status) return answer
    if (Date.now() > end) assert.fail(`${domain} is not ${status}: ${answer.text}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** A domain of ours that the other registrar has requested, with the owner's transfer code. */
async function askedFor(domain: string): Promise<void> {
  const bought = await registrar.request('POST', '/v1/domains', {
    token: owner.key,
    body: { domain },
  })
  assert.equal(bought.status, 200, bought.text)
  const code = await call('GET', `${domain}/transfer-auth-code`)
  assert.equal(code.status, 200, code.text)
  await other('request', domain, code.body.auth_code)
  // Not read before, so that the status comes from the registry's message.
  const pending = await until(domain, 'transfer_pending')
  assert.ok(
    pending.body.next_actions.some(({ type }: { type: string }) => type === 'reject_transfer'),
  )
}

const sponsor = (domain: string) => registrar.sandbox.lookup(domain)?.sponsor

describe('Net::EPP as the other registrar', { skip }, () => {
  it('gets a domain whose owner approves', async () => {
    const domain = 'approved-away.com'
    await askedFor(domain)
    const approved = await call('POST', `${domain}/transfer/approve`)
    assert.equal(approved.status, 200, approved.text)
    await until(domain, 'transferred_away')
    assert.equal(sponsor(domain), 'registrar-b')
    const list = await registrar.request('GET', '/v1/domains', { token: owner.key })
    assert.ok(!list.text.includes(domain))
  })

  it('does not get a domain whose owner rejects', async () => {
    const domain = 'kept-here.test'
    await askedFor(domain)
    const rejected = await call('POST', `${domain}/transfer/reject`)
    assert.equal(rejected.status, 200, rejected.text)
    await until(domain, 'active')
    assert.equal(sponsor(domain), 'registrar-a')
  })

  it('approves a transfer to us', async () => {
    const domain = 'old-harbour.com'
    const body = { domain, auth_code: 'Seeded-2Move' }
    const asked = await call('POST', 'transfer', body)
    assert.equal(asked.body.status, 'transfer_pending', asked.text)
    await other('approve', domain)
    await until(domain, 'active')
    assert.equal(sponsor(domain), 'registrar-a')
  })

  it('rejects a transfer to us', async () => {
    const domain = 'paper-lantern.test'
    const asked = await call('POST', 'transfer', { domain, auth_code: 'Seeded-2Move' })
    assert.equal(asked.body.status, 'transfer_pending', asked.text)
    await other('reject', domain)
    const failed = await until(domain, 'failed')
    assert.equal(failed.body.operation.error.code, 'transfer_rejected')
  })

  it('gets an unanswered transfer after five days', async () => {
    const domain = 'unanswered.com'
    await askedFor(domain)
    const jump = await registrar.request('POST', '/v1/sandbox/clock', {
      token: registrar.operatorKey,
      body: { advance: 'P5DT1H' },
    })
    assert.equal(jump.status, 200, jump.text)
    await until(domain, 'transferred_away')
    assert.equal(sponsor(domain), 'registrar-b')
  })
})

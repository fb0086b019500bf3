// The sandbox as a process: acknowledged commands survive kill -9.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import type { Sandbox } from '../index.ts'
import { type Client, enter } from '../testing/client.ts'
import { contactCreate, domain, people } from '../testing/frames.ts'

const main = join(import.meta.dirname, '../main.ts')
let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-registry-test-'))
})

after(() => {
  rmSync(folder, { recursive: true, force: true })
})

type Ready = {
  registries: Sandbox['registries']
  tls: { ca_file: string; registrars: Record<string, { cert_file: string; key_file: string }> }
  control: { url: string; token_file: string }
  payments?: Record<'gateway' | 'processor', { base_url: string; api_key: string }>
}
type Running = { child: ChildProcess; ready: Ready; reached: Pick<Sandbox, 'registries' | 'tls'> }

async function start(...options: string[]): Promise<Running> {
  const child = spawn(process.execPath, [main, '--data-dir', folder, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line]: string[] = await once(createInterface({ input: child.stdout }), 'line')
  const ready: Ready = JSON.parse(line ?? '')
  const { ca_file } = ready.tls
  const registrars = Object.fromEntries(
    Object.entries(ready.tls.registrars).map(([id, { cert_file, key_file }]) => {
      const [cert, key] = [readFileSync(cert_file, 'utf8'), readFileSync(key_file, 'utf8')]
      return [id, { cert, key, cert_file, key_file }]
    }),
  )
  const ours = registrars['registrar-a']
  assert.ok(ours)
  const tls = { ...ours, ca_file, ca: readFileSync(ca_file, 'utf8'), registrars }
  return { child, ready, reached: { registries: ready.registries, tls } }
}

async function stop(running: Running, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(running.child, 'exit')
  running.child.kill(signal)
  const [code]: (number | null)[] = await exited
  return code ?? null
}

async function ask(running: Running, path: string, body?: object): Promise<unknown> {
  const token = readFileSync(running.ready.control.token_file, 'utf8').trim()
  const response = await fetch(`${running.ready.control.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200)
  return await response.json()
}

async function stripe({ ready }: Running, path: string, form?: Record<string, string>) {
  const processor = ready.payments?.processor
  const response = await fetch(`${processor?.base_url}/v1${path}`, {
    headers: { authorization: `Bearer ${processor?.api_key}` },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  })
  assert.equal(response.status, 200)
  return Object(await response.json())
}

function startCheckout(running: Running) {
  return stripe(running, '/checkout/sessions', {
    mode: 'payment',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '2500',
    success_url: 'http://localhost/',
  })
}

describe('the process', () => {
  it('keeps all acknowledged commands and its clock after kill -9', async () => {
    const first = await start('--payments')
    const { id: session } = await startCheckout(first)
    const client: Client = await enter(first.reached, 'thick')
    await client.command(contactCreate('kept-1'))
    for (let n = 0; n < 20; n += 1) {
      const parts = people('kept-1')
      const { code } = await client.command(domain.create(`kept-${n}.test`, { parts }))
      assert.equal(code, 1000)
    }
    await client.command(domain.remove('kept-0.test'))
    await ask(first, '/clock', { advance_ms: 3_600_000_000 })
    const [domainBefore, effectsBefore] = [
      await ask(first, '/domains/kept-7.test'),
      await ask(first, '/effects'),
    ]
    await stop(first, 'SIGKILL')
    client.close()
    appendFileSync(join(folder, 'thick.jsonl'), '[["domain","torn.test",{"na')

    const second = await start('--payments')
    const kept = await stripe(second, `/checkout/sessions/${session}`)
    assert.deepEqual([kept.id, kept.status], [session, 'open'])
    const keys = ({ ready }: Running) => [
      ready.payments?.gateway.api_key,
      ready.payments?.processor.api_key,
    ]
    assert.deepEqual(keys(second), keys(first))
    assert.deepEqual(await ask(second, '/domains/kept-7.test'), domainBefore)
    assert.deepEqual(await ask(second, '/effects'), effectsBefore)
    const again = await enter(second.reached, 'thick')
    assert.equal((await again.command(domain.info('kept-19.test'))).code, 1000)
    assert.equal((await again.command(domain.info('kept-0.test'))).code, 2303)
    const clock = await ask(second, '/clock')
    assert.ok(Date.parse(Object(clock).now) > Date.now() + 3_500_000_000)
    again.close()
    assert.equal(await stop(second, 'SIGTERM'), 0)
  })

  it('ends with its parent on request', async () => {
    const running = await start('--until-stdin-ends')
    const exited = once(running.child, 'exit')
    running.child.stdin?.end()
    const [code]: (number | null)[] = await exited
    assert.equal(code, 0)
  })

  it('makes its keys readable by their owner only', () => {
    for (const file of ['pki/server.key', 'pki/registrar-a.key', 'control-token', 'thin.jsonl']) {
      assert.equal(statSync(join(folder, file)).mode & 0o077, 0, file)
    }
  })
})

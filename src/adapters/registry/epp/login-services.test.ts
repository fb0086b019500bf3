// The services that a log-in asks for: those of the announced ones that the profile uses.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Sandbox } from '../../../../sandbox/registry/index.ts'
import { fixture } from '../../../epp/fixtures/fixtures.ts'
import { answer, framed, startScriptedServer } from '../../../epp/fixtures/scripted-server.ts'
import { open, profileOf, startEmptySandbox } from '../fixtures/sandbox.ts'
import type { EppProfile } from '../port.ts'

const announced = fixture('greeting.xml').toString()
const without = (...names: string[]) =>
  names.reduce((text, name) => text.replace(new RegExp(`.*xml:ns:${name}.*\n`), ''), announced)

/** The last part of each URI of the log-in, in the order of the log-in. */
async function asked(
  t: TestContext,
  own: Partial<EppProfile>,
  greeting = announced,
): Promise<string[]> {
  const sandbox: Sandbox = await startEmptySandbox()
  t.after(() => sandbox.close())
  const server = await startScriptedServer(({ cl_trid }) => answer(1000, cl_trid), {
    greeting: framed(greeting),
    every: true,
  })
  t.after(() => server.close())
  const folder = await mkdtemp(join(tmpdir(), 'login-services-'))
  t.after(() => rm(folder, { recursive: true }))
  const ca_file = join(folder, 'ca.pem')
  await writeFile(ca_file, server.cert)
  const tls = { ca_file, cert_file: null, key_file: null, servername: null }
  const at = { host: '127.0.0.1', port: server.port, tls, password: 'foo-BAR2' }
  const registry = open({ ...profileOf(sandbox, 'thin'), ...at, ...own })
  await registry.read('any.com', 'normal')
  await registry.close()
  const xml = server.received.find((received) => received.xml.includes('<login'))?.xml ?? ''
  return [...xml.matchAll(/<(?:obj|ext)URI>[^<]*?([\w-]+)-1\.\d</g)].map(([, name = '']) => name)
}

const cases: Record<string, [Partial<EppProfile>, expected: string[], greeting?: string]> = {
  'host attributes, no contacts, fees': [
    { host_model: 'hostAttr', contacts: 'prohibited', fee: true },
    ['domain', 'fee', 'rgp'],
  ],
  'host objects, contacts, no fees': [
    { host_model: 'hostObj', contacts: 'required', fee: false },
    ['domain', 'contact', 'host', 'rgp'],
  ],
  'contacts that may be left out': [
    { host_model: 'hostAttr', contacts: 'optional', fee: false },
    ['domain', 'contact', 'rgp'],
  ],
  'a registry without contacts that may be left out, and without grace periods': [
    { host_model: 'hostAttr', contacts: 'optional', fee: false },
    ['domain'],
    without('contact', 'rgp'),
  ],
  'long passwords by RFC 8807, and a short one, at a registry without it': [
    { host_model: 'hostAttr', contacts: 'prohibited', fee: false },
    ['domain', 'rgp'],
    without('epp:loginSec'),
  ],
  'long passwords by RFC 8807, and a long one': [
    {
      ...{ host_model: 'hostAttr', contacts: 'prohibited', fee: false },
      password: 'correct horse battery staple',
    },
    ['domain', 'loginSec', 'rgp'],
  ],
  'any password by RFC 8807': [
    { host_model: 'hostAttr', contacts: 'prohibited', fee: false, login_security: 'required' },
    ['domain', 'loginSec', 'rgp'],
  ],
}
for (const [what, [own, expected, greeting]] of Object.entries(cases))
  test(`${what}: ${expected.join(', ')}`, async (t) => {
    assert.deepEqual(await asked(t, own, greeting), expected)
  })

test('a long password at a registry without RFC 8807 sends no log-in', async (t) => {
  const long = { password: 'correct horse battery staple' }
  assert.deepEqual(await asked(t, long, without('epp:loginSec')), [])
})

test('a registry that announces more than it grants lets us in', async (t) => {
  const sandbox = await startEmptySandbox()
  t.after(() => sandbox.close())
  sandbox.setFault({ name: 'answer', command: 'login', code: 2103 })
  const registry = open(profileOf(sandbox, 'thick'))
  const read = await registry.read('unregistered.test', 'normal')
  assert.equal(read.kind === 'refused' && read.reason, 'absent')
  await registry.close()
})

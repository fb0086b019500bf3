// Log-in security (RFC 8807) by the profile: the element that carries the password, against a
// registry that refuses a plain log-in and one that takes both.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Sandbox } from '../../../../sandbox/registry/index.ts'
import { open, profileOf, startEmptySandbox } from '../fixtures/sandbox.ts'
import type { EppProfile } from '../port.ts'

let sandbox: Sandbox
before(async () => {
  sandbox = await startEmptySandbox()
})
after(() => sandbox.close())

/** The outcome of a read over a new session; the name does not exist. */
async function logsIn(own: Partial<EppProfile>): Promise<string> {
  const registry = open({ ...profileOf(sandbox, 'thin'), ...own })
  const read = await registry.read('unregistered.com', 'normal')
  await registry.close()
  return read.kind === 'refused' ? read.reason : read.kind
}

for (const required of [true, false])
  for (const login_security of ['required', 'long_passwords', 'never'] as const) {
    const works = login_security === 'required' || !required
    const server = required ? 'demands the extension' : 'takes both'
    test(`${login_security}: a registry that ${server} ${works ? 'lets us in' : 'does not'}`, async () => {
      sandbox.settings.login_security_required = required
      assert.equal(await logsIn({ login_security }), works ? 'absent' : 'unknown')
    })
  }

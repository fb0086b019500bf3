// The keys and customers that a start prints exist, whatever the source of the operator's key; and
// the steps that README gives work as it says.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newDatabase } from '../support/database.ts'
import { root, startProgram } from '../support/program.ts'
import { startService } from '../support/service.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-first-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

type Start = { DATA_DIR: string; DATABASE_URL: string; OPERATOR_KEY?: string }

/** Its lines up to the end of the first steps. */
async function say(environment: Start): Promise<string> {
  const program = startProgram({ environment })
  await program.line(/create_customer|\/v1\/domains -H/)
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
  return program.lines.filter((line) => !line.startsWith('{')).join('\n')
}

test('with OPERATOR_KEY, no start speaks of a customer or a key that is not there', async () => {
  const OPERATOR_KEY = `op_${'s'.repeat(40)}`
  const place = { DATA_DIR: join(scratch, 'given'), DATABASE_URL: await newDatabase('template0') }
  for (const key of [OPERATOR_KEY, OPERATOR_KEY, undefined]) {
    const said = await say({ ...place, ...(key ? { OPERATOR_KEY: key } : {}) })
    assert.doesNotMatch(said, /100\.00|first start printed|API_KEY=/)
    assert.match(said, /bin\/call create_customer/)
  }
})

test('without it, the first start makes them, and later ones know of them', async () => {
  const place = { DATA_DIR: join(scratch, 'made'), DATABASE_URL: await newDatabase('template0') }
  const first = await say(place)
  assert.match(first, /API_KEY=ar_test_/)
  assert.match(first, /a customer with 100\.00 USD/)
  const second = await say(place)
  assert.match(second, /API_KEY=<the API key that the first start printed>/)
})

test("README's jump of the clock ends in what README says", async () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const advance = /\{"advance":"(P\d+D)"\}/.exec(text)?.[1] ?? ''
  const registrar = await startService()
  const { key: token, email } = await registrar.customer()
  const domain = 'a-minutes-tour.com'
  const bought = await registrar.request('POST', '/v1/domains', { token, body: { domain } })
  assert.equal(bought.status, 200, bought.text)
  await registrar.advance(advance)
  const [mail] = await registrar.mails({ to: email, subject: /expired on/ })
  assert.ok(mail?.subject?.startsWith(`${domain} expired on`))
  const held = await registrar.request('GET', `/v1/domains/${domain}`, { token })
  assert.equal(held.body.status, 'expired')
  assert.deepEqual(held.body.rgp_statuses, ['autoRenewPeriod'])
  const body = { period_years: 1 }
  const renewed = await registrar.request('POST', `/v1/domains/${domain}/renew`, { token, body })
  assert.deepEqual([renewed.status, renewed.body.status], [200, 'active'], renewed.text)
})

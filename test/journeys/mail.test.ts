// Mail beside the money: a domain is bought while the mail server is away, health tells it, and
// what was to be told arrives once the server is back.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startMailServer } from '../../sandbox/mailbox/index.ts'
import { readMails } from '../support/mails.ts'
import { startService } from '../support/service.ts'

const down = await startMailServer({ data_dir: null })
await down.close()
const registrar = await startService({ settings: { SMTP_URL: down.url } })
const { service } = registrar

async function health() {
  const { status, body } = await registrar.request('GET', '/v1/health')
  assert.equal(status, 200)
  return body
}

test('without a mail server money moves as ever, and the owner is told later, once', async () => {
  const customer = await registrar.customer()
  const bought = await registrar.request('POST', '/v1/domains', {
    token: customer.key,
    body: { domain: `mail-is-down-${process.pid}.com`, max_price: '20.00' },
  })
  assert.equal(bought.status, 200, bought.text)
  assert.equal(bought.body.status, 'active', bought.text)

  // The job has come by when its first try is noted.
  let told = await health()
  while (told.mail.detail === null) told = await health()
  assert.equal(told.status, 'degraded')
  assert.equal(told.mail.state, 'down')
  assert.ok(told.mail.waiting >= 1)
  assert.match(told.mail.detail, /mail server is away/)

  const back = await startMailServer({ data_dir: null, port: down.port })
  after(() => back.close())
  const [mail, ...more] = await readMails(back, { to: customer.email })
  assert.deepEqual(more, [])
  assert.equal(mail?.subject, 'A new API key for your account')
  assert.match(mail?.text ?? '', new RegExp(`agent-registrar, ${service.settings.site_url}`))
  const key = `An operator of this service created an API key for your account: ${'ar_test_'}`
  assert.ok((mail?.text ?? '').replaceAll('\n', ' ').includes(key))
  assert.ok(!(mail?.text ?? '').includes(customer.key), 'never the secret')
})

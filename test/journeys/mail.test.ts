// A purchase while the mail server is down: health reports it, and the mail arrives once the server
// is back.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startMailServer } from '../../sandbox/mailbox/index.ts'
import { freePort } from '../../src/kit/net/free-port.ts'
import { readMails } from '../support/mails.ts'
import { startService } from '../support/service.ts'

// A port that the system does not give away, because another process could have it when the server
// comes back.
const down = await startMailServer({ data_dir: null, port: await freePort() })
await down.close()
const registrar = await startService({ settings: { SMTP_URL: down.url } })
const { service } = registrar

async function health() {
  const { status, body } = await registrar.request('GET', '/v1/health')
  assert.equal(status, 200)
  return body
}

test('a purchase succeeds without a mail server, and its owner is notified once, later', async () => {
  const customer = await registrar.customer()
  const bought = await registrar.request('POST', '/v1/domains', {
    token: customer.key,
    body: { domain: `mail-is-down-${process.pid}.com`, max_price: '20.00' },
  })
  assert.equal(bought.status, 200, bought.text)
  assert.equal(bought.body.status, 'active', bought.text)

  // The job has run when its first attempt is recorded.
  let report = await health()
  while (report.mail.detail === null) report = await health()
  assert.equal(report.status, 'degraded')
  assert.equal(report.mail.state, 'down')
  assert.ok(report.mail.waiting >= 1)
  assert.match(report.mail.detail, /mail server cannot be reached/)

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

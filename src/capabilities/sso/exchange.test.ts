// Exchange of tickets: refusals, and the link to an account that has the address.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startService } from '../../../test/support/service.ts'
import { givePassword, ownersPassword } from '../../../test/support/sign-in.ts'
import { someUser, ssoSettings } from '../../../test/support/sso/identity-providers.ts'
import { type SsoBrowser, ssoBrowser } from '../../../test/support/sso/sso-browser.ts'
import { openSso, outcome } from './sso.fixture.ts'

const { registrar, rows, issuer, mailTo } = await openSso()
const linkCodeAt = '/v1/dashboard/sso/link-code'

const ticketOf = (browser: SsoBrowser) => browser.ticket('acme')

/** An account with a password, whose address the provider's user has, and the link to confirm. */
async function toLink({ password = true } = {}) {
  const account = await registrar.customer({ funds_cents: 0, contact: false })
  if (password) await givePassword(registrar, account)
  issuer.user = someUser({ email: account.email.toUpperCase() })
  const browser = ssoBrowser(registrar)
  const answer = await browser.exchange({ ticket: await ticketOf(browser) })
  assert.equal(outcome(answer), '409 sso_link_needed', answer.text)
  return { account, browser, link: answer.body.link, answer }
}

const identitiesOf = async (id: string) =>
  (await rows('select provider from sso_identities where customer_id = $1', [id])).length

describe('a ticket', () => {
  it('is valid once, also of 20 concurrent exchanges', async () => {
    const browser = ssoBrowser(registrar)
    const ticket = await ticketOf(browser)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.exchange({ ticket })),
    )
    const outcomes = answers.map(outcome).sort()
    assert.deepEqual(outcomes, ['200', ...Array(19).fill('403 sso_ticket_not_valid')])
  })

  it('is refused after a minute', async () => {
    const browser = ssoBrowser(registrar)
    const ticket = await ticketOf(browser)
    const [row] = await rows(
      `select ticket_expires_at - answered_at as life from sso_log_ins
        where ticket_hash is not null order by id desc limit 1`,
    )
    assert.ok(Number(Object(row?.life).seconds ?? 60) <= 60)
    await rows(
      `update sso_log_ins set ticket_expires_at = now() - interval '1 s'
        where ticket_hash is not null`,
    )
    assert.equal(outcome(await browser.exchange({ ticket })), '403 sso_ticket_not_valid')
  })

  it('is refused in another browser, and stays valid in its own', async () => {
    const browser = ssoBrowser(registrar)
    const ticket = await ticketOf(browser)
    const another = ssoBrowser(registrar)
    assert.equal(outcome(await another.exchange({ ticket })), '403 sso_ticket_not_valid')
    await another.start('acme')
    assert.equal(outcome(await another.exchange({ ticket })), '403 sso_ticket_not_valid')
    assert.equal((await browser.exchange({ ticket })).status, 200)
  })

  it('is 422 beside a password or a code, and refused where it is malformed', async () => {
    const browser = ssoBrowser(registrar)
    const ticket = await ticketOf(browser)
    for (const more of [{ password: 'x' }, { code: '123456' }])
      assert.equal((await browser.exchange({ ticket, ...more })).status, 422)
    for (const wrong of [`${ticket.slice(0, -1)}_`, 'x'.repeat(20), ticket.replace('stk', 'slk')])
      assert.equal(outcome(await browser.exchange({ ticket: wrong })), '403 sso_ticket_not_valid')
    assert.equal((await browser.exchange({ ticket })).status, 200)
  })

  it('is stored as a digest only, with state and cookie', async () => {
    const browser = ssoBrowser(registrar)
    const started = await browser.start('acme')
    const { body } = await browser.open(await browser.agree(started))
    const stored = JSON.stringify(await rows('select * from sso_log_ins'))
    const secrets = [body.ticket, started.state, browser.cookie().split('=')[1] ?? '']
    for (const secret of secrets) assert.ok(!stored.includes(secret.slice(4)))
    const logs = registrar.logs.join('\n')
    for (const secret of secrets) assert.ok(!logs.includes(secret.slice(4)))
  })
})

describe('an account is refused', () => {
  it('to an address that the provider has not verified', async () => {
    for (const email_verified of [false, 'true', undefined]) {
      issuer.user = someUser()
      issuer.faults.claims = (claims) => ({ ...claims, email_verified })
      const browser = ssoBrowser(registrar)
      const answer = await browser.exchange({ ticket: await ticketOf(browser) })
      assert.equal(outcome(answer), '403 sso_email_not_verified', answer.text)
    }
  })

  it('to an unverified address of an account, which is not linked', async () => {
    const account = await registrar.customer({ funds_cents: 0, contact: false })
    issuer.user = someUser({ email: account.email, email_verified: false })
    const browser = ssoBrowser(registrar)
    const answer = await browser.exchange({ ticket: await ticketOf(browser) })
    assert.equal(outcome(answer), '403 sso_email_not_verified')
    assert.equal(await identitiesOf(account.id), 0)
  })

  for (const [sign_up, expected] of Object.entries({
    closed: '403 sign_up_closed',
    invite: '403 invitation_needed',
  }))
    it(`where SIGN_UP is ${sign_up}, and identities that are linked still log in`, async () => {
      const made = ssoBrowser(registrar)
      assert.equal((await made.exchange({ ticket: await ticketOf(made) })).status, 200)
      const linked = issuer.user
      const { database_url } = registrar.service.settings
      const settings = { ...ssoSettings({ acme: issuer.url }), SIGN_UP: sign_up }
      const node = await startService({
        settings,
        ...(database_url ? { database_url } : {}),
        worker: false,
      })
      issuer.user = someUser()
      const browser = ssoBrowser(node)
      assert.equal(outcome(await browser.exchange({ ticket: await ticketOf(browser) })), expected)
      issuer.user = linked
      const again = await browser.exchange({ ticket: await ticketOf(browser) })
      assert.equal(again.status, 200, again.text)
    })

  it('where it is closed', async () => {
    const browser = ssoBrowser(registrar)
    const made = await browser.exchange({ ticket: await ticketOf(browser) })
    const { id } = made.body.customer
    await rows(`update customers set status = 'closed' where id = $1`, [id])
    const answer = await browser.exchange({ ticket: await ticketOf(browser) })
    assert.equal(outcome(answer), '409 account_closed')
    issuer.user = { ...someUser(), email: issuer.user.email }
    const other = await browser.exchange({ ticket: await ticketOf(browser) })
    assert.equal(outcome(other), '409 account_closed')
  })
})

describe('an address that has an account', () => {
  it('is linked with the password of that account, and its owner gets a mail', async () => {
    const { account, browser, link } = await toLink()
    assert.deepEqual(link.methods, ['password', 'code'])
    assert.equal(link.provider, 'acme')
    assert.equal(await identitiesOf(account.id), 0)
    const wrong = await browser.exchange({ ticket: link.ticket, password: 'something else' })
    assert.equal(outcome(wrong), '403 wrong_password')
    const done = await browser.exchange({ ticket: link.ticket, password: ownersPassword })
    assert.equal(done.status, 200, done.text)
    assert.deepEqual([done.body.customer.id, done.body.mcp_api_key], [account.id, null])
    assert.equal(await identitiesOf(account.id), 1)
    assert.match(await mailTo(account.email, /can log in/), /acme was linked/)
    const again = await browser.exchange({ ticket: await ticketOf(browser) })
    assert.equal(again.body.customer?.id, account.id, again.text)
    // The ticket of the link was consumed.
    const replay = await browser.exchange({ ticket: link.ticket, password: ownersPassword })
    assert.equal(outcome(replay), '403 sso_ticket_not_valid')
  })

  it('is linked with a mailed code, where there is no password too', async () => {
    const { account, browser, link } = await toLink({ password: false })
    assert.deepEqual(link.methods, ['code'])
    const early = await browser.exchange({ ticket: link.ticket, code: '000000' })
    assert.equal(outcome(early), '403 sso_code_not_valid')
    const sent = await browser.post(linkCodeAt, { ticket: link.ticket })
    assert.equal(sent.status, 202, sent.text)
    const again = await browser.post(linkCodeAt, { ticket: link.ticket })
    assert.equal(outcome(again), '429 too_many_tries')
    const code = /^\d{6}$/m.exec(await mailTo(account.email, /^Link/))?.[0] ?? ''
    const done = await browser.exchange({ ticket: link.ticket, code })
    assert.equal(done.status, 200, done.text)
    assert.equal(done.body.customer.id, account.id)
    assert.equal(done.body.customer.email_verified, true)
  })

  it('suspends the code after five wrong ones', async () => {
    const { account, browser, link } = await toLink()
    await browser.post(linkCodeAt, { ticket: link.ticket })
    const code = /^\d{6}$/m.exec(await mailTo(account.email, /^Link/))?.[0] ?? ''
    const wrong = code === '111111' ? '222222' : '111111'
    for (let i = 0; i < 5; i += 1) {
      const answer = await browser.exchange({ ticket: link.ticket, code: wrong })
      assert.equal(outcome(answer), '403 sso_code_not_valid')
    }
    const right = await browser.exchange({ ticket: link.ticket, code })
    assert.equal(outcome(right), '403 sso_code_not_valid')
    assert.equal(await identitiesOf(account.id), 0)
  })
})

describe('an address that has an account, without the right confirmation,', () => {
  it('is not linked in another browser, after ten minutes, or without a confirmation', async () => {
    const { account, browser, link } = await toLink()
    const another = ssoBrowser(registrar)
    await another.start('acme')
    const confirm = { ticket: link.ticket, password: ownersPassword }
    assert.equal(outcome(await another.exchange(confirm)), '403 sso_ticket_not_valid')
    assert.equal(
      outcome(await another.post(linkCodeAt, { ticket: link.ticket })),
      '403 sso_ticket_not_valid',
    )
    assert.equal((await browser.exchange({ ticket: link.ticket })).status, 422)
    assert.equal((await browser.exchange({ ...confirm, code: '111111' })).status, 422)
    await rows(
      `update sso_log_ins set link_expires_at = now() - interval '1 s' where customer_id = $1`,
      [account.id],
    )
    assert.equal(outcome(await browser.exchange(confirm)), '403 sso_ticket_not_valid')
    assert.equal(await identitiesOf(account.id), 0)
  })

  it('is not linked with the password of another account', async () => {
    const { account, browser, link } = await toLink()
    // Its address changed hands since.
    const other = await registrar.customer({ funds_cents: 0, contact: false })
    await rows(`update customers set email = 'old-' || email where id = $1`, [account.id])
    await rows('update customers set email = $1 where id = $2', [account.email, other.id])
    await rows(`delete from passwords where customer_id = $1`, [account.id])
    await givePassword(registrar, other)
    const answer = await browser.exchange({ ticket: link.ticket, password: ownersPassword })
    assert.equal(outcome(answer), '403 wrong_password')
    assert.deepEqual([await identitiesOf(account.id), await identitiesOf(other.id)], [0, 0])
  })

  it('links one identity once, of three concurrent confirmations', async () => {
    const { account, browser, link } = await toLink()
    const confirm = { ticket: link.ticket, password: ownersPassword }
    const answers = await Promise.all(Array.from({ length: 3 }, () => browser.exchange(confirm)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(await identitiesOf(account.id), 1)
  })
})

// Mails that a caller without credentials can make the service send: their number for one address,
// over every operation that is open to anyone. Requests come from as many networks as the caller
// likes.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../../src/catalog.ts'
import { webhookToken } from '../support/node.ts'
import { rowsIn } from '../support/owner-sql.ts'
import { type Answer, startService } from '../support/service.ts'
import { givePassword, ownersPassword } from '../support/sign-in.ts'
import { openIssuer, someUser, ssoSettings } from '../support/sso/identity-providers.ts'
import { ssoBrowser } from '../support/sso/sso-browser.ts'

const issuer = await openIssuer()
after(() => issuer.close())
const registrar = await startService({
  settings: { ...ssoSettings({ acme: issuer.url }), TRUSTED_PROXIES: '127.0.0.1' },
})
const rows = rowsIn(registrar)

type Headers = Record<string, string>
/** Sends one request from the client address in `headers`. */
type Sends = (headers: Headers, i: number) => Promise<Answer>
type Victim = { email: string; mails_before: number }

const from = (i: number): Headers => ({ 'x-forwarded-for': `198.${18 + (i % 2)}.${i}.7` })
const post = (path: string, body: object, headers: Headers) =>
  registrar.request('POST', path, { body, headers })

/** Operations that mail an address the caller names, and the most mails in one moment. */
const mailing: Record<string, { most: number; open: (victim: Victim) => Promise<Sends> }> = {
  sign_up: {
    most: 10,
    open: async ({ email }) => {
      const body = { email, password: ownersPassword, name: 'Ada' }
      return (headers) => post('/v1/dashboard/register', body, headers)
    },
  },
  resend_sign_up: {
    // These come in addition to the mails of the sign-ups, with the same limit.
    most: 10,
    open: async ({ email }) => {
      const sign_up = { email, password: ownersPassword, name: 'Ada' }
      const { body } = await post('/v1/dashboard/register', sign_up, from(250))
      const again = { signup_id: body.signup_id }
      return (headers) => post('/v1/dashboard/register/resend', again, headers)
    },
  },
  request_password_reset: {
    most: 10,
    open: async ({ email }) => {
      return (headers) => post('/v1/dashboard/password-reset', { email }, headers)
    },
  },
  mail_sso_link_code: {
    most: 1,
    open: async ({ email }) => {
      issuer.user = someUser({ email })
      const browser = ssoBrowser(registrar)
      const { body, text } = await browser.exchange({ ticket: await browser.ticket('acme') })
      assert.equal(body.code, 'sso_link_needed', text)
      const { ticket } = body.link
      return (headers) => browser.post('/v1/dashboard/sso/link-code', { ticket }, headers)
    },
  },
}

/** Operations that mail no address that the caller names, with a request to each. */
const silent: Record<string, { path: string; body?: (victim: Victim) => object }> = {
  check_domain_availability: {
    path: '/v1/domains/check',
    body: () => ({ domains: ['anonymous-mails.com'] }),
  },
  receive_gateway_webhook: {
    path: `/v1/billing/gateway/webhook?token=${webhookToken}`,
    body: () => ({ type: 'InvoiceSettled', invoiceId: 'unknown' }),
  },
  receive_processor_event: { path: '/v1/billing/processor/webhook', body: () => ({}) },
  log_in_operator: {
    path: '/v1/operator/login',
    body: () => ({ operator_key: `op_${'w'.repeat(40)}` }),
  },
  begin_passkey_log_in: { path: '/v1/dashboard/passkey/options', body: () => ({}) },
  log_in_with_passkey: {
    path: '/v1/dashboard/passkey/login',
    body: () => ({ challenge_id: 'a'.repeat(40), credential: {} }),
  },
  start_sso: { path: '/v1/dashboard/sso/acme/start', body: () => ({}) },
  finish_sso: { path: '/v1/dashboard/sso/acme/callback?code=a&state=b' },
  exchange_sso_ticket: {
    path: '/v1/dashboard/sso/exchange',
    body: () => ({ ticket: `slk_${'a'.repeat(40)}` }),
  },
  log_in: {
    path: '/v1/dashboard/login',
    body: ({ email }) => ({ email, password: 'not the password' }),
  },
  verify_sign_up: {
    path: '/v1/dashboard/register/verify',
    body: () => ({ token: `sgt_${'a'.repeat(40)}` }),
  },
  read_sign_up_link: {
    path: '/v1/dashboard/register/link',
    body: () => ({ token: `sgt_${'a'.repeat(40)}` }),
  },
  confirm_password_reset: {
    path: '/v1/dashboard/password-reset/confirm',
    body: () => ({ token: `pwt_${'a'.repeat(40)}`, password: ownersPassword }),
  },
}

async function victim(): Promise<Victim> {
  const { id, email } = await registrar.customer({ funds_cents: 0, contact: false })
  await givePassword(registrar, { id, email })
  return { email, mails_before: await mailsTo(email) }
}

/** They are counted once the jobs that mail have answered every request. */
async function mailsTo(email: string): Promise<number> {
  const kinds = ['answer_sign_up', 'answer_password_reset']
  for (;;) {
    const [left] = await rows('select count(*)::int as n from tasks where kind = any ($1)', [kinds])
    if (left.n === 0) break
    await sleep(50)
  }
  const [{ n }] = await rows('select count(*)::int as n from mails where recipient = $1', [email])
  return n
}

const networks = 40

describe('an anonymous caller from many networks', () => {
  it('is served by operations that are all in this table', () => {
    const anonymous = operations.filter(
      ({ who, effect, method }) =>
        who.about === 'anyone' && (effect !== 'none' || method !== 'GET'),
    )
    const known = [...Object.keys(mailing), ...Object.keys(silent)]
    assert.deepEqual(anonymous.map(({ name }) => name).sort(), known.sort())
  })

  for (const [name, { most, open }] of Object.entries(mailing))
    it(`gets at most ${most} mails to one address by ${name}`, async () => {
      const target = await victim()
      const send = await open(target)
      for (let i = 0; i < networks; i += 1) {
        const { status, text } = await send(from(i), i)
        assert.ok([200, 202, 429].includes(status), text)
      }
      assert.equal((await mailsTo(target.email)) - target.mails_before, most)
    })

  for (const [name, { path, body }] of Object.entries(silent))
    it(`gets no mail sent by ${name}`, async () => {
      const target = await victim()
      for (let i = 0; i < networks; i += 1) {
        const { status, text } = body
          ? await post(path, body(target), from(i))
          : await registrar.request('GET', path, { headers: from(i) })
        assert.ok(status < 500 && status !== 404, `${status} ${text}`)
      }
      assert.equal(await mailsTo(target.email), target.mails_before)
    })
})

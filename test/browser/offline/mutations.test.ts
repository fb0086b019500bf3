// Requests without a connection, in a real Chromium: each mutation of the dashboard is tried at
// once and fails there. None is kept, to be sent when the connection returns and its dialog is
// gone.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { scopes } from '../../../src/app.ts'
import { newSigningSecret } from '../../../src/capabilities/events/webhooks/sending/signature.ts'
import { newId } from '../../../src/kit/random.ts'
import { skipChromium } from '../../support/chromium.ts'
import { sellElsewhere, soldCode } from '../../support/other-registrar.ts'
import { rowsIn } from '../../support/owner-sql.ts'
import { startService } from '../../support/service.ts'
import { givePassword, ownersPassword, sessionOf } from '../../support/sign-in.ts'
import { openPath } from '../support/dashboard.ts'
import { openDashboard } from '../support/dashboard-browser.ts'
import { agent, coming, held, hooks, mutationRows, type Row } from './mutation-rows.ts'
import { mutationsInCode } from './mutations-in-code.ts'

const registrar = await startService({ worker: false })
const owner = {
  ...(await registrar.customer({ scopes: [...scopes] })),
  password: ownersPassword,
}
const { site, openAs, newVisitor } = await openDashboard(registrar)
const sql = rowsIn(registrar)

async function ask(path: string, body: object, status: number): Promise<void> {
  const answer = await registrar.request('POST', path, { token: owner.key, body })
  assert.equal(answer.status, status, answer.text)
}

/** The objects of the rows. */
before(async () => {
  await givePassword(registrar, owner)
  await sessionOf(registrar, owner)
  await ask('/v1/domains', { domain: held }, 200)
  await makeUnconfirmedChange()
  await ask(`/v1/customers/${owner.id}/api-keys`, { name: agent, scopes: ['domains:read'] }, 201)
  await ask('/v1/support/messages', { body: 'Can you look?' }, 201)
  await sellElsewhere(registrar, coming)
  await ask('/v1/domains/transfer', { domain: coming, auth_code: soldCode }, 200)
  await makeWebhook()
  await makeFailedMail()
})

async function makeUnconfirmedChange(): Promise<void> {
  const sets = [{ host: 'waits', type: 'A', values: ['192.0.2.9'] }]
  const body = { sets, revert_after: 'PT1H' }
  const path = `/v1/domains/${held}/records`
  const answer = await registrar.request('PATCH', path, { token: owner.key, body })
  assert.equal(answer.status, 200, answer.text)
}

async function makeWebhook(): Promise<void> {
  const id = newId('whk')
  const secret = registrar.service.app.encryption.seal(newSigningSecret())
  await sql(
    `insert into webhooks (id, customer_id, url, types, sealed_secret)
     values ($1, $2, 'https://${hooks}/in', '{domain.*}', $3)`,
    [id, owner.id, secret],
  )
  await sql(
    `insert into webhook_deliveries
       (id, webhook_id, customer_id, event_id, event_type, pos, state, attempts, next_at,
        last_attempt_at, last_status, last_error, created_at)
     values ($1, $2, $3, 'evt_' || repeat('0', 26), 'domain.registered', 1, 'failed', 8, now(),
             now(), 503, 'It answered 503.', now())`,
    [newId('dlv'), id, owner.id],
  )
}

async function makeFailedMail(): Promise<void> {
  const id = newId('mail')
  await sql(
    `with key as (insert into mail_dedupe_keys (dedupe_key, mail_id) values ($1, $1)),
          task as (insert into tasks (kind, key, payload, attempts, last_error, dead_at)
                   values ('send_mail', $1, '{}', 130, '550 No such mailbox', now()))
     insert into mails (id, kind, dedupe_key, recipient, subject, body, state, ended_at)
     values ($1, 'expiry_notice', $1, 'ada@example.net', 'It expires', 'Text', 'failed', now())`,
    [id],
  )
}

async function open({ isOfOperator, path, heading }: Row): Promise<Page> {
  if (!isOfOperator) return openAs(owner, { path, heading })
  const page = await newVisitor()
  await openPath(page, `${site}${path}`, 'Log in as an operator')
  await page.getByLabel('Operator key').fill(registrar.operatorKey)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  return page
}

/**
 * The transfer code is read by GET, and it may set a new one. A dry run changes nothing, and counts
 * where it is what the row is about.
 */
const changesOf = (row: Row) => (request: Request) =>
  request.method() === 'GET'
    ? request.url().endsWith('/transfer-auth-code')
    : Boolean(request.postData()?.includes('"dry_run":true')) === (row.isDryRun ?? false)

describe('a mutation', () => {
  it('has a row here, whichever file it is in', () => {
    assert.deepEqual(mutationsInCode(), Object.keys(mutationRows).toSorted())
  })

  for (const [name, row] of Object.entries(mutationRows))
    it(`fails while offline, and is not sent later: ${name}`, { skip: skipChromium }, async () => {
      const page = await open(row)
      const changes = changesOf(row)
      await row.prepare?.(page)
      const sent: string[] = []
      page.on('request', (request) => {
        if (changes(request)) sent.push(`${request.method()} ${request.url()}`)
      })
      await page.context().setOffline(true)
      const failed = page.waitForEvent('requestfailed', { predicate: changes, timeout: 5_000 })
      try {
        await row.send(page)
        await failed
        await page.getByText('The service cannot be reached.').first().waitFor()
        assert.equal(sent.length, 1, sent.join())
      } finally {
        failed.catch(() => undefined)
        await page.context().setOffline(false)
      }
      // A kept request is sent by the event of the connection, before one that is made after it.
      await page.evaluate('fetch("/ready")')
      assert.equal(sent.length, 1, `Sent after the connection returned: ${sent.join()}`)
    })
})

// Idempotence of consent: one submission is one consent, however often the form and the redirect
// are sent.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { filledIn, newOwner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'
import { sharedService } from '../../../test/support/service.ts'
import { systemCall } from '../../capabilities/audit/index.ts'
import { endUnusedGrants } from '../storage/end-unused-grants.job.ts'
import { formIn, isPage, newClient, newVisitor } from './consent.fixture.ts'

const registrar = await sharedService()
const [owner, client] = await Promise.all([newOwner(registrar), newClient(registrar)])
const rows = rowsIn(registrar)
const three = <T>(ask: () => Promise<T>) => Promise.all([ask(), ask(), ask()])

/** The stored consents of an owner. */
async function writtenFor(id: string) {
  const [row] = await rows(
    `select (select count(*)::int from oauth_grants where customer_id = $1) as consents,
            (select count(*)::int from audit_logs
              where customer_id = $1 and action = 'grant_oauth_client') as audited,
            (select count(*)::int from mails
              where customer_id = $1 and kind = 'oauth_grant_made') as mails,
            (select count(*)::int from oauth_models
              where account_id = $1 and model = 'Grant') as grants,
            (select count(*)::int from sessions
              where customer_id = $1 and ended_at is null) as log_ins`,
    [id],
  )
  return row
}

const pathOf = ({ inputs }: ReturnType<typeof formIn>) =>
  `/oauth/authorize?interaction=${inputs.find(({ name }) => name === 'interaction')?.value}`

describe('three concurrent submissions of one form', () => {
  it('are one consent, one row in the audit log, one email, one login and one code', async () => {
    const hasty = await newOwner(registrar)
    const visitor = newVisitor(registrar)
    const { form } = await visitor.consentPage(client.url(), hasty)
    const fields = filledIn(form, hasty, { scopes: ['domains:read'] })
    const answers = await three(() => visitor.submit(fields))
    assert.equal(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size, 1)
    assert.equal(answers[0].status, 303)
    const once = { consents: 1, audited: 1, mails: 1, grants: 1, log_ins: 1 }
    assert.deepEqual(await writtenFor(hasty.id), once)
    const ways = await three(() => visitor.open(answers[0].location ?? ''))
    const codes = ways.flatMap(({ location }) => {
      const code = location && new URL(location).searchParams.get('code')
      return code ? [code] : []
    })
    assert.equal(codes.length, 1)
    for (const way of ways) if (way.status !== 303) isPage(way, 400, /page has expired/)
    const { status } = await client.redeem(codes[0] ?? '')
    assert.equal(status, 200)
    assert.deepEqual(await writtenFor(hasty.id), once)
    // Whichever answer the browser kept last, it is logged in or asks, and nothing fails.
    assert.equal((await visitor.page(client.url())).status, 200)
  })

  it('of a logged-in browser, too', async () => {
    const visitor = newVisitor(registrar)
    const first = await visitor.page(client.url())
    await visitor.leave(await visitor.decide(first.form, owner))
    const before = await writtenFor(owner.id)
    const { form } = await visitor.page(client.url())
    const [answer] = await three(() => visitor.decide(form, owner))
    const ways = await three(() => visitor.open(answer.location ?? ''))
    const led = ways.filter(({ location }) => location?.includes('code='))
    assert.equal(led.length, 1)
    const after = await writtenFor(owner.id)
    assert.deepEqual([after.consents, after.mails], [before.consents + 1, before.mails + 1])
    assert.equal(after.log_ins, 1)
  })

  it('with two accounts are the consent of one of them', async () => {
    const others = await Promise.all([newOwner(registrar), newOwner(registrar)])
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const both = others.map((one) => visitor.submit(filledIn(form, one, {})))
    for (const { status } of await Promise.all(both)) assert.ok([303, 403].includes(status))
    const page = await visitor.open(pathOf(form))
    const [named] = others.filter(({ email }) => page.text.includes(email))
    assert.ok(named)
    await visitor.leave(await visitor.decide(formIn(page), named))
    const written = await Promise.all(others.map(({ id }) => writtenFor(id)))
    assert.deepEqual(written.map(({ consents }) => consents).toSorted(), [0, 1])
  })
})

describe('a decision', () => {
  it('is not undone by a step that another request takes at the same moment', async () => {
    for (const decision of ['allow', 'deny']) {
      const visitor = newVisitor(registrar)
      const { form } = await visitor.consentPage(client.url(), owner)
      const filled = filledIn(form, owner, { scopes: ['domains:read'] })
      const fields = filled.filter(([name]) => name !== 'decision')
      const submit = (pressed: string): Promise<unknown> =>
        visitor.submit([...fields, ['decision', pressed]])
      const steps = Array.from({ length: 4 }, () => submit('show_log_in'))
      await Promise.all([submit(decision), ...steps])
      const page = await visitor.open(pathOf(form))
      assert.doesNotMatch(page.text, /value="allow"/, decision)
    }
  })

  it('for other scopes than the stored consent is refused', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.consentPage(client.url(), owner)
    const allow = (scopes: string[]) => visitor.submit(filledIn(form, owner, { scopes }))
    const both = await Promise.all([
      allow(['domains:read', 'domains:purchase']),
      allow(['domains:read']),
    ])
    // Either the second found the result, or it found the consent of the first.
    for (const seen of both) if (seen.status !== 303) isPage(seen, 400, /page has expired/)
    const led = both.find(({ status }) => status === 303)
    assert.ok(led)
    const code = (await visitor.leave(led)).searchParams.get('code')
    const { body } = await client.redeem(code)
    const refused = both.findIndex(({ status }) => status === 400)
    if (refused === 0) assert.equal(body.scope, 'domains:read')
    if (refused === 1) assert.equal(body.scope, 'domains:read domains:purchase')
  })
})

describe('a consent whose code was not redeemed', () => {
  const endUnused = () =>
    endUnusedGrants.run(registrar.service.app, systemCall(registrar.service.app, 'test'))
  const isOver = async (id: string) => {
    const [row] = await rows('select revoked_at from oauth_grants where id = $1', [id])
    return row.revoked_at !== null
  }
  const later = (id: string) =>
    rows(
      `with g as (update oauth_grants set created_at = created_at - interval '11 minutes'
                   where id = $1)
       update oauth_models set expires_at = expires_at - interval '11 minutes'
        where grant_id = $1 and model <> 'Grant'`,
      [id],
    )

  it('is revoked after ten minutes; others stay, and the browser stays logged in', async () => {
    const visitor = newVisitor(registrar)
    const lost = await newOwner(registrar)
    const ids = async () =>
      (
        await rows('select id from oauth_grants where customer_id = $1 order by created_at', [
          lost.id,
        ])
      ).map(({ id }) => id)
    const allow = async () => {
      const { form } = await visitor.page(client.url())
      return visitor.leave(await visitor.decide(form, lost))
    }
    await allow()
    const redeemed = (await allow()).searchParams.get('code')
    assert.equal((await client.redeem(redeemed)).status, 200)
    const [unused, used] = await ids()
    await endUnused()
    assert.deepEqual([await isOver(unused), await isOver(used)], [false, false])
    await Promise.all([later(unused), later(used)])
    await endUnused()
    assert.deepEqual([await isOver(unused), await isOver(used)], [true, false])
    const [left] = await rows('select count(*)::int as n from oauth_models where grant_id = $1', [
      unused,
    ])
    assert.equal(left.n, 0)
    assert.match((await visitor.page(client.url())).text, /Logged in as/)
  })
})

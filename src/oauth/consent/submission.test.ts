// Submissions of the consent page are only accepted from the page itself, in the browser it was
// shown to.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { untilBlocked } from '../../../test/support/database.ts'
import { filledIn, newOwner } from '../../../test/support/owner.ts'
import { rowsIn } from '../../../test/support/owner-sql.ts'

import { sharedService } from '../../../test/support/service.ts'
import { formIn, isPage, newClient, newVisitor, type Visitor } from './consent.fixture.ts'

const registrar = await sharedService()
const [owner, client] = await Promise.all([newOwner(registrar), newClient(registrar)])
const rows = rowsIn(registrar)
const consents = async () => (await rows('select id from oauth_grants')).length

const uidOf = ({ inputs }: { inputs: { name: string; value: string }[] }) =>
  inputs.find(({ name }) => name === 'interaction')?.value ?? ''

describe('a submission that our page did not send', () => {
  it('changes nothing: another origin, no token, a wrong one, another browser', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const before = await consents()
    const fields = filledIn(form, owner, {})
    const without = fields.filter(([name]) => name !== 'csrf')
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      isPage(await visitor.submit(fields, headers), 403, /not sent from our page/)
    isPage(await visitor.submit(without), 403, /out of date/)
    isPage(await visitor.submit([...without, ['csrf', 'x']]), 403, /out of date/)
    const otherBrowser = newVisitor(registrar)
    isPage(await otherBrowser.submit(fields), 400, /page has expired/)
    const { form: theirs } = await otherBrowser.page(client.url())
    isPage(await otherBrowser.submit(fields), 400, /page has expired/)
    const token = theirs.inputs.find(({ name }) => name === 'csrf')?.value ?? ''
    isPage(await visitor.submit([...without, ['csrf', token]]), 403, /out of date/)
    assert.equal(await consents(), before)
  })

  it('is refused in other forms than that of a form, and without a decision', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const fields = filledIn(form, owner, {})
    const body = new URLSearchParams(fields).toString()
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x'])
      isPage(await visitor.send({ body, headers: { 'content-type': type } }), 415, /cannot be read/)
    const undecided = fields.filter(([name]) => name !== 'decision')
    isPage(await visitor.submit(undecided), 400, /cannot be read/)
    isPage(await visitor.submit([]), 400, /page has expired/)
  })

  it('is refused for a page that is over, or that this browser never began', async () => {
    const visitor = newVisitor(registrar)
    const { form } = await visitor.page(client.url())
    const nothing = '/oauth/authorize?interaction=nothing'
    isPage(await visitor.open(nothing), 400, /page has expired/)
    for (const none of ['', 'x'.repeat(2_000)])
      isPage(await visitor.open(`/oauth/authorize?interaction=${none}`), 400, /page has expired/)
    await visitor.leave(await visitor.decide(form, owner))
    isPage(await visitor.decide(form, owner), 400, /page has expired/)
  })
})

describe('two tabs', () => {
  const codeOf = async (visitor: Visitor, page: Awaited<ReturnType<Visitor['page']>>) => {
    const answer = await visitor.decide(page.form, owner)
    return (await visitor.leave(answer)).searchParams.get('code')
  }

  it('of two programs both lead back, whichever is answered first', async () => {
    const other = await newClient(registrar, { client_name: 'Of the other tab' })
    const visitor = newVisitor(registrar)
    const first = await visitor.page(client.url())
    const second = await visitor.page(other.url())
    assert.match(second.text, /Of the other tab/)
    const again = await visitor.open(`/oauth/authorize?interaction=${uidOf(first.form)}`)
    assert.match(again.text, /Test program/)
    assert.equal((await client.redeem(await codeOf(visitor, first))).status, 200)
    assert.equal((await other.redeem(await codeOf(visitor, second))).status, 200)
    assert.match((await visitor.page(client.url())).text, /Logged in as/)
  })

  it('that open at the same moment stand beside each other', async () => {
    const visitor = newVisitor(registrar)
    const opened = [visitor.open(client.url()), visitor.open(client.url())]
    for (const { location } of await Promise.all(opened)) {
      const page = await visitor.open(location ?? '')
      assert.ok(await codeOf(visitor, { ...page, form: formIn(page) }))
    }
  })

  it('answered for two accounts at the same moment both lead back', async () => {
    const other = await newOwner(registrar)
    const visitor = newVisitor(registrar)
    const [first, second] = [await visitor.page(client.url()), await visitor.page(client.url())]
    const answer = await visitor.decide(first.form, owner)
    assert.ok((await visitor.leave(await visitor.decide(second.form, other))).search)
    assert.ok((await visitor.leave(answer)).searchParams.get('code'))
    assert.ok((await visitor.page(client.url())).text.includes(owner.email))
  })

  it('may be of two accounts: the browser is then logged in to the later one', async () => {
    const other = await newOwner(registrar)
    const visitor = newVisitor(registrar)
    const [first, second] = [await visitor.page(client.url()), await visitor.page(client.url())]
    assert.ok(await codeOf(visitor, first))
    const answer = await visitor.decide(second.form, other)
    assert.ok((await visitor.leave(answer)).searchParams.get('code'))
    assert.ok((await visitor.page(client.url())).text.includes(other.email))
  })

  it('are eight at most: the oldest gets the page that it has expired', async () => {
    const visitor = newVisitor(registrar)
    const pages = []
    for (let tab = 0; tab < 9; tab += 1) pages.push(await visitor.page(client.url()))
    const [oldest, next] = pages
    assert.ok(oldest && next)
    isPage(await visitor.decide(oldest.form, owner), 400, /pages were opened/)
    assert.ok(await codeOf(visitor, next))
    const everywhere = [...visitor.cookies.values()].filter(({ path }) => path === '/')
    const cookies = everywhere.map(({ pair }) => pair).join('; ')
    assert.ok(!cookies.includes(uidOf(oldest.form)) && cookies.length < 1_500, cookies)
  })
})

describe('a password that is changed while its owner consents', () => {
  it('makes the consent void, and leaves nothing of it behind', async () => {
    const hasty = await newOwner(registrar)
    const visitor = newVisitor(registrar)
    const { form } = await visitor.consentPage(client.url(), hasty)
    const changing = new pg.Client({
      connectionString: registrar.service.settings.database_url ?? '',
    })
    await changing.connect()
    await changing.query('begin')
    await changing.query('update passwords set changed_at = now() where customer_id = $1', [
      hasty.id,
    ])
    const before = await consents()
    const answering = visitor.submit(filledIn(form, hasty, {}))
    await untilBlocked(rows)
    await changing.query('commit')
    await changing.end()
    isPage(await answering, 400, /password of this account was just changed/)
    assert.equal(await consents(), before)
    const left = await rows('select model from oauth_models where account_id = $1', [hasty.id])
    assert.deepEqual(left, [])
  })
})

describe('every page', () => {
  it('carries the headers that keep others out', async () => {
    const visitor = newVisitor(registrar)
    const shown = await visitor.page(client.url())
    const pages = [shown, await visitor.open('/oauth/authorize?interaction=x')]
    for (const { headers } of pages) {
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
    }
    const policy = shown.headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes("form-action 'self' http://127.0.0.1:43117;"), policy)
  })
})

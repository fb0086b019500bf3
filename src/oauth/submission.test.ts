// What may submit the consent page: nothing but the page itself, in the browser it was shown to.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { until } from '../../test/contract/scene.ts'
import { filledIn, newOwner } from '../../test/support/owner.ts'
import { rowsIn } from '../../test/support/rows.ts'
import { startService } from '../../test/support/service.ts'
import { isPage, newProgram, newVisitor } from './consent.fixture.ts'

const house = await startService()
const [owner, program] = await Promise.all([newOwner(house), newProgram(house)])
const rows = rowsIn(house)
const consents = async () => (await rows('select id from oauth_grants')).length

describe('a submission that our page did not send', () => {
  it('changes nothing: another origin, no token, a wrong one, another browser', async () => {
    const visitor = newVisitor(house)
    const { form } = await visitor.page(program.url())
    const before = await consents()
    const fields = filledIn(form, owner, {})
    const without = fields.filter(([name]) => name !== 'csrf')
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      isPage(await visitor.submit(fields, headers), 403, /not sent from our page/)
    isPage(await visitor.submit(without), 403, /not the one that we showed you/)
    isPage(await visitor.submit([...without, ['csrf', 'x']]), 403, /not the one that we showed/)
    const stranger = newVisitor(house)
    isPage(await stranger.submit(fields), 400, /no longer good/)
    const { form: theirs } = await stranger.page(program.url())
    isPage(await stranger.submit(fields), 400, /no longer good/)
    const token = theirs.inputs.find(({ name }) => name === 'csrf')?.value ?? ''
    isPage(await visitor.submit([...without, ['csrf', token]]), 403, /not the one that we showed/)
    assert.equal(await consents(), before)
  })

  it('is refused in other forms than that of a form, and without a decision', async () => {
    const visitor = newVisitor(house)
    const { form } = await visitor.page(program.url())
    const fields = filledIn(form, owner, {})
    const body = new URLSearchParams(fields).toString()
    for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x'])
      isPage(await visitor.send({ body, headers: { 'content-type': type } }), 415, /cannot be read/)
    const undecided = fields.filter(([name]) => name !== 'decision')
    isPage(await visitor.submit(undecided), 400, /cannot be read/)
    isPage(await visitor.submit([]), 400, /no longer good/)
  })

  it('is refused on a page that another one has replaced', async () => {
    const visitor = newVisitor(house)
    const first = await visitor.page(program.url())
    await visitor.page(program.url())
    isPage(await visitor.submit(filledIn(first.form, owner, {})), 400, /no longer good/)
    isPage(await visitor.open('/oauth/authorize?interaction=nothing'), 400, /no longer good/)
  })
})

describe('a password that is changed while its owner consents', () => {
  it('makes the consent void, and leaves nothing of it behind', async () => {
    const hasty = await newOwner(house)
    const visitor = newVisitor(house)
    const { form } = await visitor.page(program.url())
    const changing = new pg.Client({ connectionString: house.service.settings.database_url ?? '' })
    await changing.connect()
    await changing.query('begin')
    await changing.query('update passwords set changed_at = now() where customer_id = $1', [
      hasty.id,
    ])
    const before = await consents()
    const answering = visitor.submit(filledIn(form, hasty, {}))
    await until(async () => {
      const [waiting] = await rows('select count(*)::int as locks from pg_locks where not granted')
      return waiting.locks > 0
    })
    await changing.query('commit')
    await changing.end()
    isPage(await answering, 400, /password of the account was just changed/)
    assert.equal(await consents(), before)
    const left = await rows('select model from oauth_models where account_id = $1', [hasty.id])
    assert.deepEqual(left, [])
  })
})

describe('every page', () => {
  it('carries the headers that keep others out', async () => {
    const visitor = newVisitor(house)
    const shown = await visitor.page(program.url())
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

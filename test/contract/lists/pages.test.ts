// Every list with a cursor, as the catalog has them: its pages together are the whole list, and a
// cursor that it did not give is 422 with the hint to begin again.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Operation } from '../../../src/app.ts'
import { operations } from '../../../src/catalog.ts'
import { type Answer, startService } from '../../support/service.ts'
import { examples, send } from '../support/examples.ts'
import { type Example, must, openFixture } from '../support/fixture.ts'
import { pageSeeds } from './page-seeds.ts'

const fixture = await openFixture(await startService())

const lists = operations.filter(({ takes }) => 'cursor' in Object(takes).properties)

const id = '01kc8v3w6qf9t2x5y7z8a4b3c2'
/** The forms of cursors before all lists had one, and texts that never were a cursor. */
const foreign = [
  ...['1234', '0', '9223372036854775807', '12-34', `1764000000000-cus_${id}`, 'processor/cs_1'],
  ...[`ord_${id}`, `mail_${id}`, `chk_${id}`, `ctp_${id}`, `dlv_${id}`, `apr_${id}`, id],
  ...['my-agent.com', '2027-05-01T10:00:00.000Z/my-agent.com'],
  ...['x', '-1', 'null', '[]', '٣', 'a b', 'x'.repeat(3_000)],
  ...['c1_', 'c1_AAAA', `c1_${'A'.repeat(40)}`],
]

type Query = Record<string, string>

/** The call of the list's example, with further entries in the list. */
async function seeded({ at, name }: Operation): Promise<(query: Query) => Promise<Answer>> {
  const one = examples[at]
  assert.ok(one, `${at} has no example`)
  const example: Example = await one.make(fixture)
  const seed = pageSeeds[name] ?? one.make
  for (let i = 0; i < 3; i += 1) await seed(fixture, example)
  const operator = fixture.registrar.operatorKey
  const token = one.access === 'operator' ? operator : (example.session ?? fixture.key)
  const { limit: _limit, wait: _wait, look: _look, ...filters } = example.query ?? {}
  return (query) =>
    send(fixture, at, { token, example: { ...example, query: { ...filters, ...query } } })
}

const entry_lists: Readonly<Record<string, string>> = { get_runway: 'domains' }

/** Each entry of a page, as the text of it that is the same on every page. */
function entriesOf(name: string, body: object): string[] {
  const arrays = Object.entries(body).filter(([, value]) => Array.isArray(value))
  const [, entries] = arrays.find(([key]) => key === entry_lists[name]) ?? arrays[0] ?? []
  assert.ok(Array.isArray(entries), JSON.stringify(body))
  return entries.map(({ id, order_id, payment_id, domain, customer_id }) =>
    String(id ?? order_id ?? payment_id ?? domain ?? customer_id),
  )
}

for (const operation of lists)
  describe(operation.name, async () => {
    const call = await seeded(operation)

    it('gives each entry once, in order, over its pages', async () => {
      const { body } = await must(call({ limit: '500' }))
      const whole = entriesOf(operation.name, body)
      assert.ok(whole.length > 2, `${whole.length} entries`)
      for (const limit of ['1', '2', '3']) {
        const paged = await entriesOfAllPages(limit)
        assert.equal(new Set(paged).size, paged.length, 'an entry comes twice')
        const isOfBefore = (one: string) => whole.includes(one)
        assert.deepEqual(paged.filter(isOfBefore), whole)
      }
    })

    async function entriesOfAllPages(limit: string): Promise<string[]> {
      const found: string[] = []
      for (let cursor: Query = {}; ; ) {
        const { body } = await must(call({ limit, ...cursor }))
        const entries = entriesOf(operation.name, body)
        assert.ok(entries.length <= Number(limit))
        found.push(...entries)
        const { next_cursor, has_more = true } = body
        if (next_cursor === null || has_more === false) return found
        assert.notEqual(next_cursor, cursor.cursor)
        cursor = { cursor: next_cursor }
      }
    }

    it('refuses any other cursor with the hint to begin again', async () => {
      for (const cursor of foreign) {
        const { status, body, text } = await call({ cursor })
        assert.equal(status, 422, `${cursor}: ${text}`)
        const msg =
          'Input should be a next_cursor of this list: to begin again, leave out the cursor'
        const line = { loc: ['query', 'cursor'], msg, type: 'string_pattern_mismatch' }
        assert.deepEqual(body.detail, [line])
      }
    })
  })

it('a cursor of one list is refused by every other one', async () => {
  const seen = new Set<string>()
  for (const operation of lists) {
    const call = await seeded(operation)
    const { body } = await must(call({ limit: '1' }))
    for (const cursor of seen)
      assert.equal((await call({ cursor })).status, 422, `${operation.name}: ${cursor}`)
    if (body.next_cursor !== null) seen.add(body.next_cursor)
  }
  assert.equal(seen.size, lists.length)
})

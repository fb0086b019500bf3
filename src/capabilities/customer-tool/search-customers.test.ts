// The search for customers: literal filters and the edges of paging.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../../../test/support/service.ts'
import { at, toolService } from './tool-service.fixture.ts'

const { get, tag, customerWith } = await toolService()
const search = async (query: Record<string, string>) => {
  const answer = await get(`${at}?${new URLSearchParams(query)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const idsOf = ({ customers }: Answer['body']): string[] =>
  customers.map(({ id }: { id: string }) => id)

describe('the search', () => {
  test('finds a part of the id, address, name or company, in any case', async () => {
    const id = await customerWith({
      name: `Ångström ${tag} & Söhne`,
      company_name: `ΣΊΣΥΦΟΣ ${tag} ЖУК`,
      email: `Mixed.Case+${tag}@example.net`,
    })
    const parts = [
      ...[id, id.slice(5), id.toUpperCase(), `mixed.case+${tag}`, `MIXED.CASE+${tag}@EXAMPLE`],
      ...[`ångström ${tag}`, `ÅNGSTRÖM ${tag}`, `SÖHNE`, `${tag} жук`, `σίσυφοσ ${tag}`],
    ]
    for (const q of parts) assert.ok(idsOf(await search({ q, limit: '200' })).includes(id), q)
    assert.deepEqual(idsOf(await search({ q: `${tag} & Sohne` })), [], 'accents count')
  })

  test('takes wildcards, quotes and other characters literally', async () => {
    const odd = [
      ...['%', '_', '\\', '\\%', '\\_', '%%', '*', '?', '.', '^', '$', '[a-z]', '(', '|', '+'],
      ...["'", "''", '"', '`', ';', '--', '/*', '$1', ':q', '\t', '\n', '\u007f', '\u00a0'],
      ...['\u200b', '\u202e', '\ufeff', '\uffff', '😀', '👩‍👩‍👧', 'e\u0301', '{}', '&amp;', '%25'],
    ]
    const ids = new Map<string, string>()
    for (const text of odd) ids.set(text, await customerWith({ name: `<${tag}${text}${tag}>` }))
    for (const [text, id] of ids) {
      const found = idsOf(await search({ q: `${tag}${text}${tag}` }))
      assert.deepEqual(found, [id], JSON.stringify(text))
    }
  })

  test('agrees with a substring search in code, for random parts of random names', async () => {
    const signs = fc.constantFrom(...'aB%_\\\'"é.Ж😀 '.split(/(?:)/u))
    const names = fc.sample(fc.string({ unit: signs, minLength: 1, maxLength: 8 }), {
      numRuns: 20,
      seed: 7,
    })
    const rows = new Map<string, string>()
    for (const name of names) rows.set(await customerWith({ name: `${tag}${name}` }), name)
    const parts = fc.string({ unit: signs, minLength: 1, maxLength: 3 })
    const folded = (text: string) => text.toLowerCase()
    await fc.assert(
      fc.asyncProperty(parts, async (part) => {
        const found = idsOf(await search({ q: `${tag}${part}`, limit: '200' }))
        const expected = [...rows].filter(([, name]) => folded(name).startsWith(folded(part)))
        const own = found.filter((id) => rows.has(id))
        assert.deepEqual(own.sort(), expected.map(([id]) => id).sort(), JSON.stringify(part))
      }),
      { numRuns: 40, seed: 11 },
    )
  })
})

describe('its filters', () => {
  test('find an exact address in any case, and no part of one', async () => {
    const email = `Exact.${tag}@example.net`
    const id = await customerWith({ email })
    for (const asked of [email, email.toLowerCase(), email.toUpperCase()])
      assert.deepEqual(idsOf(await search({ email: asked })), [id])
    for (const asked of [email.slice(1), `${email}x`, `%${tag}%`, `exact_${tag}@example.net`])
      assert.deepEqual(idsOf(await search({ email: asked })), [])
  })

  test('are combined, newest first', async () => {
    const both = `${tag}both`
    const active = await customerWith({ name: both })
    const closed = await customerWith({ name: both, status: 'closed', email: `${both}@a.example` })
    assert.deepEqual(idsOf(await search({ q: both })).sort(), [active, closed].sort())
    assert.deepEqual(idsOf(await search({ q: both, status: 'closed' })), [closed])
    assert.deepEqual(idsOf(await search({ q: both, status: 'CLOSED' })), [])
    const email = `${both}@a.example`
    assert.deepEqual(idsOf(await search({ email, q: both, status: 'closed' })), [closed])
    assert.deepEqual(idsOf(await search({ email, status: 'active' })), [])
    assert.deepEqual(idsOf(await search({ email, q: 'no such' })), [])
  })

  test('page without a gap or a repeat', async () => {
    const paged = `${tag}paged`
    const ids: string[] = []
    for (let i = 0; i < 5; i += 1) ids.push(await customerWith({ name: paged }))
    const found: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Answer['body'] = await search({ q: paged, limit: '2', offset: String(offset) })
      assert.equal(page.limit, 2)
      found.push(...idsOf(page))
      offset = page.next_offset
    }
    assert.deepEqual(found, ids.toSorted().toReversed())
    assert.equal((await search({ q: paged, limit: '5' })).next_offset, null)
  })
})

/** Each with the field that is wrong; without one, it is accepted. */
const edges: readonly [query: string, wrong: string | null][] = [
  ['', null],
  ['limit=1', null],
  ['limit=200', null],
  ['limit=0', 'limit'],
  ['limit=201', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=%2B5', 'limit'],
  ['limit=5.0', 'limit'],
  ['limit=0x10', 'limit'],
  ['limit=1e1', 'limit'],
  ['limit=05', 'limit'],
  ['limit=', 'limit'],
  ['limit=%EF%BC%91', 'limit'],
  ['limit=1&limit=999999', 'limit'],
  ['limit[]=5', 'limit[]'],
  ['offset=0', null],
  ['offset=9007199254740993', null],
  ['offset=9223372036854775807', null],
  ['offset=9223372036854775808', 'offset'],
  ['offset=18446744073709551616', 'offset'],
  ['offset=-1', 'offset'],
  ['offset=-9223372036854775809', 'offset'],
  ['offset=%2B5', 'offset'],
  ['offset=5.0', 'offset'],
  ['offset=00', 'offset'],
  ['offset=1&offset=2', 'offset'],
  [`q=${'x'.repeat(200)}`, null],
  [`q=${'%F0%9F%98%80'.repeat(200)}`, null],
  ['q=', 'q'],
  [`q=${'x'.repeat(201)}`, 'q'],
  ['q=a&q=b', 'q'],
  ['q=%00', 'q'],
  ['email=a@b', null],
  [`email=${'x'.repeat(320)}`, null],
  ['email=ab', 'email'],
  [`email=${'x'.repeat(321)}`, 'email'],
  ['email=a@b&email=c@d', 'email'],
  ['status=x', null],
  [`status=${'x'.repeat(32)}`, null],
  ['status=', 'status'],
  [`status=${'x'.repeat(33)}`, 'status'],
  ['order=asc', 'order'],
]

for (const [query, wrong] of edges)
  test(`?${query.slice(0, 60)} is ${wrong === null ? 'accepted' : `refused for ${wrong}`}`, async () => {
    const { status, body, text } = await get(`${at}?${query}`)
    if (wrong === null) return assert.equal(status, 200, text)
    assert.equal(status, 422, text)
    assert.deepEqual(
      body.detail.map(({ loc }: { loc: string[] }) => loc),
      [['query', wrong]],
    )
  })

test('the greatest offset is a page with nothing on it', async () => {
  const page = await search({ offset: '9223372036854775807' })
  assert.deepEqual([page.customers, page.next_offset], [[], null])
})

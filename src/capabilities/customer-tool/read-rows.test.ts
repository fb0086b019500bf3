// Rows: exact values in a stable order, and unknown columns are refused.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databaseService } from './database-service.fixture.ts'

const { owner, get, ok, rowsOf } = await databaseService()

const edges: readonly [query: string, ...at: (string | number)[]][] = [
  ['limit=0', 'limit'],
  ['limit=501', 'limit'],
  ['limit=%2B5', 'limit'],
  ['limit=5.0', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['offset=-1', 'offset'],
  ['offset=9223372036854775808', 'offset'],
  ['offset=1e3', 'offset'],
  ['order_by=', 'order_by', 0],
  ['order_by=nope', 'order_by', 0],
  ['order_by=secret', 'order_by', 0],
  ['order_by=-secret', 'order_by', 0],
  ['order_by=js', 'order_by', 0],
  ['order_by=place', 'order_by', 0],
  ['order_by=id&order_by=id', 'order_by', 1],
  ['order_by=id&order_by=-id', 'order_by', 1],
  ['order_by=ID', 'order_by', 0],
  ['order_by="id"', 'order_by', 0],
  ['order_by=id%20desc', 'order_by', 0],
  ['order_by=id,t', 'order_by', 0],
  ['order_by=id;select 1', 'order_by', 0],
  ['order_by=(select 1)', 'order_by', 0],
  ['order_by=1', 'order_by', 0],
  ['order_by=--id', 'order_by', 0],
  ['order_by=ctid', 'order_by', 0],
  ['order_by=tableoid', 'order_by', 0],
  [`order_by=${'x'.repeat(201)}`, 'order_by', 0],
  [Array.from({ length: 33 }, () => 'order_by=id').join('&'), 'order_by'],
  ['where=1', 'where'],
]

describe('the rows', () => {
  test('have each value as exact text, in the order of the columns', async () => {
    const { columns, hidden_columns, rows } = await rowsOf('every_type', 'order_by=-id&limit=1')
    assert.deepEqual(
      Object.keys(rows[0]),
      columns.map(({ name }: { name: string }) => name),
    )
    assert.deepEqual(hidden_columns, ['secret'])
    assert.deepEqual(columns[2], { name: 'i8', type: 'bigint' })
    assert.deepEqual(rows, [
      {
        id: '9223372036854775807',
        i2: '-32768',
        i8: '-9223372036854775808',
        n: `0.${'0'.repeat(399)}1`,
        f8: '0.1',
        b: 'true',
        t: 'line\n"two"\t\\',
        c: 'x',
        raw: '\\x00ff10',
        js: '{"a":1,"a":2, "n":12345678901234567890.10}',
        jsb: '{"n": 12345678901234567890.10}',
        at: '2026-11-22 21:34:05.123456+00',
        local_at: '0044-03-15 12:00:00 BC',
        day: 'infinity',
        clock: '24:00:00',
        span: 'P1M-3DT4H5M6.7S',
        span_of: '[1,10)',
        spans: '{["2026-01-01 00:00:00+00","2026-02-01 00:00:00+00")}',
        words: '{"a,b","NULL",NULL,""}',
        grid: '{{1,2},{3,NULL}}',
        moods: '{glad,sad}',
        m: 'sad',
        u: '0b8f9e9e-7d5c-4b7e-9d0b-5b3f0a2c1d4e',
        ip: '2001:db8::1/64',
        x: '18446744073709551615',
        place: '(1,2)',
        'odd "name;--': null,
      },
    ])
  })
})

describe('their order', () => {
  const idsBy = async (query: string) =>
    (await rowsOf('every_type', query)).rows.map(({ id }: { id: string }) => Number(id))

  test('is the primary key, as its type and not as text', async () => {
    const most = Number(9223372036854775807n)
    assert.deepEqual(await idsBy(''), [2, 9, 10, most])
    assert.deepEqual(await idsBy('order_by=-id'), [most, 10, 9, 2])
    assert.deepEqual(await idsBy('order_by=t'), [most, 2, 9, 10])
    assert.deepEqual(await idsBy('order_by=-t&order_by=-id'), [10, 9, 2, most])
    const odd = encodeURIComponent('odd "name;--')
    assert.deepEqual(await idsBy(`order_by=${odd}`), [2, 9, 10, most])
    const { order_by } = await rowsOf('every_type', 'order_by=t&order_by=-n')
    assert.deepEqual(order_by, ['t', '-n', 'id'])
  })

  test('is that of a composite key, and without a key all columns', async () => {
    const { order_by } = await rowsOf('tld_prices')
    const { primary_key } = await ok('tables/tld_prices')
    assert.deepEqual(order_by, primary_key)
    assert.ok(order_by.length > 1)
    const plain = await rowsOf('no_key')
    assert.deepEqual(plain.order_by, ['kind', 'at'])
    assert.deepEqual(
      plain.rows.map(({ kind, at }: Record<string, string>) => `${kind} ${at}`),
      ['a 2026-01-01', 'a 2026-01-02', 'b 2026-01-02'],
    )
    const hiddenKey = await rowsOf('oauth_models')
    assert.ok(!hiddenKey.order_by.includes('id_hash'))
    await rowsOf('ledger_entries')
    await rowsOf('ledger_trial_balance')
  })
})

describe('their pages', () => {
  test('have the limit, to the last', async () => {
    const first = await rowsOf('every_type', 'limit=3')
    assert.deepEqual([first.rows.length, first.next_offset], [3, 3])
    const second = await rowsOf('every_type', 'limit=3&offset=3')
    assert.deepEqual([second.rows.length, second.next_offset], [1, null])
    assert.equal((await rowsOf('every_type', 'limit=4')).next_offset, null)
    for (const offset of ['4', '9007199254740993', '9223372036854775807']) {
      const { rows, next_offset } = await rowsOf('every_type', `offset=${offset}`)
      assert.deepEqual([rows, next_offset], [[], null])
    }
  })

  for (const [query, ...path] of edges)
    test(`?${query.slice(0, 60)} is refused`, async () => {
      const { status, body, text } = await get(`tables/every_type/rows?${query}`)
      assert.equal(status, 422, text)
      assert.deepEqual(body.detail[0].loc, ['query', ...path])
      assert.doesNotMatch(text, /syntax|operator|from |relation/i)
    })

  test('limit=500 is taken', async () => {
    assert.equal((await rowsOf('every_type', 'limit=500')).limit, 500)
  })
})

test('a reading of rows is audited with its table and its query, and not its rows', async () => {
  await rowsOf('every_type', 'order_by=-id&limit=2')
  const { rows } = await owner.query(
    `select * from audit_logs where action = 'read_database_rows' order by id desc limit 1`,
  )
  const [row] = rows
  assert.deepEqual(
    [row.actor_type, row.entry_point, row.target_type, row.target, row.customer_id],
    ['operator', 'internal', 'table', 'public.every_type', null],
  )
  const asked = { order_by: ['-id'], limit: 2, offset: 0 }
  assert.deepEqual(row.metadata, { asked, rows: 2 })
})

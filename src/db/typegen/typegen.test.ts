// The types that are made of statements, column by column, and the statements that cannot have any.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { newDatabase, type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { numberParameters } from '../named-parameters.ts'
import { typeParsers } from '../postgres/column-types.ts'
import { type Declared, json, type StatementOptions, statement } from '../statement.ts'
import { of } from '../things.fixture.ts'
import { describeAll, type Field } from './describe.ts'
import { placeOf, render } from './typegen.ts'

let client: pg.Client
before(async () => {
  client = new pg.Client({ connectionString: await newDatabase('template0'), types: typeParsers })
  await client.connect()
  await client.query(`
    create domain label as text check (length(value) < 64);
    create type colour as enum ('red', 'green');
    create table parents (id bigint primary key, name text not null, note text);
    create table many (
      id int not null, big int8 not null, price numeric not null, day date not null,
      at timestamptz not null, facts jsonb not null, raw bytea not null, yes bool not null,
      words text[] not null, ids int8[] not null, address inet not null, code uuid not null,
      version xid8 not null, title label not null, tint colour not null, lasts interval not null,
      times timestamptz[] not null, share float8 not null, parent_id bigint
    )`)
})
after(() => client.end())

function declare(source: string, options: StatementOptions = {}): Declared {
  return { name: 'one', source, ...numberParameters(source), options }
}

async function typesOf(text: string, options: StatementOptions = {}) {
  const { described, errors } = await describeAll(client, [declare(text, options)])
  if (errors[0]) throw errors[0]
  const [one] = described
  const typed = ({ name, type, nullable }: Field) => `${name}: ${type}${nullable ? ' | null' : ''}`
  return { params: one?.params.map(typed), row: one?.row.map(typed) }
}

describe('columns', () => {
  test('have the type that their parser gives', async () => {
    const { row } = await typesOf('select * from many')
    assert.deepEqual(row, [
      ...['id: number', 'big: bigint', 'price: string', 'day: string', 'at: Date', 'facts: Json'],
      ...['raw: Buffer', 'yes: boolean', 'words: string[]', 'ids: bigint[]', 'address: string'],
      ...['code: string', 'version: string', 'title: string', 'tint: string', 'lasts: string'],
      ...['times: Date[]', 'share: number', 'parent_id: bigint | null'],
    ])
  })

  test('come at run time as those types say', async () => {
    const { rows } = await client.query(
      `insert into many values (1, 2, 0.10, '2026-11-21', '2026-11-21 05:07:39.25+02',
         '{"a": [1]}', '\\x00ff',
         true, '{a,"b,c"}', '{9007199254740993}', '::1', '0190a5f0-0000-7000-8000-000000000000',
         '7', 'x', 'red', '1 day', array['2026-11-21 00:00+00'::timestamptz], 0.5, null)
       returning *`,
    )
    assert.deepEqual(rows[0], {
      ...{ id: 1, big: 2n, price: '0.10', day: '2026-11-21' },
      ...{ at: new Date('2026-11-21T03:07:39.250Z'), facts: { a: [1] } },
      ...{ raw: Buffer.from([0, 255]), yes: true, words: ['a', 'b,c'], ids: [9007199254740993n] },
      ...{ address: '::1', code: '0190a5f0-0000-7000-8000-000000000000', version: '7' },
      ...{ title: 'x', tint: 'red', lasts: '1 day', times: [new Date('2026-11-21T00:00:00Z')] },
      ...{ share: 0.5, parent_id: null },
    })
  })

  test('may be null where an expression, an outer join or a union may make them so', async () => {
    assert.deepEqual((await typesOf('select name, count(*) from parents group by name')).row, [
      'name: string',
      'count: bigint | null',
    ])
    const counted = await typesOf('select count(*) from parents', { not_null: ['count'] })
    assert.deepEqual(counted.row, ['count: bigint'])
    const joined = 'select m.id, p.name from many m left join parents p on p.id = m.parent_id'
    assert.deepEqual((await typesOf(joined)).row, ['id: number | null', 'name: string | null'])
    assert.deepEqual((await typesOf(joined, { not_null: ['id'] })).row, [
      'id: number',
      'name: string | null',
    ])
    const union = await typesOf('select name from parents union all select null')
    assert.deepEqual(union.row, ['name: string | null'])
    const inner = await typesOf('select (select name from parents where id = 1) as name')
    assert.deepEqual(inner.row, ['name: string | null'])
    const through = await typesOf(
      'with found as (select id, note from parents) select * from found',
    )
    assert.deepEqual(through.row, ['id: bigint', 'note: string | null'])
  })

  test('of a change are what it returns', async () => {
    const update = `update parents set note = :note where id = :id`
    assert.deepEqual(await typesOf(`${update} returning name`, { nullable: ['note'] }), {
      params: ['note: string | null', 'id: bigint'],
      row: ['name: string'],
    })
    assert.deepEqual(await typesOf(update), { params: ['note: string', 'id: bigint'], row: [] })
  })
})

describe('parameters', () => {
  test('take lists and JSON as PostgreSQL wants them', async () => {
    const text =
      'select :facts::jsonb as facts, :ids::int8[] as ids, :words::text[] as words, ' +
      ':raw::bytea as raw'
    assert.deepEqual((await typesOf(text)).params, [
      'facts: Jsonb',
      'ids: readonly (bigint | null)[]',
      'words: readonly (string | null)[]',
      'raw: Buffer',
    ])
    const list = [1, 'two', null, { three: [] }]
    const values = [json(list), [1n, 2n], ['a"b', 'c,d\\'], Buffer.from('x')]
    const { rows } = await client.query(numberParameters(text).text, values)
    assert.deepEqual(rows[0], {
      facts: list,
      ids: [1n, 2n],
      words: ['a"b', 'c,d\\'],
      raw: Buffer.from('x'),
    })
  })

  test('an array with a NULL in it is refused at run time, as its type cannot say so', async () => {
    await assert.rejects(client.query(`select array['a', null]`), /An array with a NULL in it/)
  })
})

describe('refused', () => {
  const refused: [string, StatementOptions, RegExp][] = [
    ['select nme from parents', {}, /column "nme" does not exist/],
    ['select 1', {}, /A column has no name/],
    ['select id, id from parents', {}, /Two columns are named "id"/],
    ['select id from parents', { not_null: ['name'] }, /not_null names "name"/],
    ['select id from parents where id = :id', { nullable: ['name'] }, /nullable names :name/],
    ['select now()::timestamp as at', {}, /Column "at" has type timestamp, .* cast it/],
    ['select point(:x, :y) as at', {}, /has type point/],
  ]
  for (const [text, options, words] of refused) {
    test(`${text} ${JSON.stringify(options)}`, async () => {
      await assert.rejects(typesOf(text, options), words)
    })
  }

  test('with the place of the failing character in its file', async () => {
    const text = 'select id, :a_parameter::int as one,\n    nme from parents'
    const { errors } = await describeAll(client, [{ ...declare(text), name: 'wrong' }])
    const file = `// first line\nconst wrong = statement('wrong', \`${text}\`)\n`
    assert.ok(errors[0])
    assert.equal(placeOf(errors[0], new Map([['src/a/store.ts', file]])), 'src/a/store.ts:3:5')
  })

  test('a name that is taken or no name', () => {
    assert.throws(() => statement('things_of', of.text), /"things_of" is declared twice/)
    // @ts-expect-error a name that no generated type knows
    assert.throws(() => statement('Things-Of', of.text), /needs a name in lower snake case/)
  })
})

describe('identifiers', () => {
  before(() =>
    client.query(`create table orders (
      id text primary key, customer_id text not null, amount numeric not null, domain text)`),
  )

  test('have the types of their nouns, by column and by name', async () => {
    const text = `select id, id as shown, customer_id as owner, domain, amount from orders
      where customer_id = :customer_id and id = any (:order_ids) and domain = :domain`
    assert.deepEqual(await typesOf(text), {
      params: [
        'customer_id: CustomerId',
        'order_ids: readonly (string | null)[]',
        'domain: DomainName',
      ],
      row: [
        'id: OrderId',
        'shown: OrderId',
        'owner: CustomerId',
        'domain: DomainName | null',
        'amount: string',
      ],
    })
  })

  test('that a parameter names by its column are of the table of the statement', async () => {
    const typed = async (name: string, text: string) =>
      (await describeAll(client, [{ ...declare(text), name }])).described[0]?.params[0]?.type
    const byId = 'select amount from orders where id = :id'
    assert.equal(await typed('orders_amount', byId), 'OrderId')
    assert.equal(await typed('receipts_amount', byId), 'string')
    assert.equal(await typed('orders_first', 'select 1 as one where 1 = :id::bigint'), 'bigint')
  })
})

describe('the generated file', () => {
  test('is the same for the same statements, and sorted as they come', async () => {
    const id = { name: 'id', type: 'bigint', nullable: false }
    const described = [
      { name: 'a', params: [id], row: [{ name: 'b c', type: 'Date', nullable: true }] },
      { name: 'd', params: [], row: [] },
    ]
    assert.equal(render(described), render(structuredClone(described)))
    assert.match(
      render(described),
      / {2}a: \{\n {4}params: \{ id: bigint \}\n {4}row: \{\n {6}"b c": Date \| null\n/,
    )
    assert.match(
      render(described),
      / {4}params: Record<string, never>\n {4}row: Record<string, never>\n/,
    )
  })

  test('types fit a migrated database that the service opens', async () => {
    const own: TestDatabase = await testDatabase()
    await own.query(`create table things (name text, amount bigint)`)
    assert.equal(await own.database.maybe(of, { name: 'x' }), undefined)
  })
})

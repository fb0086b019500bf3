// Schemas and tables: only names of the catalog are accepted, and secret columns are only named.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databaseService, role } from './database-service.fixture.ts'

const { owner, get, ok, rowsOf } = await databaseService()

describe('the schemas and tables', () => {
  test('are those that are open, and no catalog of the system', async () => {
    const { schemas } = await ok('schemas')
    assert.deepEqual(
      schemas.map(({ name }: { name: string }) => name),
      ['public'],
    )
    const { schema, tables } = await ok('tables')
    assert.equal(schema, 'public')
    assert.equal(tables.length, schemas[0].tables)
    const names: string[] = tables.map(({ name }: { name: string }) => name)
    for (const name of ['customers', 'orders', 'audit_logs', 'ledger_entries', 'every_type'])
      assert.ok(names.includes(name), name)
    for (const name of ['ungranted', 'theirs', 'audit_logs_default', 'pg_class'])
      assert.ok(!names.includes(name), name)
    assert.deepEqual(await ok('tables?schema=public'), { schema, tables })
  })

  test('are 404 where they are closed, absent, or no name at all', async () => {
    const schemas = [
      'pg_catalog',
      'information_schema',
      'pg_toast',
      'other',
      'nope',
      'PUBLIC',
      '"public"',
    ]
    for (const schema of [
      ...schemas,
      '"public"',
      "public'--",
      'public;select 1',
      ' public',
      'x'.repeat(200),
    ]) {
      const query = new URLSearchParams({ schema })
      for (const path of [
        `tables?${query}`,
        `tables/customers?${query}`,
        `tables/customers/rows?${query}`,
      ]) {
        const { status, body, text } = await get(path)
        assert.deepEqual([status, body.code], [404, 'schema_not_found'], path)
        assert.doesNotMatch(text, /select|relation|syntax|pg_/i)
      }
    }
    const tables = ['nope', 'ungranted', 'theirs', 'pg_class', 'audit_logs_default', 'CUSTOMERS']
    const odd = ['public.customers', '"customers"', "customers'", 'customers;--', '*', '%', '../x']
    for (const table of [...tables, ...odd, 'x'.repeat(200)]) {
      const name = encodeURIComponent(table)
      for (const path of [`tables/${name}`, `tables/${name}/rows`]) {
        const { status, body } = await get(path)
        assert.deepEqual([status, body.code], [404, 'table_not_found'], path)
      }
    }
    for (const path of [`tables/${'x'.repeat(201)}`, 'tables?schema=', 'tables?schema=a&schema=b'])
      assert.equal((await get(path)).status, 422, path)
  })
})

describe('a table', () => {
  test('has its columns, hidden ones by name alone, and its indexes', async () => {
    const table = await ok('tables/every_type')
    assert.deepEqual([table.name, table.kind, table.partitions], ['every_type', 'table', null])
    assert.deepEqual([table.description, table.primary_key], ['A table of a test.', ['id']])
    const columnOf = (name: string) =>
      table.columns.find((one: { name: string }) => one.name === name)
    const n = {
      name: 'n',
      type: 'numeric',
      nullable: true,
      hidden: false,
      description: 'Any number.',
    }
    assert.deepEqual(columnOf('n'), n)
    assert.deepEqual(columnOf('id').nullable, false)
    assert.deepEqual(columnOf('moods').type, 'mood[]')
    assert.deepEqual(columnOf('secret').hidden, true)
    const [primary, words] = table.indexes
    assert.deepEqual([primary.primary, primary.unique, primary.columns], [true, true, ['id']])
    assert.deepEqual([words.columns, words.condition], [['lower(t)', 'n'], 'b'])
    const keys = await ok('tables/api_keys')
    const hidden = keys.columns.filter((one: { hidden: boolean }) => one.hidden)
    assert.deepEqual(
      hidden.map((one: { name: string }) => one.name),
      ['key_hash'],
    )
  })

  test('has no estimate of its rows before the database counts', async () => {
    const before = await ok('tables/every_type')
    await owner.query('analyze every_type; analyze audit_logs')
    const after = await ok('tables/every_type')
    assert.deepEqual([before.estimated_rows, after.estimated_rows], [null, 4])
    const partitioned = await ok('tables/audit_logs')
    assert.equal(partitioned.kind, 'partitioned_table')
    assert.ok(partitioned.partitions >= 5 && partitioned.estimated_rows > 0)
    assert.equal((await ok('tables/ledger_entries')).kind, 'view')
  })
})

describe('every table that can be inspected', async () => {
  const { tables } = await ok('tables')
  test('is read, and by each column that has an order', async () => {
    assert.ok(tables.length > 70)
    for (const { name } of tables) {
      const { columns, hidden_columns } = await rowsOf(name, 'limit=2')
      const described = await ok(`tables/${name}`)
      assert.equal(described.columns.length, columns.length + hidden_columns.length)
      for (const column of columns.slice(0, 3)) {
        const { status } = await get(
          `tables/${name}/rows?limit=1&order_by=-${encodeURIComponent(column.name)}`,
        )
        assert.ok([200, 422].includes(status), `${name} ${column.name}`)
        if (!/^json$|point/.test(column.type)) assert.equal(status, 200, `${name} ${column.name}`)
      }
    }
  })
})

test('a query that takes longer than two seconds is ended, with a hint', async () => {
  await owner.query(`
    create function dawdle(int) returns int language plpgsql
      as 'begin perform pg_sleep(3); return $1; end';
    create view dawdling with (security_invoker) as select dawdle(id) as id from slow;
    grant select on dawdling to ${role}; grant execute on function dawdle to ${role}`)
  const started = performance.now()
  const { status, body, headers: got, text } = await get('tables/dawdling/rows')
  const took_ms = performance.now() - started
  assert.deepEqual([status, body.code, body.retryable], [503, 'query_timed_out', true], text)
  assert.ok(took_ms > 1_500 && took_ms < 10_000, `${took_ms} ms`)
  assert.equal(got.get('retry-after'), '2')
  assert.match(body.next_action.hint, /limit/)
  assert.doesNotMatch(text, /select|statement timeout|dawdle\(/)
  await rowsOf('every_type')
})

test('a table that is locked is 503, and never waits long', async () => {
  await owner.query('begin; lock table slow in access exclusive mode')
  const { status, body } = await get('tables/slow/rows')
  await owner.query('rollback')
  assert.deepEqual([status, body.code], [503, 'query_timed_out'])
  assert.equal((await rowsOf('slow')).rows.length, 2)
})

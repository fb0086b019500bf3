// A service with tables of every kind of column, without a key, and closed ones.
import assert from 'node:assert/strict'
import pg from 'pg'
import { customerToolKey } from '../../../test/support/node.ts'
import { type Answer, startService } from '../../../test/support/service.ts'

export const role = 'agent_registrar_inspector'
const headers = { 'x-customer-tool-key': customerToolKey }

const tables = `
  create type mood as enum ('glad', 'sad');
  create table every_type (
    id bigint primary key, i2 smallint, i8 bigint, n numeric, f8 float8, b boolean, t text,
    c "char", raw bytea, js json, jsb jsonb, at timestamptz, local_at timestamp, day date,
    clock time, span interval, span_of int4range, spans tstzmultirange, words text[], grid int[][],
    moods mood[], m mood, u uuid, ip inet, x xid8, place point, secret text default 'marker',
    "odd ""name;--" int);
  comment on table every_type is 'A table of a test.';
  comment on column every_type.n is 'Any number.';
  create index every_type_words on every_type (lower(t), n desc) where b;
  insert into every_type values (
    9223372036854775807, -32768, -9223372036854775808, 1e-400, 0.1, true,
    E'line\\n"two"\\t\\\\', 'x',
    '\\x00ff10', '{"a":1,"a":2, "n":12345678901234567890.10}', '{"n": 12345678901234567890.10}',
    '2026-11-23 03:04:05.123456+05:30', '0044-03-15 12:00:00 BC', 'infinity', '24:00:00',
    '1 mon -3 days 04:05:06.7', '[1,10)', '{[2026-01-01 00:00+00,2026-02-01 00:00+00)}',
    array['a,b', 'NULL', null, ''], '{{1,2},{3,null}}', '{glad,sad}', 'sad',
    '0b8f9e9e-7d5c-4b7e-9d0b-5b3f0a2c1d4e', '2001:db8::1/64', '18446744073709551615', '(1,2)');
  insert into every_type (id) values (2), (10), (9);
  create table no_key (kind text, at date, doc json, place point);
  insert into no_key values
    ('b', '2026-01-02', '{}'), ('a', '2026-01-02', '{}'), ('a', '2026-01-01', null);
  create table slow (id int primary key);
  insert into slow values (1), (2);
  create schema other; create table other.theirs (id int);
  create table ungranted (id int primary key);
  grant select on no_key, slow to ${role};
  grant usage on schema other to ${role}; grant select on other.theirs to ${role};
  grant select (id, i2, i8, n, f8, b, t, c, raw, js, jsb, at, local_at, day, clock, span, span_of,
    spans, words, grid, moods, m, u, ip, x, place, "odd ""name;--") on every_type to ${role};
`

type DatabaseService = {
  owner: pg.Client
  /** A path below /v1/customer-tool/database. */
  get: (path: string) => Promise<Answer>
  /** The body of a 200. */
  ok: (path: string) => Promise<Answer['body']>
  rowsOf: (table: string, query?: string) => Promise<Answer['body']>
}

export async function databaseService(): Promise<DatabaseService> {
  const registrar = await startService({ worker: false })
  const { database_url } = registrar.service.settings
  const owner = new pg.Client({ connectionString: database_url ?? '' })
  await owner.connect()
  registrar.closers.push(() => owner.end())
  await owner.query(tables)
  const get = (path: string) =>
    registrar.request('GET', `/v1/customer-tool/database/${path}`, { headers })
  const ok = async (path: string) => {
    const answer = await get(path)
    assert.equal(answer.status, 200, `${path} ${answer.text}`)
    return answer.body
  }
  return { owner, get, ok, rowsOf: (table, query = '') => ok(`tables/${table}/rows?${query}`) }
}

// A table and statements of the client's own tests; no migration knows them, so their types stand
// here.
import { statement } from './statement.ts'

declare module './statements.gen.ts' {
  interface Statements {
    things_add: { params: { name: string; amount: bigint }; row: { id: bigint } }
    things_change: { params: { name: string; amount: bigint }; row: Record<string, never> }
    things_all: {
      params: Record<string, never>
      row: { name: string; amount: bigint; made_at: Date }
    }
    things_sum: { params: Record<string, never>; row: { total: bigint } }
    things_take: { params: { name: string }; row: { amount: bigint } }
    things_wait: { params: { seconds: number }; row: { waited: string } }
    things_of: { params: { name: string }; row: { amount: bigint } }
  }
}

export const table = `
  create table things (
    id bigint generated always as identity primary key,
    name text not null unique,
    amount bigint not null check (amount >= 0),
    made_at timestamptz not null default now()
  );
  insert into things (name, amount) values ('a', 10), ('b', 20);
  create function take_thing(thing text) returns bigint language sql as
    'update things set amount = amount - 1 where name = thing returning amount'`

export const add = statement(
  'things_add',
  'insert into things (name, amount) values (:name, :amount) returning id',
)
export const change = statement(
  'things_change',
  'update things set amount = amount + :amount where name = :name',
)
export const all = statement('things_all', 'select name, amount, made_at from things order by name')
export const sum = statement('things_sum', 'select sum(amount)::bigint as total from things')
export const take = statement('things_take', 'select take_thing(:name) as amount')
export const of = statement('things_of', 'select amount from things where name = :name')
export const wait = statement('things_wait', 'select pg_sleep(:seconds)::text as waited')

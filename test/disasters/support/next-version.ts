// The next versions of the service, as edited copies of this tree: to run beside it, on one
// database.
import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after } from 'node:test'

const root = resolve(import.meta.dirname, '../../..')
export const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-versions-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** A copy of a version's tree, to be edited into the next one. */
export function copyOf(from: string, name: string): string {
  const tree = join(scratch, name)
  const folders = ['src', 'shared', 'dashboard/src/app']
  const files = ['package.json', 'registries.yaml', 'test/disasters/support/child.ts']
  for (const path of [...folders, ...files])
    cpSync(join(from, path), join(tree, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction')
  return tree
}

export function edit(tree: string, path: string, change: (text: string) => string): void {
  const text = readFileSync(join(tree, path), 'utf8')
  const changed = change(text)
  assert.notEqual(changed, text, `${path} was edited`)
  writeFileSync(join(tree, path), changed)
}

function addMigration(tree: string, name: string, sql: string): void {
  const folder = join(tree, 'src/db/migrations', name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'up.sql'), sql)
}

export const functions = 'src/db/functions/orders/placement.sql'
const functionOf = (name: string) =>
  new RegExp(`create or replace function ${name}\\([\\s\\S]*?\\nend \\$\\$;\\n`)
const placing = functionOf('orders_place')
/** The functions that are called until an order is inserted. */
const placements = ['orders_place', 'orders_place_together', 'orders_insert']

/** This version's newest migration, by its number. */
const newest = readdirSync(join(root, 'src/db/migrations')).sort().at(-1)?.slice(0, 4)

let made: string | undefined

/** It places orders by its own function, which fills a new column. */
export function second(): string {
  made ??= makeSecond()
  return made
}

function makeSecond(): string {
  const tree = copyOf(root, 'second')
  addMigration(
    tree,
    '9002-placed-by',
    `-- compatible from: ${newest}
alter table orders add column placed_by text;
create index orders_placed_by on orders (placed_by) where placed_by is not null;
`,
  )
  edit(tree, functions, (text) => {
    const before = placements.map((name) => functionOf(name).exec(text)?.[0] ?? '').join('\n')
    const added = before
      .replaceAll(/\b(orders_(?:place|place_together|insert))\(/g, '$1_noted(')
      .replace('created_at)\n', 'created_at, placed_by)\n')
      .replace('x.quote_id, at\n', `x.quote_id, at, 'second'\n`)
    return `${text}\n${added}`
  })
  edit(tree, 'src/capabilities/domains/orders/orders.sql.ts', (text) =>
    text.replace('from orders_place(', 'from orders_place_noted('),
  )
  return tree
}

/** It drops the function that no node of the second version calls. */
export function third(from: string): string {
  const tree = copyOf(from, 'third')
  addMigration(
    tree,
    '9003-drop-orders-place',
    '-- compatible from: 9002\ndrop function orders_place(jsonb);\n',
  )
  edit(tree, functions, (text) => text.replace(placing, ''))
  return tree
}

/** This version. */
export const thisVersion = root

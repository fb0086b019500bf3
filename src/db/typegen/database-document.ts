// docs/database.md: the tables, triggers, functions and grants of a freshly migrated database, by
// noun, from its catalog; the comments from the SQL that made them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { own_functions } from '../migrate/function-files.ts'
import { own_migrations } from '../migrate/migration-files.ts'
import { type Catalog, type Fn, type Relation, readCatalog, type Trigger } from './catalog.ts'

const baseline = '0001-baseline'

const head = `<!-- Made from a migrated database by typegen.ts; bin/check --write renews it. -->

# Database

Tables, indexes and constraints are made by \`src/db/migrations\`, functions and triggers by
\`src/db/functions\`. "Service" is the role \`agent_registrar_app\`, which all nodes work as; the
owner runs migrations. A function with "owner" runs with the owner's rights (security definer).
Partitions are left out: they are as their parent.
`

/** Lines that the migration reads. */
const isHeader = /^(before migrations|no transaction|compatible from: \d+)$/

/** The comment lines above each thing that a file of SQL makes, by name or `table.column`. */
function commentsOf(sql: string): Map<string, string> {
  const comments = new Map<string, string>()
  let table: string | null = null
  let above: string[] = []
  for (const line of sql.split('\n')) {
    const comment = /^\s*-- ?(.*)$/.exec(line)?.[1]
    if (comment !== undefined) {
      above.push(comment)
      continue
    }
    const made = /^create (?:unlogged )?(?:table|view|type) (\w+)/.exec(line)?.[1]
    const fn = /^create or replace (?:function|trigger) (\w+)/.exec(line)?.[1]
    table = /^alter table (\w+)/.exec(line)?.[1] ?? table
    const added = /^(?:alter table \w+| +) ?add column (\w+) /.exec(line)?.[1]
    const column = table === null ? undefined : (added ?? /^ {2}(\w+) /.exec(line)?.[1])
    const name = made ?? fn ?? (column === undefined ? undefined : `${table}.${column}`)
    if (name !== undefined && above.length > 0 && !comments.has(name))
      comments.set(name, above.filter((one) => !isHeader.test(one)).join(' '))
    if (made !== undefined) table = made
    if (/^\)|;$/.test(line)) table = null
    above = []
  }
  return comments
}

type Section = { noun: string; sql: string }

const sqlOf = (folder: string, file: string) =>
  readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')

function read(folder: string): Section[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ noun: file.replace(/^\d+-|\.sql$/g, ''), sql: sqlOf(folder, file) }))
}

/**
 * The baseline's files in their order, then the tables of each later migration and the function
 * files without one of their noun.
 */
function sections(): Section[] {
  const functions = read(own_functions)
  const nouns = read(join(own_migrations, baseline)).map(({ noun, sql }) => {
    const own = functions.find((one) => one.noun === noun)
    return { noun, sql: `${sql}\n${own?.sql ?? ''}` }
  })
  const known = new Set(nouns.map(({ noun }) => noun))
  const later = laterMigrations().filter(({ sql }) => /^create (unlogged )?table /m.test(sql))
  return [...nouns, ...later, ...functions.filter(({ noun }) => !known.has(noun))]
}

function laterMigrations(): Section[] {
  return readdirSync(own_migrations)
    .filter((name) => name !== baseline && existsSync(join(own_migrations, name, 'up.sql')))
    .sort()
    .map((name) => ({
      noun: name.replace(/^\d+-/, ''),
      sql: sqlOf(join(own_migrations, name), 'up.sql'),
    }))
}

/** The page; the same schema gives the same octets. */
export async function databaseDocument(client: pg.Client): Promise<string> {
  return render(await readCatalog(client), sections())
}

function render({ relations, functions }: Catalog, nouns: readonly Section[]): string {
  // A column that was added later has its comment there.
  const added = laterMigrations().flatMap(({ sql }) => [...commentsOf(sql)])
  const left = new Set([...relations, ...functions].map(({ name }) => name))
  const own = <T extends { name: string }>(things: readonly T[], { sql }: Section) =>
    things.filter(({ name }) =>
      new RegExp(`^create (or replace )?(unlogged )?(table|view|function) ${name}\\b`, 'm').test(
        sql,
      ),
    )
  const pages = nouns.map((section) => {
    const comments = new Map([...added, ...commentsOf(section.sql)])
    const tables = own(relations, section)
    const called = own(functions, section)
    for (const { name } of [...tables, ...called]) left.delete(name)
    return pageOf({ noun: section.noun, tables, called, comments })
  })
  const comments = new Map<string, string>()
  const rest = {
    tables: relations.filter(({ name }) => left.has(name)),
    called: functions.filter(({ name }) => left.has(name)),
  }
  return `${[head, ...pages, pageOf({ noun: 'migrations', ...rest, comments })].join('\n')}`
}

type Page = {
  noun: string
  tables: readonly Relation[]
  called: readonly Fn[]
  comments: ReadonlyMap<string, string>
}

function pageOf({ noun, tables, called, comments }: Page): string {
  const title = `## ${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll('-', ' ')}\n`
  const parts = tables.map((table) => tableOf(table, comments))
  if (called.length > 0) parts.push(functionsOf(called, comments))
  return [title, ...parts].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
const code = (text: string) => (text === '' ? '' : `\`${cell(text)}\``)

function tableOf(table: Relation, comments: ReadonlyMap<string, string>): string {
  const { name, kind, columns, constraints, indexes, triggers, grants } = table
  const lines = [`### ${name}\n`]
  const comment = comments.get(name)
  const facts = [kind, `Service: ${grants}.`].filter((one) => one !== '')
  lines.push(`${[...(comment ? [comment] : []), ...facts].join(' ')}\n`)
  lines.push('| column | type | null | default | |', '|---|---|---|---|---|')
  for (const column of columns) {
    const about = cell(comments.get(`${name}.${column.name}`) ?? '')
    const empty = column.nullable ? 'null' : ''
    lines.push(
      `| ${code(column.name)} | ${column.type} | ${empty} | ${code(column.value)} | ${about} |`,
    )
  }
  lines.push('')
  for (const [of, rules] of [
    ['Constraints', constraints],
    ['Indexes', indexes],
  ] as const)
    if (rules.length > 0)
      lines.push(`${of}:\n`, ...rules.map((rule) => `- ${code(rule.name)}: ${code(rule.text)}`), '')
  if (triggers.length > 0) lines.push('Triggers:\n', ...triggers.map(triggerOf), '')
  return lines.join('\n')
}

function triggerOf({ name, when, calls, condition }: Trigger): string {
  const only = condition === '' ? '' : ` when ${code(condition)}`
  return `- \`${name}\`, ${when}${only}: \`${calls}\``
}

function functionsOf(called: readonly Fn[], comments: ReadonlyMap<string, string>): string {
  const lines = [
    '| function | returns | language | runs as | called by | |',
    '|---|---|---|---|---|---|',
  ]
  for (const { name, args, returns, language, definer, callers } of called)
    lines.push(
      `| ${code(`${name}(${args})`)} | ${returns} | ${language} | ` +
        `${definer ? 'owner' : 'caller'} | ${callers} | ${cell(comments.get(name) ?? '')} |`,
    )
  return `${lines.join('\n')}\n`
}

// Secrets and the customer tool: a marker in every column that is secret, and the secrets of real
// accounts, are in no row that its role reads, in no response and in no line of the log.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import pg from 'pg'
import { scopes } from '../../src/app.ts'
import { customerToolKey } from '../support/node.ts'
import { sellElsewhere, soldCode } from '../support/other-registrar.ts'
import { startService, type TestService } from '../support/service.ts'
import { ownersPassword, sessionOf } from '../support/sign-in.ts'

const headers = { 'x-customer-tool-key': customerToolKey }
const at = '/v1/customer-tool'

async function ownerOf(registrar: TestService): Promise<pg.Client> {
  const { database_url } = registrar.service.settings
  const client = new pg.Client({ connectionString: database_url ?? '' })
  await client.connect()
  registrar.closers.push(() => client.end())
  return client
}

/**
 * Everything that the tool answers: each customer, and each table with its rows in both directions.
 */
async function allAnswers(registrar: TestService): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  const read = async (path: string) => {
    const answer = await registrar.request('GET', `${at}${path}`, { headers })
    assert.equal(answer.status, 200, `${path} ${answer.text}`)
    answers.set(path, answer.text)
    return answer.body
  }
  const { customers } = await read('/customers?limit=200')
  for (const { id } of customers) await read(`/customers/${id}`)
  await read('/database/schemas')
  const { tables } = await read('/database/tables')
  for (const { name } of tables) {
    await read(`/database/tables/${name}`)
    const { columns } = await read(`/database/tables/${name}/rows?limit=500`)
    const first = encodeURIComponent(columns[0].name)
    const sorted = `/database/tables/${name}/rows?limit=500&order_by=-${first}`
    if (!/^json|point/.test(columns[0].type)) await read(sorted)
  }
  return answers
}

/** The secret as text, and in the ways in which octets are written. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
]

function assertNowhere(secrets: ReadonlyMap<string, string>, texts: ReadonlyMap<string, string>) {
  const found = [...secrets].flatMap(([name, secret]) =>
    [...texts]
      .filter(([, text]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([place]) => `${name} in ${place}`),
  )
  assert.deepEqual(found, [])
}

type SecretColumn = { relation: string; name: string; type: string }

const markedValue = (type: string, marker: string): string | undefined => {
  if (type === 'bytea') return `convert_to('${marker}', 'UTF8')`
  if (type === 'text' || type === 'uuid') return `'${marker}'`
  if (type === 'jsonb') return `jsonb_build_object('${marker}', '${marker}')`
  return type === 'text[]' ? `array['${marker}']` : undefined
}

/** A value for a column that must have one and is not secret. */
const fillOf = (type: string): string => {
  if (type === 'bytea') return `'\\x00'`
  if (type === 'jsonb') return `'{}'`
  if (type.endsWith('[]')) return `'{}'`
  if (/^(bigint|integer|numeric|double|oid|xid8)/.test(type)) return `'7'`
  if (/^time/.test(type)) return 'now()'
  return type === 'boolean' ? 'false' : `'filled'`
}

/** One row in each table that has secrets, with a marker of its own in each of these columns. */
async function plant(owner: pg.Client): Promise<Map<string, string>> {
  await owner.query(`set session_replication_role = replica;
    do $$ declare c record; begin
      for c in select conrelid::regclass as t, conname from pg_constraint
                where contype in ('c', 'f') and conislocal and coninhcount = 0
                  and connamespace = 'public'::regnamespace loop
        execute format('alter table %s drop constraint %I cascade', c.t, c.conname);
      end loop; end $$`)
  const { rows } = await owner.query<SecretColumn & { secret: boolean; needed: boolean }>(`
    select c.relname as relation, a.attname as name, format_type(a.atttypid, null) as type,
           a.attname = any (i.secret) as secret,
           a.attnotnull and not a.atthasdef and a.attidentity = '' as needed
      from inspector_columns() i
      join pg_class c on c.relname = i.relation and c.relkind in ('r', 'p')
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and cardinality(i.secret) > 0
       and a.attgenerated = '' order by c.relname, a.attnum`)
  const markers = new Map<string, string>()
  for (const [table, columns] of Map.groupBy(rows, ({ relation }) => relation)) {
    const cells = columns.flatMap(({ name, type, secret, needed }) => {
      const marker = type === 'uuid' ? randomUUID() : `marker-${table}-${name}-zQ9`
      const planted = secret ? markedValue(type, marker) : undefined
      if (planted !== undefined) markers.set(`${table}.${name}`, marker)
      if (planted === undefined && !needed) return []
      return [{ name, value: planted ?? fillOf(type) }]
    })
    const names = cells.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
    const values = cells.map(({ value }) => value).join(', ')
    await owner.query(`insert into ${table} (${names}) overriding system value values (${values})`)
  }
  return markers
}

describe('a marker in every secret column', async () => {
  const registrar = await startService({ worker: false })
  const owner = await ownerOf(registrar)
  const markers = await plant(owner)

  test('is planted in all of them', async () => {
    const { rows } = await owner.query<{ count: number }>(
      `select sum(cardinality(i.secret))::int as count from inspector_columns() i
         join pg_class c on c.relname = i.relation and c.relkind in ('r', 'p')`,
    )
    // One of them is a number: the count of a lease.
    assert.equal(markers.size, (rows[0]?.count ?? 0) - 1)
    assert.ok(markers.size > 50, `${markers.size} markers`)
    const { rows: hashes } = await owner.query(
      `select hash from passwords where hash like 'marker%'`,
    )
    assert.equal(hashes.length, 1)
  })

  test('is in no response and in no line of the log', async () => {
    const answers = await allAnswers(registrar)
    assert.ok(answers.size > 150, `${answers.size} responses`)
    assertNowhere(markers, answers)
    assertNowhere(markers, new Map([['log', registrar.logs.join('')]]))
  })

  test('is found where a column is granted by mistake', async () => {
    await owner.query('grant select (hash) on passwords to agent_registrar_inspector')
    const answers = await allAnswers(registrar)
    assert.throws(() => assertNowhere(markers, answers), /passwords.hash in/)
  })
})

test('secrets of accounts in use are in no response and in no line of the log', async () => {
  const registrar = await startService()
  const { id, key, email } = await registrar.customer({ scopes: [...scopes] })
  const account = { id, email }
  const session = await sessionOf(registrar, account)
  const domain = 'secrets-of-accounts.com'
  const call = async (method: string, path: string, body?: object) => {
    const answer = await registrar.request(method, path, { token: key, ...(body && { body }) })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  await call('POST', '/v1/domains', { domain })
  const read = await call('GET', `/v1/domains/${domain}/transfer-auth-code`)
  const secrets = new Map([
    ['API key', key],
    ['session', session],
    ['password', ownersPassword],
    ['operator key', registrar.operatorKey],
    ['key of the customer tool', customerToolKey],
    ['auth code', read.auth_code],
  ])
  for (const [name, secret] of secrets) assert.ok(secret?.length >= 8, name)
  const wanted = 'secrets-elsewhere.com'
  await sellElsewhere(registrar, wanted)
  await call('POST', '/v1/domains/transfer', { domain: wanted, auth_code: soldCode })
  secrets.set('auth code of a transfer in', soldCode)
  assertNowhere(secrets, await allAnswers(registrar))
  assertNowhere(secrets, new Map([['log', registrar.logs.join('')]]))
})

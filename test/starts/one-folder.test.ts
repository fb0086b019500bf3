// Two starts on one data folder: the second is refused before it touches anything, and what the
// first one buys is there after its restart. Either way of starting it.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { newDatabase } from '../support/database.ts'
import { type Program, startProgram } from '../support/program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-one-'))
chmodSync(scratch, 0o711)
after(() => rmSync(scratch, { recursive: true, force: true }))

const key = `op_${'f'.repeat(40)}`

async function urlOf(program: Program): Promise<string> {
  const line = await program.line(/Health/)
  return line.replace(/^\s*Health\s+/, '').replace('/v1/health', '')
}

async function call(url: string, path: string, body?: object): Promise<Record<string, string>> {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  assert.ok(response.ok, `${path} ${response.status} ${text}`)
  return Object(JSON.parse(text))
}

async function stop({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
}

function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => `${name} ${statSync(join(folder, name)).ino}`)
}

test('the second start is refused, and nothing of the first is lost', async () => {
  const folder = join(scratch, 'second')
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: await newDatabase('template_of_tests'),
    OPERATOR_KEY: key,
  }
  const first = startProgram({ environment })
  const url = await urlOf(first)
  const sandbox = join(folder, 'sandbox-registry')
  const before = filesOf(sandbox)
  const second = startProgram({ environment })
  assert.equal(await second.ended, 1)
  assert.equal(second.lines.length, 1, second.lines.join('\n'))
  assert.match(
    second.lines[0] ?? '',
    new RegExp(`^DATA_DIR .*second is in use by process ${first.child.pid}, since 20`),
  )
  assert.deepEqual(filesOf(sandbox), before, 'no journal was opened again')

  const { id } = await call(url, '/v1/customers', { email: 'a@example.net', name: 'A' })
  const made = await call(url, `/v1/customers/${id}/api-keys`, { name: 'k' })
  assert.ok(made.api_key)
  await stop(first)
  const again = startProgram({ environment })
  await urlOf(again)
  await stop(again)
})

describe('of two first starts at once', () => {
  for (const embedded of [false, true])
    test(`one runs, with ${embedded ? 'its own' : 'a given'} database`, async () => {
      const folder = join(scratch, `both-${embedded}`)
      const database = embedded ? {} : { DATABASE_URL: await newDatabase('template0') }
      const environment = { DATA_DIR: folder, ...database }
      const both = [startProgram({ environment }), startProgram({ environment })]
      const refused = await Promise.race(
        both.map(async (one) => {
          const ended = await one.ended
          return { one, ended }
        }),
      )
      assert.equal(refused.ended, 1)
      assert.equal(refused.one.lines.length, 1, refused.one.lines.join('\n'))
      assert.match(refused.one.lines[0] ?? '', /^DATA_DIR .* is in use by /)
      const other = both.find((one) => one !== refused.one)
      assert.ok(other)
      await urlOf(other)
      await stop(other)
    })
})

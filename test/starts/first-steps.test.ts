// The keys and customers that a start prints exist, whatever the source of the operator's key.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newDatabase } from '../support/database.ts'
import { startProgram } from '../support/program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'agent-registrar-first-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

type Start = { DATA_DIR: string; DATABASE_URL: string; OPERATOR_KEY?: string }

/** Its lines up to the end of the first steps. */
async function say(environment: Start): Promise<string> {
  const program = startProgram({ environment })
  await program.line(/create_customer|\/v1\/domains -H/)
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
  return program.lines.filter((line) => !line.startsWith('{')).join('\n')
}

test('with OPERATOR_KEY, no start prints a customer or a key that does not exist', async () => {
  const OPERATOR_KEY = `op_${'s'.repeat(40)}`
  const place = { DATA_DIR: join(scratch, 'given'), DATABASE_URL: await newDatabase('template0') }
  for (const key of [OPERATOR_KEY, OPERATOR_KEY, undefined]) {
    const output = await say({ ...place, ...(key ? { OPERATOR_KEY: key } : {}) })
    assert.doesNotMatch(output, /100\.00|first start printed|API_KEY=/)
    assert.match(output, /bin\/call create_customer/)
  }
})

test('without it, the first start creates them, and later starts print that they exist', async () => {
  const place = { DATA_DIR: join(scratch, 'made'), DATABASE_URL: await newDatabase('template0') }
  const first = await say(place)
  assert.match(first, /API_KEY=ar_test_/)
  assert.match(first, /a customer with 100\.00 USD/)
  const second = await say(place)
  assert.match(
    second,
    /with the API key that the first start printed:\n\n +API_KEY=ar_test_\.\.\.$/m,
  )
})

test('a first start whose port is in use makes no key, so that the next one shows it', async () => {
  const place = { DATA_DIR: join(scratch, 'in-use'), DATABASE_URL: await newDatabase('template0') }
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const PORT = String(typeof address === 'object' && address?.port)
  const program = startProgram({ environment: { ...place, PORT } })
  assert.equal(await program.ended, 1)
  assert.equal(program.lines.at(-1)?.startsWith(`Port ${PORT} is in use.`), true)
  assert.doesNotMatch(program.lines.join('\n'), /op_|ar_test_/)
  other.close()
  const next = await say(place)
  assert.match(next, /Operator key \(shown once/)
  assert.match(next, /API_KEY=ar_test_\w{20}/)
})

test('prints its lines in one piece, with the link to log in at their end', async () => {
  const place = { DATA_DIR: join(scratch, 'piece'), DATABASE_URL: await newDatabase('template0') }
  const program = startProgram({ environment: place })
  await program.line(/password\?token=/)
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
  const first = program.lines.findIndex((line) => line.startsWith('agent-registrar 0.1.0'))
  const last = program.lines.findIndex((line) => line.includes('/password?token='))
  assert.ok(first >= 0 && last > first)
  const logged = program.lines.slice(first, last).filter((line) => line.startsWith('{'))
  assert.deepEqual(logged, [])
})

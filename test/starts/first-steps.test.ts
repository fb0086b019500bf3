// The keys and customers that a start prints exist, whatever the source of the operator's key.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
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

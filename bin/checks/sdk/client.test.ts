// The digest of the generated client, with a generator that copies the document.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { checkSdk, renewSdk } from './client.ts'

const root = mkdtempSync(join(tmpdir(), 'agent-registrar-sdk-test-'))
after(() => rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

const document = 'src/surfaces/documents/write-openapi.ts'
const client = 'sdk/src/sdk.gen.ts'
write(document, "process.stdout.write('one')")
write('sdk/generator/package-lock.json', '{}')
write('sdk/generator/node_modules/@hey-api/openapi-ts/package.json', '{}')
write(
  'sdk/generator/generate.mjs',
  `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
const [input, path] = process.argv.slice(2)
mkdirSync(path, { recursive: true })
writeFileSync(path + '/sdk.gen.ts', '// ' + readFileSync(input, 'utf8'))`,
)
const stale = ['sdk/src is not generated from the OpenAPI document; run bin/check --write']

describe('the generated client', () => {
  it('is stale until it is generated, and then current', () => {
    assert.deepEqual(checkSdk(root), stale)
    assert.deepEqual(renewSdk(root), [])
    assert.deepEqual(checkSdk(root), [])
    assert.equal(readFileSync(join(root, client), 'utf8'), '// one')
  })

  it('is stale after a change of the document', () => {
    write(document, "process.stdout.write('two')")
    assert.deepEqual(checkSdk(root), stale)
    assert.deepEqual(renewSdk(root), [])
    assert.equal(readFileSync(join(root, client), 'utf8'), '// two')
  })

  it('is stale after a change by hand, which renewing undoes', () => {
    write(client, '// by hand')
    assert.deepEqual(checkSdk(root), stale)
    assert.deepEqual(renewSdk(root), [])
    assert.equal(readFileSync(join(root, client), 'utf8'), '// two')
  })
})

// The samples of the documentation: each curl line is sent to a running service, each TypeScript
// sample is compiled against the client, each MCP call is validated by the tool's schema.
// RECORD_EXAMPLES=1 records the requests and responses again.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { operations } from '../../src/catalog.ts'
import { fileContent } from '../../src/replies/download.ts'
import {
  exampleOf,
  examplesFile,
  mcpSamples,
  type RecordedExample,
  typescriptSample,
} from '../../src/surfaces/documents/site/code-samples.ts'
import { toolsOf } from '../../src/surfaces/mcp/tools.ts'
import { startService } from '../support/service.ts'
import { documentedCall, recordExample, sendDocumented } from './support/documented-calls.ts'
import { openFixture } from './support/fixture.ts'
import { curlCall } from './support/shell-words.ts'
import { unconfigured } from './support/unconfigured.ts'

const root = join(import.meta.dirname, '../..')
const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)

/** Pasting a sample must not move a domain to another's name servers. */
const default_nameservers = ['ns1.registrar.example', 'ns2.registrar.example']
const isRecording = process.env.RECORD_EXAMPLES === '1'

describe('the curl sample', async () => {
  const fixture = await openFixture(await startService())
  const recorded: Record<string, RecordedExample> = {}

  for (const operation of operations)
    test(`of ${operation.name} gets the documented response`, async () => {
      if (isRecording) {
        const kept = unconfigured.has(operation.at) && exampleOf(operation)
        recorded[operation.name] = kept || (await recordExample(fixture, operation))
        return
      }
      const documented = await documentedCall(fixture, operation)
      const { status, text, body } = await sendDocumented(fixture, operation, documented)
      if (unconfigured.has(operation.at)) assert.equal(Object(body).code, 'not_configured', text)
      else assert.equal(status, operation.status ?? 200, text)
      assert.equal(documented.example.answer === undefined, body === undefined)
      if (operation.gives === fileContent)
        assert.match(text, operation.downloads === 'text/dns' ? /^\$ORIGIN / : /^%PDF-/)
      if (body === undefined) return
      const validate = ajv.compile(JSON.parse(JSON.stringify(operation.gives)))
      assert.ok(validate(documented.example.answer), ajv.errorsText(validate.errors))
    })

  after(() => {
    // Not the rest of those that failed.
    const isWhole = Object.keys(recorded).length === operations.length
    if (isWhole) writeFileSync(examplesFile, `${JSON.stringify(recorded, null, 2)}\n`)
  })
})

test('no recorded example is of an operation that is gone', () => {
  const names = operations.map(({ name }) => name)
  const stored: Record<string, unknown> = JSON.parse(readFileSync(examplesFile, 'utf8'))
  assert.deepEqual(Object.keys(stored).toSorted(), names.toSorted())
})

test('each TypeScript sample compiles against the client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registrar-samples-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'sdk'), join(folder, 'sdk'))
  for (const operation of operations) {
    const example = exampleOf(operation)
    assert.ok(example, `${operation.name} is not recorded`)
    const sample = typescriptSample(operation, example, 'https://registrar.example')
    writeFileSync(join(folder, `${operation.name}.ts`), sample)
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2024', 'dom', 'dom.iterable'],
        exactOptionalPropertyTypes: false,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: ['*.ts'],
    }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [compiler, '--noEmit', '-p', folder])
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  assert.equal(stdout, '')
})

test('each MCP sample is valid by the input schema of its tool', () => {
  const tools = new Map(toolsOf(operations).list.map((tool) => [tool.name, tool]))
  const service = { mcp_url: 'https://registrar.example', default_nameservers }
  const samples = operations.flatMap((one) => mcpSamples(one, service))
  const called = samples.map((sample) => {
    const { url, body } = curlCall(sample.replace(/^#.*\n/, ''), { API_KEY: 'key' })
    assert.equal(url.href, 'https://registrar.example/mcp')
    const { jsonrpc, method, params } = JSON.parse(body ?? '')
    assert.deepEqual([jsonrpc, method], ['2.0', 'tools/call'])
    const validate = ajv.compile(Object(tools.get(params.name)?.inputSchema))
    assert.ok(validate(params.arguments), `${sample} ${ajv.errorsText(validate.errors)}`)
    const { nameservers } = params.arguments
    if (nameservers !== undefined) assert.deepEqual(nameservers, default_nameservers, sample)
    return params.name
  })
  assert.deepEqual(called.toSorted(), [...tools.keys()].toSorted())
})

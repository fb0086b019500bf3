// Linting of the OpenAPI document by Spectral and Redocly, by their recommended rules, none of
// which is a mere warning.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { operations } from '../../src/catalog.ts'
import { openApiDocument } from '../../src/surfaces/documents/openapi.ts'
import { redocly, run, skip, spectral } from '../support/outside.ts'

const folder = mkdtempSync(join(tmpdir(), 'openapi-linters-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const roots = {
  base_url: 'https://registrar.example',
  mcp_url: 'https://mcp.example',
  environment: 'sandbox',
} as const
const written = JSON.stringify(openApiDocument(operations, roots))
const files = {
  document: fileOf('openapi.json', written),
  // Two operations of one name: each linter must see that.
  flawed: fileOf('flawed.json', written.replace('"list_domains"', '"get_domain"')),
  spectral: fileOf('spectral.yaml', 'extends: ["spectral:oas"]\n'),
  // One rule is off: "/v1/domains/check/{domain}" and "/v1/domains/{domain}/renew" are the
  // contract's, and apart, as "check" is no domain name.
  redocly: fileOf(
    'redocly.yaml',
    'extends: [recommended-strict]\nrules:\n  no-ambiguous-paths: off\n',
  ),
}

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function spectralRules(document: string): Promise<string[]> {
  const quiet = ['--format', 'json', '--fail-severity', 'hint', '--quiet']
  const ended = await run(spectral, ['lint', document, '--ruleset', files.spectral, ...quiet])
  const found: { code: string }[] = JSON.parse(ended.stdout)
  assert.equal(ended.code, found.length === 0 ? 0 : 1, ended.stderr)
  return found.map(({ code }) => code)
}

async function redoclyRules(document: string): Promise<string[]> {
  const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const args = ['lint', document, '--config', files.redocly, '--format', 'json']
  const ended = await run(redocly, args, { environment })
  const found: { ruleId: string }[] = JSON.parse(ended.stdout).problems
  assert.equal(ended.code, found.length === 0 ? 0 : 1, ended.stderr)
  return found.map(({ ruleId }) => ruleId)
}

describe('the OpenAPI document', { skip }, () => {
  it('has nothing that Spectral objects to', async () => {
    assert.deepEqual(await spectralRules(files.document), [])
    assert.ok((await spectralRules(files.flawed)).includes('operation-operationId-unique'))
  })

  it('has nothing that Redocly objects to', async () => {
    assert.deepEqual(await redoclyRules(files.document), [])
    assert.ok((await redoclyRules(files.flawed)).includes('operation-operationId-unique'))
  })
})

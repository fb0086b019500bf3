// Clients that two generators make of the OpenAPI document: each compiles, refuses a value of
// another type, and buys a domain.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fresh } from '../contract/support/fixture.ts'
import { installed, openapiTypescript, run, skip } from '../support/outside.ts'
import { sharedService } from '../support/service.ts'

const registrar = await sharedService()
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Each checks a name, buys it, reads it, and asks for one that is not there. */
const programs: Record<string, string> = {
  'openapi-typescript': `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const { BASE_URL: baseUrl = '', API_KEY = '', DOMAIN: domain = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer ' + API_KEY } })
const checked = await client.POST('/v1/domains/check', { body: { domains: [domain] } })
const price = checked.data?.domains[0]?.price?.amount
// @ts-expect-error
const mistyped = await client.POST('/v1/domains', { body: { domain, max_price: 1 } })
const body = { domain, max_price: price ?? '0.00' }
const bought = await client.POST('/v1/domains', { body })
const read = await client.GET('/v1/domains/{domain}', { params: { path: { domain } } })
const other = { path: { domain: 'not-' + domain } }
const absent = await client.GET('/v1/domains/{domain}', { params: other })
console.log(JSON.stringify({
  invalid: mistyped.response.status,
  bought: bought.data?.status,
  read: read.data?.domain,
  code: absent.error && 'code' in absent.error ? absent.error.code : null,
}))`,
  'Hey API': `
import { checkDomainAvailability, client, getDomain, registerDomain } from '${root}/sdk/src/index.ts'

const { BASE_URL: baseUrl = '', API_KEY = '', DOMAIN: domain = '' } = process.env
client.setConfig({ baseUrl, auth: API_KEY })
const checked = await checkDomainAvailability({ body: { domains: [domain] } })
const price = checked.data?.domains[0]?.price?.amount
// @ts-expect-error
const mistyped = await registerDomain({ body: { domain, max_price: 1 } })
const bought = await registerDomain({ body: { domain, max_price: price ?? '0.00' } })
const read = await getDomain({ path: { domain } })
const absent = await getDomain({ path: { domain: 'not-' + domain } })
console.log(JSON.stringify({
  invalid: mistyped.response?.status,
  bought: bought.data?.status,
  read: read.data?.domain,
  code: absent.error && 'code' in absent.error ? absent.error.code : null,
}))`,
}

const compiler = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  },
  files: Object.keys(programs).map(fileOf),
}

function fileOf(name: string): string {
  return join(folder, `${name.toLowerCase().replaceAll(' ', '-')}.ts`)
}

async function compile(): Promise<void> {
  for (const [name, text] of Object.entries(programs)) writeFileSync(fileOf(name), text)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compiler))
  symlinkSync(installed, join(folder, 'node_modules'))
  const { text } = await registrar.request('GET', '/openapi.json')
  writeFileSync(join(folder, 'openapi.json'), text)
  const paths = [join(folder, 'openapi.json'), '--output', join(folder, 'api.ts')]
  // Otherwise each field with a default is required in a body that is a named schema.
  const generated = await run(openapiTypescript, [...paths, '--default-non-nullable=false'])
  assert.equal(generated.code, 0, generated.stderr)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(tsc, ['--project', folder])
  assert.equal(compiled.code, 0, compiled.stdout)
}

describe('clients generated from the OpenAPI document', { skip }, async () => {
  const compiled = skip === false ? compile() : undefined
  for (const name of Object.keys(programs))
    it(`of ${name} compiles and buys a domain`, async () => {
      await compiled
      const { key: API_KEY } = await registrar.customer()
      const environment = { API_KEY, BASE_URL: registrar.url, DOMAIN: `${fresh()}.com` }
      const ended = await run(fileOf(name), [], { environment })
      assert.equal(ended.code, 0, ended.stderr)
      const seen = { invalid: 422, bought: 'active', code: 'domain_not_found' }
      assert.deepEqual(JSON.parse(ended.stdout), { ...seen, read: environment.DOMAIN })
    })
})

// Lists of over 100 kB are compressed as they are streamed, and no answer with a secret in it is.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { copyHolding } from '../../../test/support/owner-sql.ts'
import { sharedService } from '../../../test/support/service.ts'
import { operations } from '../../catalog.ts'
import { isCompressible } from './send.ts'

const registrar = await sharedService()
const customer = await registrar.customer({ funds_cents: 5_000 })
const domain = 'compressed-0.io'
const bought = await registrar.request('POST', '/v1/domains', {
  token: customer.key,
  body: { domain },
})
assert.equal(bought.status, 200, bought.text)
await copyHolding(
  registrar,
  domain,
  Array.from({ length: 1_200 }, (_, at) => `compressed-${at + 1}.io`),
)

type Raw = { coding: string | undefined; vary: string | undefined; octets: Buffer }

/** Reads the response as it is on the wire, where `fetch` would decode it. */
function read(path: string, accepts: string | null): Promise<Raw> {
  const headers = {
    authorization: `Bearer ${customer.key}`,
    ...(accepts === null ? {} : { 'accept-encoding': accepts }),
  }
  return new Promise((resolve, reject) => {
    get(`${registrar.url}${path}`, { headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(Buffer.from(chunk))
      const { 'content-encoding': coding, vary } = response.headers
      resolve({ coding, vary, octets: Buffer.concat(chunks) })
    }).on('error', reject)
  })
}

test('a long list is compressed for those who accept it, and is the same list', async () => {
  for (const path of ['/v1/domains', '/v1/domains?limit=500']) {
    const plain = await read(path, null)
    assert.equal(plain.coding, undefined)
    assert.ok(plain.octets.length > 100_000)
    const brotli = await read(path, 'gzip, br')
    const gzip = await read(path, 'gzip')
    assert.deepEqual([brotli.coding, gzip.coding], ['br', 'gzip'])
    assert.ok(brotliDecompressSync(brotli.octets).equals(plain.octets))
    assert.ok(gunzipSync(gzip.octets).equals(plain.octets))
    for (const { vary } of [plain, brotli, gzip]) assert.match(vary ?? '', /Accept-Encoding/)
    assert.ok(brotli.octets.length * 10 < plain.octets.length, `${brotli.octets.length}`)
    const refused = await read(path, 'br;q=0, gzip;q=0')
    assert.equal(refused.coding, undefined)
  }
})

test('a short answer is not compressed', async () => {
  for (const path of ['/v1/domains?limit=10', '/v1/domains/summary'])
    assert.equal((await read(path, 'br')).coding, undefined, path)
})

test('no answer with a secret in it, and none of an effect, is ever compressed', () => {
  const compressed = operations.filter(isCompressible)
  const names = new Set(compressed.map(({ name }) => name))
  for (const name of ['list_domains', 'list_contacts', 'list_api_keys', 'export_account'])
    assert.ok(names.has(name), name)
  const secret = [
    'get_transfer_auth_code',
    'create_api_key',
    'rotate_api_key',
    'create_webhook',
    'get_webhook',
  ]
  for (const name of secret) {
    assert.ok(
      operations.some((one) => one.name === name),
      name,
    )
    assert.ok(!names.has(name), name)
  }
  for (const { name, effect } of compressed) assert.equal(effect, 'none', name)
})

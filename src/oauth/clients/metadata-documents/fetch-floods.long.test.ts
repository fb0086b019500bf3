// Fetches for unknown clients lock out no other client: neither at the same host, nor by hosts that
// never answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDocumentServer } from '../../../../test/support/client-documents.ts'
import { startService } from '../../../../test/support/service.ts'
import { authorization, redirect_uri } from '../../flow.fixture.ts'

const documents = await startDocumentServer()
// 20 documents in a minute for an address.
const settings = { TRUSTED_PROXIES: '127.0.0.1', CLIENT_REGISTRATIONS_PER_HOUR: '120' }
const registrar = await startService({ outbound: documents.network, worker: false, settings })
registrar.closers.push(() => documents.close())
const fields = { redirect_uris: [redirect_uri] }

/** The status of an authorization requested from this address. */
async function ask(client_id: string, address: string): Promise<number> {
  const { url } = authorization(registrar, { client_id, redirect_uri })
  const headers = { 'x-forwarded-for': address }
  const response = await fetch(url, { redirect: 'manual', headers })
  await response.text()
  return response.status
}

test('requests for missing documents of a host do not lock out its own client', async () => {
  const client = documents.document('/legit.json', fields)
  const statuses: number[] = []
  for (const last of [1, 2, 3, 4, 5, 6, 7, 8])
    for (let i = 0, status = 0; i < 100 && status !== 429; i += 1) {
      status = await ask(`${documents.origin}/none-${last}-${i}`, `203.0.113.${last}`)
      statuses.push(status)
    }
  // More than 80 on a loaded machine, as the limit of a host allows one more every few seconds.
  assert.ok(statuses.filter((status) => status === 400).length >= 80)
  assert.equal(statuses.filter((status) => status === 429).length, 8)
  assert.equal(await ask(client, '198.51.100.9'), 303)
})

test('one address is limited over all hosts, and can still use a known client', async () => {
  const client = documents.document('/known.json', fields)
  assert.equal(await ask(client, '203.0.113.20'), 303)
  let last = 0
  // More than 20, as the limit allows one more every 3 s, and a loaded machine takes long.
  for (let i = 0; i < 200 && last !== 429; i += 1)
    last = await ask(`https://h${i}.client.test:${documents.port}/x`, '203.0.113.20')
  assert.equal(last, 429)
  assert.equal(await ask(client, '203.0.113.20'), 303)
})

test('hosts that never answer delay only the address that asked', async () => {
  const arrived = Promise.withResolvers<void>()
  let hanging = 0
  for (let i = 0; i < 20; i += 1)
    documents.answers.set(`/hang-${i}`, () => {
      hanging += 1
      if (hanging === 3) arrived.resolve()
    })
  const silent = documents.origin.replace('app.', 'silent.')
  const asked = Array.from({ length: 20 }, (_, i) => ask(`${silent}/hang-${i}`, '203.0.113.50'))
  await arrived.promise
  const client = documents.document('/legit-2.json', fields)
  assert.equal(await ask(client, '198.51.100.10'), 303)
  assert.equal(hanging, 3)
  assert.ok((await Promise.all(asked)).every((status) => status === 503 || status === 429))
})

// Sentences of the dashboard's audit log: each action that a customer's log may show has a verb,
// and names what it was about.
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  type AuditObject,
  objectOf,
  withoutObject,
} from '../../dashboard/src/messages/audit/audit-objects.ts'
import { auditTexts } from '../../dashboard/src/messages/audit/audit-texts.ts'
import { type Operation, scopes } from '../../src/app.ts'
import { operations } from '../../src/catalog.ts'
import { exampleOf } from '../../src/surfaces/documents/site/code-samples.ts'
import { sharedService } from '../support/service.ts'

const audited = operations.filter(({ effect, area }) => effect !== 'none' && area !== 'Sandbox')

test('each operation with an effect has a verb in the dashboard', () => {
  const names = audited.map(({ name }) => name)
  const missing = names.filter((name) => !auditTexts.actions.includes(name))
  assert.deepEqual(missing, [])
})

/** The facts of its audit row, for the request and the response that the documentation shows. */
function entryOf(operation: Operation): AuditObject | undefined {
  const { request, answer } = exampleOf(operation) ?? {}
  if (!request || !operation.target) return undefined
  const input = { ...request.path, ...request.query, ...request.body }
  const { target_type, target, metadata = {} } = operation.target(input, answer)
  return { action: operation.name, target_type, target, metadata }
}

describe('the object of a sentence', () => {
  it('is there for each operation, unless it is one that is listed to have none', () => {
    const silent = audited.flatMap((operation) => {
      // The other operations store their rows themselves.
      if (operation.effect !== 'transaction') return []
      if (withoutObject.includes(operation.name)) return []
      const entry = entryOf(operation)
      return entry && objectOf(entry) === null ? [operation.name] : []
    })
    assert.deepEqual(silent, [])
  })

  it('is missing only for actions that exist', () => {
    const known = new Set(auditTexts.actions)
    assert.deepEqual(
      withoutObject.filter((action) => !known.has(action)),
      [],
    )
  })
})

describe('an entry as it is stored', async () => {
  const registrar = await sharedService()
  const { id, key: token } = await registrar.customer({ scopes: [...scopes], contact: false })
  const send = async (method: string, path: string, body?: object) => {
    const answer = await registrar.request(method, path, { token, ...(body && { body }) })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }

  it('names a key by its name, from its beginning to its end', async () => {
    const keys = `/v1/customers/${id}/api-keys`
    const { key } = await send('POST', keys, { name: 'Shop agent', scopes: ['domains:read'] })
    const { key: next } = await send('POST', `${keys}/${key.id}/rotate`)
    await send('POST', `${keys}/${next.id}/revoke`)
    await assertNamed('api_key', 'Shop agent', 3)
  })

  it('names a contact by its handle', async () => {
    const contacts = `/v1/customers/${id}/contacts`
    const contact = await send('POST', contacts, {
      ...{ handle: 'ADA-1', name: 'Ada', email: 'ada@example.com', address: 'Damrak 1' },
      ...{ city: 'Amsterdam', state: 'Noord-Holland', country: 'NL', zip: '1012 LG' },
      ...{ phone_country_code: '+31', phone_number: '201234567' },
    })
    const path = `${contacts}/${contact.id}`
    await send('PATCH', path, { name: 'Ada L.' })
    await send('DELETE', path)
    await assertNamed('contact', 'ADA-1', 3)
  })

  it('names a webhook by its host', async () => {
    const url = 'https://hooks.example.com/x'
    const { webhook } = await send('POST', '/v1/webhooks', { url, types: ['domain.*'] })
    const path = `/v1/webhooks/${webhook.id}`
    await send('PATCH', path, { description: 'x' })
    await send('POST', `${path}/secret/rotate`)
    await send('POST', `${path}/test`)
    await send('DELETE', path)
    await assertNamed('webhook', 'hooks.example.com', 5)
  })

  async function assertNamed(type: string, name: string, count: number): Promise<void> {
    const { audit_logs } = await send('GET', `/v1/customers/${id}/audit-logs?limit=100`)
    const ours = audit_logs.filter(({ target_type }: AuditObject) => target_type === type)
    // The rows are newest first, and the customer has its own key.
    assert.deepEqual(ours.slice(0, count).map(objectOf), Array(count).fill(name))
  }
})

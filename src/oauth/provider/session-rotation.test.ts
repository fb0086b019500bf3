// Rotation of a session's id: the session is found by its uid at every moment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdapterPayload } from 'oidc-provider'
import { pino } from 'pino'
import { loadLibrary } from '../shared/load-oidc-provider.ts'
import { storeBeforeDestroying } from './provider.ts'

const { Provider } = loadLibrary(pino({ level: 'silent' }))

/** A provider whose adapter remembers its sessions and what was done with them, in order. */
function recording() {
  const stored = new Map<string, AdapterPayload>()
  const done: string[] = []
  const provider = new Provider('https://as.example', {
    adapter: () => ({
      upsert: async (id, payload) => {
        stored.set(id, payload)
        done.push(`store ${id}`)
      },
      destroy: async (id) => {
        stored.delete(id)
        done.push(`destroy ${id}`)
      },
      find: async (id) => stored.get(id),
      findByUid: async (uid) => [...stored.values()].find((one) => one.uid === uid),
      findByUserCode: async () => undefined,
      consume: async () => undefined,
      revokeByGrantId: async () => undefined,
    }),
  })
  storeBeforeDestroying(provider)
  return { provider, done }
}

test('a session is stored under its new id before the old one is destroyed', async () => {
  const { provider, done } = recording()
  const session = new provider.Session()
  await session.save(60)
  const old = session.jti
  session.resetIdentifier()
  await session.save(60)
  assert.notEqual(session.jti, old)
  assert.deepEqual(done, [`store ${old}`, `store ${session.jti}`, `destroy ${old}`])
  assert.equal(await provider.Session.find(old), undefined)
  assert.equal((await provider.Session.findByUid(session.uid))?.jti, session.jti)
})

test('a session that keeps its id is only stored', async () => {
  const { provider, done } = recording()
  const session = new provider.Session()
  await session.save(60)
  session.resetIdentifier()
  await session.save(60)
  const before = done.length
  await session.save(60)
  assert.deepEqual(done.slice(before), [`store ${session.jti}`])
})

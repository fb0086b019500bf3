// Signing keys and their rotation: one set for all nodes, stored encrypted in the database. A key
// is published before its first signature and until after its last, so clients can verify all of
// them.
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'
import type { App } from '../../app.ts'
import { storeAuditRow, systemAuditRow } from '../../capabilities/audit/index.ts'
import type { Sql } from '../../db/database.ts'
import { databaseTime } from '../../db/server.sql.ts'
import type { Row } from '../../db/statement.ts'
import { newId } from '../../kit/random.ts'
import { insertKey, lockKeys, publishedKeys, retireKeys } from './keys.sql.ts'

export type KeyParts = Pick<App, 'db' | 'encryption'>
export type Keys = {
  /** Private keys as oidc-provider takes them. The first of an algorithm signs. */
  sign: JWK[]
  /** Secrets of cookies. The first signs, and all verify. */
  cookie: string[]
  /** The time until the list changes, unless keys are rotated before. */
  changes_in_ms: number | null
  /** The number of keys that this node cannot decrypt. */
  unreadable: number
}

/** Every client can verify RS256; HS256 is for cookies and is not published. */
const algorithms = ['RS256', 'EdDSA', 'HS256'] as const
type Algorithm = (typeof algorithms)[number]

// Clients cache the published keys for minutes, and fetch them again for an unknown one. ID tokens
// are valid for an hour, cookies of a logged-in browser for eight.
const published_before_s = 600
const published_after_s = 86_400

const newPair = promisify(generateKeyPair)

async function newKey(alg: Algorithm): Promise<string> {
  if (alg === 'HS256') return JSON.stringify({ k: randomBytes(32).toString('base64url') })
  const { privateKey } =
    alg === 'RS256' ? await newPair('rsa', { modulusLength: 2048 }) : await newPair('ed25519')
  return JSON.stringify(privateKey.export({ format: 'jwk' }))
}

type KeyRow = Row<'oauth_signing_keys_published'>
type Readable = { row: KeyRow; jwk: JWK }

/** Keys sealed with another ENCRYPTION_KEY are ignored: this node cannot decrypt them. */
function readable({ encryption }: Pick<App, 'encryption'>, rows: KeyRow[]): Readable[] {
  return rows.flatMap((row) => {
    const text = encryption.unseal(row.sealed)
    if (text !== undefined) return [{ row, jwk: { ...JSON.parse(text), kid: row.kid } }]
    return []
  })
}

function lacking(keys: Readable[]): Algorithm[] {
  return algorithms.filter((alg) => !keys.some(({ row }) => row.alg === alg && row.signs))
}

/** The published keys. Where there are none, the first of all nodes creates them. */
export async function openKeys(parts: KeyParts): Promise<Keys> {
  const rows = await parts.db.run(publishedKeys)
  const found = readable(parts, rows)
  const missing = lacking(found)
  if (missing.length === 0) return listed(found, rows)
  const made = new Map<Algorithm, string>()
  for (const alg of missing) made.set(alg, await newKey(alg))
  await parts.db.transaction(async (sql) => {
    await sql.one(lockKeys)
    const still = lacking(readable(parts, await sql.run(publishedKeys)))
    for (const alg of still) {
      const key = made.get(alg)
      // Keys that this node cannot decrypt stay: another node may use them.
      if (key !== undefined) await insert(sql, parts, { alg, key, signs_in_s: 0 })
    }
  })
  const all = await parts.db.run(publishedKeys)
  return listed(readable(parts, all), all)
}

type NewKey = { alg: Algorithm; key: string; signs_in_s: number }

async function insert(sql: Sql, { encryption }: KeyParts, { alg, key, signs_in_s }: NewKey) {
  const purpose = alg === 'HS256' ? 'cookie' : 'sign'
  await sql.one(insertKey, {
    kid: newId('oak'),
    purpose,
    alg,
    sealed: encryption.seal(key),
    signs_in_s,
  })
}

/**
 * Creates a key of each algorithm, published now and signing in ten minutes. With `at_once`, after
 * a theft, the new keys sign now, and signatures of the old ones are no longer valid.
 */
export async function rotateKeys(parts: KeyParts, { at_once }: { at_once: boolean }) {
  const times = at_once
    ? { signs_in_s: 0, stays_s: 0 }
    : { signs_in_s: published_before_s, stays_s: published_after_s }
  const made = await Promise.all(algorithms.map(async (alg) => ({ alg, key: await newKey(alg) })))
  await parts.db.transaction(async (sql) => {
    await sql.one(lockKeys)
    await storeAuditRow(sql, rotationRow(at_once, await databaseTime(sql)))
    for (const one of made) {
      await sql.count(retireKeys, {
        alg: one.alg,
        signs_in_s: times.signs_in_s,
        stays_s: times.stays_s,
      })
      await insert(sql, parts, { ...one, ...times })
    }
  })
  return times
}

function rotationRow(at_once: boolean, now: Date) {
  const action = 'rotate_oauth_keys'
  const agent_identifier = `agent-registrar/${action}`
  return systemAuditRow(
    { action, agent_identifier, now },
    { target_type: 'oauth_keys', target: null, metadata: { at_once, algorithms } },
  )
}

function listed(keys: Readable[], rows: KeyRow[]): Keys {
  const changes = keys.flatMap(({ row }) => row.changes_in_ms ?? [])
  return {
    sign: keys
      .filter(({ row }) => row.purpose === 'sign')
      .map(({ row, jwk }) => ({ ...jwk, alg: row.alg, use: 'sig' })),
    cookie: keys.filter(({ row }) => row.purpose === 'cookie').flatMap(({ jwk }) => jwk.k ?? []),
    unreadable: rows.length - keys.length,
    changes_in_ms: changes.length === 0 ? null : Math.max(0, Math.min(...changes)),
  }
}

/**
 * Runs rotate-oauth-keys of the command line: it rotates the keys and reports that in lines. No
 * restart is needed.
 */
export async function rotateKeysCommand(
  parts: KeyParts,
  { at_once }: { at_once: boolean },
): Promise<string[]> {
  const { signs_in_s, stays_s } = await rotateKeys(parts, { at_once })
  const made = 'New keys for RS256 and EdDSA are published at /oauth/jwks; that for cookies is not.'
  if (at_once)
    return [made, 'They sign from now on. Signatures of the old keys are no longer valid.']
  const minutes = signs_in_s / 60
  const hours = stays_s / 3600
  return [made, `They sign in ${minutes} minutes; the old keys stay valid for ${hours} more hours.`]
}

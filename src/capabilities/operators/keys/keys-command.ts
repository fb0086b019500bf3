// Operator keys from the command line, on the database itself: for the first key, and for when no
// key is left.
import type { Settings } from '../../../config/config.ts'
import type { Database, Sql } from '../../../db/database.ts'
import { databaseTime } from '../../../db/server.sql.ts'
import { storeAuditRow, systemAuditRow } from '../../audit/index.ts'
import { operatorKeyNotFound } from '../faults.ts'
import { addOperatorKey, type KeyParts, revokeKeyOfId, rotateKeyOfId } from './change-keys.ts'
import { allOperatorKeys, type OperatorKeyRow, operatorKeyByName } from './keys.sql.ts'

const actions = {
  'create-operator-key': 'create_operator_key',
  'rotate-operator-key': 'rotate_operator_key',
  'revoke-operator-key': 'revoke_operator_key',
} as const
type Asked = { command: keyof typeof actions | 'list-operator-keys'; name: string }

/**
 * Returns the lines to print, which alone show a new key. Throws a fault, whose message is for
 * people.
 */
export async function operatorKeysCommand(
  { db, settings }: { db: Database; settings: Settings },
  { command, name }: Asked,
): Promise<string[]> {
  if (command === 'list-operator-keys') return (await db.run(allOperatorKeys)).map(lineOf)
  const now = await databaseTime(db)
  return db.transaction(async (sql) => {
    const { row, lines } = await change({ settings, sql, now }, { command, name })
    const context = { entry_point: 'cli', action: actions[command], agent_identifier: 'bin/call' }
    const target = { target_type: 'operator_key', target: String(row.id) }
    const facts = { ...target, metadata: { name: row.label } }
    await storeAuditRow(sql, systemAuditRow({ ...context, entry_point: 'cli', now }, facts))
    return lines
  })
}

type Changed = { row: OperatorKeyRow; lines: string[] }
type Change = { command: keyof typeof actions; name: string }

async function change(parts: KeyParts, { command, name }: Change): Promise<Changed> {
  if (command === 'create-operator-key') return shown(await addOperatorKey(parts, name))
  const id = await idOf(parts.sql, name)
  if (command === 'rotate-operator-key') return shown(await rotateKeyOfId(parts, id))
  const row = await revokeKeyOfId(parts, id)
  return { row, lines: [`${name} is revoked; its access ends within 5 seconds.`] }
}

function shown({ row, secret }: { row: OperatorKeyRow; secret: { value: string } }): Changed {
  const lines = [`Operator key of ${row.label}, shown once; only its hash is stored:`, secret.value]
  return { row, lines }
}

async function idOf(sql: Sql, label: string): Promise<bigint> {
  const row = await sql.maybe(operatorKeyByName, { label })
  if (!row) throw operatorKeyNotFound({ detail: `There is no operator key named ${label}.` })
  return row.id
}

function lineOf(row: OperatorKeyRow): string {
  const state = row.revoked_at ? `revoked ${day(row.revoked_at)}` : 'active'
  const used = row.last_used_at ? `last used ${day(row.last_used_at)}` : 'never used'
  return [row.label.padEnd(24), state.padEnd(20), `created ${day(row.created_at)}`, used].join('  ')
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10)
}

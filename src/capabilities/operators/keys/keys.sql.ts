// SQL of operator keys.
import { comparableName } from '../../../db/comparable-name.ts'
import { type Row, statement } from '../../../db/statement.ts'

const columns = 'id, label, key_prefix, created_at, rotated_at, last_used_at, revoked_at'

export const operatorOfHash = statement(
  'operator_keys_of_hash',
  `select id, label, last_used_at from operator_keys
    where key_hash = :key_hash and revoked_at is null`,
)

export const noteKeyUse = statement(
  'operator_keys_note_use',
  'update operator_keys set last_used_at = :now where id = :id and revoked_at is null',
)

export const anyOperatorKey = statement(
  'operator_keys_any',
  'select exists (select from operator_keys where revoked_at is null) as found',
  { not_null: ['found'] },
)

/** Returns no row if another node has created one. */
export const insertFirstOperatorKey = statement(
  'operator_keys_insert_first',
  `insert into operator_keys (key_hash, key_prefix, label, created_at)
   values (:key_hash, :key_prefix, 'first start', :created_at)
   on conflict do nothing
   returning id`,
)

export const revokeOtherEnvironmentKeys = statement(
  'operator_keys_revoke_environment',
  `update operator_keys set revoked_at = :revoked_at
    where label = 'environment' and key_hash <> :key_hash and revoked_at is null`,
)

export const putEnvironmentKey = statement(
  'operator_keys_put_environment',
  `insert into operator_keys (key_hash, label, created_at)
   values (:key_hash, 'environment', :created_at)
   on conflict (key_hash) do update set label = 'environment', revoked_at = null`,
)

/**
 * Returns no row if a key has, or had, this name or one that looks like it, since the audit log
 * could not distinguish the two. `reserved` are the names that the service gives its own keys.
 */
export const insertOperatorKey = statement(
  'operator_keys_insert',
  `insert into operator_keys (key_hash, key_prefix, label, created_at)
   select :key_hash, :key_prefix, :label, :created_at
    where not exists (
      select from (select label from operator_keys union all select unnest(:reserved::text[])) k
       where ${comparableName('k.label')} = ${comparableName(':label::text')})
   on conflict do nothing
   returning ${columns}`,
)

/** Active ones first, each group in the order of creation. */
export const allOperatorKeys = statement(
  'operator_keys_all',
  `select ${columns} from operator_keys order by revoked_at is not null, id`,
)

/**
 * Locks all active keys, so that two operators who revoke each other's keys do not leave the
 * service without any.
 */
export const lockActiveOperatorKeys = statement(
  'operator_keys_lock_active',
  'select id from operator_keys where revoked_at is null order by id for update',
)

export const operatorKeyById = statement(
  'operator_keys_by_id',
  `select ${columns} from operator_keys where id = :id`,
)
export type OperatorKeyRow = Row<'operator_keys_by_id'>

/** The active key of this name, or else the latest one that had it. */
export const operatorKeyByName = statement(
  'operator_keys_by_name',
  `select id from operator_keys where label = :label
    order by revoked_at is not null, id desc limit 1`,
)

export const revokeOperatorKeyRow = statement(
  'operator_keys_revoke',
  `update operator_keys set revoked_at = :revoked_at where id = :id and revoked_at is null`,
)

export const replaceOperatorSecret = statement(
  'operator_keys_replace_secret',
  `update operator_keys
      set key_hash = :key_hash, key_prefix = :key_prefix, rotated_at = :now
    where id = :id and revoked_at is null
   returning ${columns}`,
)

/** The sessions that were begun with a key end with it. */
export const endSessionsOfKey = statement(
  'operator_sessions_end_of_key',
  `update operator_sessions set ended_at = :ended_at
    where operator_key_id = :operator_key_id and ended_at is null`,
)

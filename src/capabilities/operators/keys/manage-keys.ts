// Operators' keys by name: create, list, rotate and revoke them.
import Type from 'typebox'
import { type App, type Call, operation, operatorOnly } from '../../../app.ts'
import { FieldReader } from '../../../kit/field-reader.ts'
import {
  lastOperatorKey,
  operatorKeyInSettings,
  operatorKeyNameTaken,
  operatorKeyNotFound,
  operatorKeyRevoked,
} from '../faults.ts'
import { addOperatorKey, type KeyParts, revokeKeyOfId, rotateKeyOfId } from './change-keys.ts'
import { operatorKeyGiven, operatorKeyOf, operatorKeyResponse } from './key-schemas.ts'
import { allOperatorKeys } from './keys.sql.ts'

const keyId = Type.Integer({ description: 'The id of the key, from the list of operator keys.' })
const target = (id: number | undefined, name: string | undefined) => ({
  target_type: 'operator_key',
  target: id === undefined ? null : String(id),
  metadata: name === undefined ? {} : { name },
})

export const createOperatorKey = operation({
  name: 'create_operator_key',
  does: 'Create a key for an operator, by name.',
  more: 'One for each person or program: the audit log names the operator by it.',
  at: 'POST /v1/internal/operator-keys',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'The name of its holder; customers see it in their audit log. It is never used twice.',
    }),
  }),
  gives: operatorKeyGiven,
  status: 201,
  fails: [operatorKeyNameTaken],
  effect: 'transaction',
  target: (_input, given) => target(given?.key.id, given?.key.name),
  async run(input, call, app) {
    const reading = new FieldReader()
    const name = reading.line('name', input.name)
    reading.finish()
    const { secret, row } = await addOperatorKey(partsOf(app, call), name)
    return { operator_key: secret.value, key: operatorKeyOf(row, currentKey(call)) }
  },
})

export const listOperatorKeys = operation({
  name: 'list_operator_keys',
  does: 'List the operator keys: active ones first, revoked ones after them.',
  at: 'GET /v1/internal/operator-keys',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({}),
  gives: Type.Object({ keys: Type.Array(operatorKeyResponse) }, { title: 'OperatorKeys' }),
  fails: [],
  effect: 'none',
  async run(_input, call) {
    const rows = await call.sql.run(allOperatorKeys)
    return { keys: rows.map((row) => operatorKeyOf(row, currentKey(call))) }
  },
})

export const rotateOperatorKey = operation({
  name: 'rotate_operator_key',
  does: 'Give an operator key a new secret. The old one, and its sessions, end immediately.',
  at: 'POST /v1/internal/operator-keys/{key_id}/rotate',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({ key_id: keyId }),
  gives: operatorKeyGiven,
  fails: [operatorKeyNotFound, operatorKeyRevoked, operatorKeyInSettings],
  effect: 'transaction',
  target: ({ key_id }, given) => target(key_id, given?.key.name),
  async run({ key_id }, call, app) {
    const { secret, row } = await rotateKeyOfId(partsOf(app, call), BigInt(key_id))
    app.authentications.invalidate()
    return { operator_key: secret.value, key: operatorKeyOf(row, currentKey(call)) }
  },
})

export const revokeOperatorKey = operation({
  name: 'revoke_operator_key',
  does: 'Revoke an operator key, and the sessions that it began.',
  more: 'It cannot be undone. Revoking a revoked key changes nothing.',
  at: 'POST /v1/internal/operator-keys/{key_id}/revoke',
  area: 'Operators',
  who: operatorOnly(),
  takes: Type.Object({ key_id: keyId }),
  gives: operatorKeyResponse,
  fails: [operatorKeyNotFound, operatorKeyInSettings, lastOperatorKey],
  effect: 'transaction',
  target: ({ key_id }, key) => target(key_id, key?.name),
  async run({ key_id }, call, app) {
    const row = await revokeKeyOfId(partsOf(app, call), BigInt(key_id))
    app.authentications.invalidate()
    return operatorKeyOf(row, currentKey(call))
  },
})

function partsOf({ settings, clock }: App, { sql }: Call): KeyParts {
  return { settings, sql, now: clock.now() }
}

function currentKey({ caller }: Call): bigint | null {
  return caller.kind === 'operator' ? caller.key_id : null
}

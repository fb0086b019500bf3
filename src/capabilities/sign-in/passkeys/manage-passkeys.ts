// Lists and removes the passkeys of the caller's account.
import Type from 'typebox'
import { operation, ownerInPerson } from '../../../app.ts'
import { dateTime, nullable } from '../../../kit/schema.ts'
import { freshLogInNeeded, sessionRequired } from '../../account/index.ts'
import { customerMail } from '../../mail/index.ts'
import { passkeyEmail } from '../emails.ts'
import { lastLogIn, passkeyNotFound } from '../faults.ts'
import { removingCredential } from '../sessions/removing-credential.ts'
import { deletePasskey, passkeysOf } from './passkeys.sql.ts'

export const passkeyResponse = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the passkey, by which it is removed.' }),
    name: Type.String({ description: 'The name that its owner gave it.' }),
    backed_up: Type.Boolean({ description: 'Whether it is synchronized between devices.' }),
    transports: Type.Array(Type.String(), {
      description: 'The ways in which browsers reach its authenticator.',
    }),
    created_at: dateTime('When it was registered.'),
    last_used_at: nullable(dateTime('When it was last used to log in.')),
  },
  { title: 'PasskeyResponse' },
)

type Facts = {
  id: bigint
  name: string
  backed_up: boolean
  transports: string[]
  created_at: Date
  last_used_at: Date | null
}

export function presentPasskey(row: Facts) {
  const { id, name, backed_up, transports, created_at, last_used_at } = row
  return {
    id: Number(id),
    name,
    backed_up,
    transports,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}

export const listPasskeys = operation({
  name: 'list_passkeys',
  does: 'List the passkeys, newest first.',
  at: 'GET /v1/account/passkeys',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({}),
  gives: Type.Object({ passkeys: Type.Array(passkeyResponse) }, { title: 'ListPasskeysResponse' }),
  fails: [sessionRequired],
  effect: 'none',
  async run(_input, { sql, customer_id }) {
    const rows = await sql.run(passkeysOf, { customer_id })
    return { passkeys: rows.map(presentPasskey) }
  },
})

export const removePasskey = operation({
  name: 'remove_passkey',
  does: 'Remove a passkey.',
  more:
    'It can no longer log in; sessions that it began stay. The last way to log in cannot be ' +
    'removed. The owner is notified by mail.',
  at: 'DELETE /v1/account/passkeys/{id}',
  area: 'Account and customers',
  who: ownerInPerson(),
  takes: Type.Object({
    id: Type.Integer({ description: 'The id of the passkey, from the list of passkeys.' }),
  }),
  gives: Type.Null(),
  status: 204,
  fails: [sessionRequired, freshLogInNeeded, passkeyNotFound, lastLogIn],
  effect: 'transaction',
  target: ({ id }) => ({ target_type: 'passkey', target: String(id) }),
  async run({ id }, call, app) {
    const { customer_id } = call
    await removingCredential(app, call, async () => {
      const row = await call.sql.maybe(deletePasskey, { customer_id, id: BigInt(id) })
      if (!row) throw passkeyNotFound()
      call.note({ name: row.name })
    })
    const { clock, settings } = app
    const facts = { id: BigInt(id), at: clock.now(), done: 'removed', settings } as const
    await customerMail(call.sql, customer_id, passkeyEmail(facts))
    return null
  },
})

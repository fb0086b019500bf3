// A TSIG key as its owner reads it, and the name by which DNS messages name it.
import Type from 'typebox'
import { tsigAlgorithms } from '../../../../dns/message/tsig.ts'
import { typeName } from '../../../../dns/types.ts'
import { dateTime, identifier, nullable, oneOf, wordOf } from '../../../../kit/schema.ts'
import type { TsigKeyRow } from './tsig-keys.sql.ts'

const makers = ['owner', 'api_key', 'app'] as const
const states = ['active', 'expired', 'maker_ended'] as const

export const tsigKeyShape = Type.Object(
  {
    id: identifier('tsk'),
    name: Type.String({ description: 'The name of the key in DNS messages.' }),
    algorithm: oneOf(tsigAlgorithms),
    hosts: nullable(
      Type.Array(Type.String(), {
        description: 'The only hosts that it may change, or null for all.',
      }),
    ),
    types: nullable(
      Type.Array(Type.String(), {
        description: 'The only types that it may change, or null for all.',
      }),
    ),
    state: oneOf(states, {
      description: 'maker_ended: it has ended with the key or the app that made it.',
    }),
    made_by: oneOf(makers, { description: 'The maker of the key, with which it ends.' }),
    made_by_id: nullable(
      Type.String({ description: 'The id of the API key, or of the consent of the app.' }),
    ),
    expires_at: nullable(dateTime('When it expires, or null if it never does.')),
    created_at: dateTime('When it was created.'),
  },
  { title: 'TsigKey' },
)

/** One label that no other key has: the id without its underscore. */
export function tsigKeyName(id: string): string {
  return id.replace('_', '-')
}

/** The id of such a name, or, for any other text, a text that is no id. */
export function tsigKeyId(name: string): string {
  return name.replace('-', '_')
}

export function shownTsigKey(row: TsigKeyRow, now: Date) {
  const { id, algorithm, dns_hosts: hosts, dns_types, expires_at } = row
  return {
    id,
    name: tsigKeyName(id),
    algorithm: wordOf(tsigAlgorithms, algorithm),
    hosts,
    types: dns_types?.map(typeName) ?? null,
    state: stateOf(row, now),
    made_by: wordOf(makers, row.made_by),
    made_by_id: row.api_key_id === null ? row.oauth_grant_id : String(row.api_key_id),
    expires_at: expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

function stateOf({ maker_ended, expires_at }: TsigKeyRow, now: Date): (typeof states)[number] {
  if (maker_ended) return 'maker_ended'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}

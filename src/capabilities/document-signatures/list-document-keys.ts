// Lists the public keys that verify quotes and receipts: GET /v1/document-keys.
import Type from 'typebox'
import { anyone, operation } from '../../app.ts'
import { compile } from '../../kit/schema.ts'
import { documentKeys } from './keys.sql.ts'

const publicJwk = Type.Object({
  kty: Type.Literal('EC'),
  crv: Type.Literal('P-256'),
  x: Type.String(),
  y: Type.String(),
})
const readJwk = compile(publicJwk)

export const listDocumentKeys = operation({
  name: 'list_document_keys',
  does: 'List the public keys that verify signed quotes and receipts, as a JWK set.',
  more:
    'A quote or receipt is a compact JWS (ES256); the "kid" of its header names the key, and its ' +
    '"typ" is quote+jwt or receipt+jwt. Check also "iss" and "sub", and "exp" of a quote.',
  at: 'GET /v1/document-keys',
  area: 'Pricing',
  who: anyone(),
  takes: Type.Object({}),
  gives: Type.Object(
    {
      keys: Type.Array(
        Type.Object({
          ...publicJwk.properties,
          kid: Type.String(),
          use: Type.Literal('sig'),
          alg: Type.Literal('ES256'),
        }),
        {
          description: 'Keys as in RFC 7517, the newest first. Older ones verify older documents.',
        },
      ),
    },
    { title: 'DocumentKeys' },
  ),
  fails: [],
  effect: 'none',
  async run(_input, { sql }) {
    const rows = await sql.run(documentKeys)
    return {
      keys: rows.map(({ kid, public_jwk }) => ({
        ...readJwk.parse(public_jwk),
        kid,
        use: 'sig' as const,
        alg: 'ES256' as const,
      })),
    }
  },
})

// Publishes the signed head of the audit log, for external monitoring.
import Type from 'typebox'
import { anyToken, operation } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import { dateTime, oneOf, patterned } from '../../../kit/schema.ts'
import { linkAt } from '../chain/audit.sql.ts'
import { readContinuity } from '../chain/continuity.ts'
import { notedHead } from '../chain/noted-head.ts'
import { signHead } from '../chain/signed-head.ts'
import { trustedKeys } from '../chain/signer.ts'

export const auditHeadNotFound = fault('audit_head_not_found', 'absent', {
  sentence: 'The audit log has no block with this number.',
  hint:
    'Leave out "number" for the newest block. A signed head with that number proves that the ' +
    'block existed.',
})
export const auditLogDisputed = fault('audit_log_disputed', 'unavailable', {
  sentence: 'The audit log in the database lacks a block that was recorded earlier.',
  hint: 'An operator must restore it or accept the loss. Keep the heads that you have.',
  retryable: false,
  next: 'contact_support',
})

const text = (description: string) => Type.String({ description })

export const readAuditHead = operation({
  name: 'read_audit_head',
  does: 'Read the signed head of the audit log; keep it to detect a later rewrite.',
  more:
    'The signature is Ed25519 over the RFC 8785 JSON of `kind`, `number`, `block_hash`, `era`, ' +
    '`created_at`, `key_id` and `"type": "audit_head"`. A number is never used twice: two valid ' +
    'heads with one number and two hashes prove a rewrite. `bin/call verify-audit --head FILE` ' +
    'compares a kept one with the log.',
  at: 'GET /v1/audit/head',
  area: 'Audit logs',
  who: anyToken(),
  takes: Type.Object({
    number: Type.Optional(
      patterned('^[1-9][0-9]{0,17}$', 'the number of a head, such as "12"', {
        description: 'The number of an older head.',
      }),
    ),
  }),
  gives: Type.Object(
    {
      kind: oneOf(['block', 'restoration'] as const),
      number: text('Its place in the chain.'),
      block_hash: text('Hex hash of the block, or of the record of the restoration.'),
      era: Type.Integer({ description: 'It grows with each cluster and each restoration.' }),
      created_at: dateTime('When it was sealed.'),
      key_id: text('The id of the key that signed the head.'),
      signature: text('Ed25519, base64.'),
      public_key: text('The key, SPKI DER in base64. Compare it with one that you noted earlier.'),
    },
    { title: 'AuditHead' },
  ),
  fails: [auditHeadNotFound, auditLogDisputed],
  effect: 'none',
  async run({ number }, { sql }, { settings, auditSigner: signer }) {
    const noted = notedHead({ settings })
    const trusted = () => trustedKeys({ settings })
    const { problem, alarmed, newest } = await readContinuity(sql, { trusted, noted })
    if (problem || alarmed) throw auditLogDisputed()
    const wanted = number ?? newest?.number
    const link = wanted && (await sql.maybe(linkAt, { number: BigInt(wanted) }))
    if (!link) throw auditHeadNotFound()
    const block_hash = link.hash.toString('hex')
    const { kind, era } = link
    // Noted before it is published: the database must not fall behind it.
    signer.noteHead({ number: String(link.number), block_hash })
    return signHead(
      {
        kind: kind === 'block' ? 'block' : 'restoration',
        number: String(link.number),
        block_hash,
        era,
        created_at: link.created_at.toISOString(),
      },
      signer,
    )
  },
})

// Returns the proof that an entry is in a signed block, which can be verified offline.

import Type from 'typebox'
import { operation, ownerOf } from '../../../app.ts'
import { fault } from '../../../kit/fault.ts'
import type { CustomerId } from '../../../kit/random.ts'
import { dateTime, stringOf } from '../../../kit/schema.ts'
import { idIsArchived } from '../chain/archives.sql.ts'
import { inclusionProof } from '../chain/inclusion-proof.ts'
import { storedCanonicalJson } from '../rows/stored-row.ts'
import { rowOfCustomer } from './pages.sql.ts'

const auditLogNotFound = fault('audit_log_not_found', 'absent', {
  sentence: 'There is no such audit entry in this account.',
  hint: 'List the audit log to see the ids of its entries.',
})
const auditLogUnsealed = fault('audit_log_unsealed', 'conflict', {
  sentence: 'The entry is not in a signed block yet.',
  hint: 'New entries are sealed within a second: try again then.',
  next: 'wait_and_retry',
  retryable: true,
})

const auditLogArchived = fault('audit_log_archived', 'absent', {
  sentence: 'Entries of that time are no longer in the database: they are in an archive.',
  hint: 'If the entry is of this account, the operator can prove it from the archive.',
  next: 'contact_support',
})

const text = (description: string) => Type.String({ description })
export const auditBlock = Type.Object(
  {
    number: text('Its place in the chain.'),
    era: Type.Integer({
      description: 'Number of the database cluster that the log is on, counted from the first.',
    }),
    first_id: text('The first id of the era.'),
    highest_id: text('The greatest id that is sealed so far.'),
    from_xid: text('The transaction of the row after which the rows come.'),
    from_id: text('The id of the row after which the rows come.'),
    to_xid: text('The transaction of the last row.'),
    to_id: text('The id of the last row.'),
    row_count: Type.Integer({ description: 'The number of rows that it seals.' }),
    merkle_root: text('Hex root of the tree over the row hashes (RFC 9162).'),
    previous_hash: text('Hex block_hash of the block before.'),
    key_id: text('The id of the key that signed.'),
    created_at: dateTime('When it was sealed.'),
    block_hash: text('Hex SHA-256 of the RFC 8785 JSON of all fields above.'),
    signature: text('Ed25519 over the octets of block_hash, base64.'),
    public_key: text('The key, SPKI DER in base64. Compare it with one that you noted earlier.'),
  },
  { title: 'AuditBlock', description: 'The block that seals the entry.' },
)

export const readAuditProof = operation({
  name: 'read_audit_proof',
  does: 'Prove that an audit entry is in a signed block; the proof can be checked offline.',
  more:
    'SHA-256 of `canonical_row` is `row_hash`; its leaf (RFC 9162, section 2.1) leads by ' +
    '`path` to `block.merkle_root`; SHA-256 of the RFC 8785 JSON of the block without its last ' +
    'three fields is `block.block_hash`, which the signature covers.',
  at: 'GET /v1/customers/{customer_id}/audit-logs/{audit_log_id}/proof',
  area: 'Audit logs',
  who: ownerOf('audit:read'),
  takes: Type.Object({
    customer_id: stringOf<CustomerId>({ description: 'The customer.' }),
    audit_log_id: Type.Integer({ minimum: 1, description: 'The entry.' }),
  }),
  gives: Type.Object(
    {
      canonical_row: text('The entry as it was hashed: RFC 8785 JSON.'),
      row_hash: text('Hex SHA-256 of canonical_row.'),
      inclusion: Type.Object(
        {
          leaf_index: Type.Integer({ description: 'The place of the entry in the block, from 0.' }),
          tree_size: Type.Integer({ description: 'The number of entries in the block.' }),
          path: Type.Array(Type.String(), { description: 'Hex hashes from the leaf to the root.' }),
        },
        { description: 'Inclusion proof (RFC 9162, section 2.1.3).' },
      ),
      block: auditBlock,
    },
    { title: 'AuditProofResponse' },
  ),
  fails: [auditLogNotFound, auditLogArchived, auditLogUnsealed],
  effect: 'none',
  async run({ audit_log_id }, call) {
    const id = BigInt(audit_log_id)
    const row = await call.sql.maybe(rowOfCustomer, { customer_id: call.customer_id, id })
    if (!row) {
      const { archived } = await call.sql.one(idIsArchived, { id })
      throw archived ? auditLogArchived() : auditLogNotFound()
    }
    const proof = await inclusionProof(call.sql, id)
    if (!proof) throw auditLogUnsealed()
    return { canonical_row: storedCanonicalJson(row), ...proof }
  },
})
